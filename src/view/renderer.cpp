#include "view/renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/vector/vec.h"
#include "view/stage/gl_parts.h"
#include "view/stage/stage.h"

namespace tocsin::view {
namespace {

/// Samples across a pixel: two, but for pictures whose samples would take gigabytes.
int samples_for(const Camera& camera) {
  constexpr std::int64_t kManyPixels = 6'000'000;
  const std::int64_t pixels = std::int64_t{camera.width} * camera.height;
  return pixels > kManyPixels ? 1 : 2;
}

Status draw_job(const Drawing& drawing, Image& image) {
  const auto stage = Stage::make(false);
  if (!stage) return stage.error();
  const Camera& camera = drawing.view.camera;
  (*stage)->set_solids(drawing.solids);
  (*stage)->set_bodies(drawing.bodies);
  (*stage)->set_glass(drawing.glass);
  (*stage)->set_marks(drawing.marks);
  const std::string what = fmt::format("a picture of {} x {} pixels and {} triangles", camera.width,
                                       camera.height, drawing.solids.triangles.size());
  double farthest = 0.0;
  for (const Vertex& v : drawing.solids.vertices) {
    farthest =
        std::max(farthest, core::dot(core::to_double(v.position) - camera.eye, camera.forward()));
  }
  const FrameView frame{drawing.view, drawing.middle, drawing.reach, drawing.ground, farthest};
  if (auto drawn = (*stage)->draw(frame, samples_for(camera), Quality::kFine, what.c_str());
      !drawn) {
    return drawn;
  }
  image = read_back((*stage)->picture(), camera.width, camera.height);
  return gl::check_device(what.c_str());
}

}  // namespace

Result<Image> draw(gl::DeviceThread& device, const Drawing& drawing) {
  Image image;
  auto drawn = device.run([&] { return draw_job(drawing, image); });
  if (!drawn) return drawn.error();
  return image;
}

}  // namespace tocsin::view
