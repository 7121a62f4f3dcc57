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
  return tocsin::Environment::create({mesh});
}

}  // namespace

int main() {
  const tocsin::Detector cuda(wall(),
                              {.backend = tocsin::Backend::kCuda, .cuda = {.emulate = true}});
  expect(!cuda.error(), "CUDA's kernels run emulated");
  expect(cuda.backend_name() == "cuda", "the detector's backend is cuda");

  const tocsin::Detector gl(wall(), {.backend = tocsin::Backend::kGl});
  expect(!gl.error() || gl.error()->message.find("built without") == std::string::npos,
         "the component gl is linked");

  for (const tocsin::DeviceInfo& device : tocsin::list_devices()) {
    expect(device.reason.find("without Tocsin's component") == std::string::npos,
           "devices are listed by their components");
  }
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
