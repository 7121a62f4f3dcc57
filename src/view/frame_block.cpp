#include "view/frame_block.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/vector/vec.h"
#include "view/colours.h"

namespace tocsin::view {
namespace {

using core::dot;

Vec4 vec4(const Vec3& v, double w) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z),
          static_cast<float>(w)};
}

Vec4 vec4(const Colour& c) { return {c.r, c.g, c.b, 1.0F}; }

/// Direction to the sun: high and to the left behind the camera, so that shadows are short and
/// visible.
Vec3 sun_for(const Camera& camera) {
  const Vec3 right = camera.right();
  const Vec3 back{right.z, 0.0, -right.x};  // level, towards the eye or away from it
  const double sign = dot(back, camera.forward()) > 0.0 ? -1.0 : 1.0;
  const Vec3 level = (0.55 * sign) * back - 0.62 * right;
  const Vec3 sun = level + Vec3{0.0, 1.35, 0.0};
  return (1.0 / core::norm(sun)) * sun;
}

/// Eye to world: the inverse of Camera::view().
Mat4 to_world(const Camera& camera) {
  const Vec3 r = camera.right();
  const Vec3 u = camera.up();
  const Vec3 b = -camera.forward();
  const auto f = [](double v) { return static_cast<float>(v); };
  const Vec3& e = camera.eye;
  return {f(r.x), f(r.y), f(r.z), 0.0F, f(u.x), f(u.y), f(u.z), 0.0F,
          f(b.x), f(b.y), f(b.z), 0.0F, f(e.x), f(e.y), f(e.z), 1.0F};
}

/// Depths between which everything lies.
struct Depths {
  double near = 0.0;
  double far = 0.0;
};

Depths depths_of(const FrameView& frame) {
  const double distance = core::norm(frame.middle - frame.view.camera.eye);
  const double far = std::max(frame.farthest, distance + 2.0 * frame.reach);
  // Nearer things would need more digits of depth than a float's 24 bits have at the far end.
  constexpr double kMostRatio = 1e5;
  const double near = std::max(std::min(0.02, 0.05 * distance), 1.01 * far / kMostRatio);
  return {near, 1.01 * far};
}

}  // namespace

FrameBlock frame_block(const FrameView& drawing, int samples) {
  const Camera& camera = drawing.view.camera;
  const Depths depths = depths_of(drawing);
  const double slope = std::tan(camera.fov_degrees * std::numbers::pi / 360.0);
  const double shadow_reach = std::max(2.4, 1.6 * drawing.reach);
  constexpr double kOverhead = 0.5;  // metres above the subject; higher objects cast no shadow

  FrameBlock out;
  out.to_eye = camera.view();
  out.to_clip = camera.projection(depths.near, depths.far);
  out.to_world = to_world(camera);
  const Vec3 sun = sun_for(camera);
  out.to_light = light_matrix(drawing.middle, sun, shadow_reach);
  out.lens = vec4({slope * camera.width / camera.height, slope, depths.near}, depths.far);
  out.eye = vec4(camera.eye, 0.0);
  out.sun = vec4(sun, shadow_reach);
  out.cut = vec4({drawing.view.cut_depth, drawing.middle.y + drawing.reach + kOverhead,
                  drawing.ground ? 1.0 : 0.0},
                 std::max(6.0, 4.0 * drawing.reach));
  out.size = vec4({static_cast<double>(camera.width), static_cast<double>(camera.height),
                   static_cast<double>(samples)},
                  kShadowSize);
  out.middle = vec4(drawing.middle, drawing.reach);
  out.contact = vec4(to_linear(kContactColour));
  for (std::size_t i = 0; i < out.colours.size(); ++i) {
    out.colours.at(i) = vec4(to_linear(kTimeColours.at(i)));
  }
  return out;
}

}  // namespace tocsin::view
