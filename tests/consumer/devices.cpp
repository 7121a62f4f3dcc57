// The components of devices are found though nothing here names them: CUDA's kernels run emulated,
// and both kinds of device are listed by their own libraries.
#include <tocsin/tocsin.h>

#include <cstdio>
#include <string>

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::printf("does not hold: %s\n", what);
  ++failures;
}

tocsin::Environment wall() {
  tocsin::ObjectMesh mesh;
  mesh.name = "wall";
  mesh.vertices = {{0, -1, -1}, {0, -1, 1}, {0, 1, 1}, {0, 1, -1}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return tocsin::Environment::create({mesh}).value();
}

}  // namespace

int main() {
  const auto cuda = tocsin::Detector::make(
      wall(), {.backend = tocsin::Backend::kCuda, .experiments = {.emulate = true}});
  expect(cuda.ok(), "CUDA's kernels run emulated");
  expect(cuda && cuda->backend_name() == "cuda", "the detector's backend is cuda");

  const auto gl = tocsin::Detector::make(wall(), {.backend = tocsin::Backend::kGl});
  expect(gl || gl.error().message.find("built without") == std::string::npos,
         "the component gl is linked");

  for (const tocsin::DeviceInfo& device : tocsin::list_devices()) {
    expect(device.reason.find("without Tocsin's component") == std::string::npos,
           "devices are listed by their components");
  }
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
