#include "view/camera.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/vector/vec.h"

namespace tocsin::view {
namespace {

using core::cross;
using core::dot;
using core::norm;

Vec3 unit(const Vec3& v) { return (1.0 / norm(v)) * v; }

double tangent_of_half(double degrees) {
  return std::tan(0.5 * degrees * std::numbers::pi / 180.0);
}

Vec3 side_of(const Vec3& forward) {
  const bool steep = std::fabs(forward.y) > 0.9999;
  return unit(cross(forward, steep ? Vec3{0.0, 0.0, -1.0} : Vec3{0.0, 1.0, 0.0}));
}

/// Rows of a map to the axes `x`, `y`, `z` with `origin` at 0.
Mat4 to_axes(const Vec3& x, const Vec3& y, const Vec3& z, const Vec3& origin) {
  const auto f = [](double v) { return static_cast<float>(v); };
  return {f(x.x),
          f(y.x),
          f(z.x),
          0.0F,
          f(x.y),
          f(y.y),
          f(z.y),
          0.0F,
          f(x.z),
          f(y.z),
          f(z.z),
          0.0F,
          f(-dot(x, origin)),
          f(-dot(y, origin)),
          f(-dot(z, origin)),
          1.0F};
}

}  // namespace

Vec3 Camera::forward() const { return unit(target - eye); }
Vec3 Camera::right() const { return side_of(forward()); }
Vec3 Camera::up() const { return cross(right(), forward()); }

std::optional<Seen> Camera::project(const Vec3& point) const {
  const Vec3 d = point - eye;
  const double depth = dot(d, forward());
  if (!(depth > 0.0)) return std::nullopt;
  const double scale = 0.5 * height / (tangent_of_half(fov_degrees) * depth);
  return Seen{0.5 * width + scale * dot(d, right()), 0.5 * height - scale * dot(d, up()), depth};
}

Mat4 Camera::view() const { return to_axes(right(), up(), -forward(), eye); }

Mat4 Camera::projection(double near, double far) const {
  const double f = 1.0 / tangent_of_half(fov_degrees);
  Mat4 out{};
  out[0] = static_cast<float>(f * height / width);
  out[5] = static_cast<float>(f);
  out[10] = static_cast<float>(-(far + near) / (far - near));
  out[11] = -1.0F;
  out[14] = static_cast<float>(-2.0 * far * near / (far - near));
  return out;
}

Status check_camera(const Camera& camera) {
  constexpr double kFarthest = 1e6;  // metres; where environments end
  const auto near_enough = [](const Vec3& p) {
    return core::is_finite(p) && std::fabs(p.x) <= kFarthest && std::fabs(p.y) <= kFarthest &&
           std::fabs(p.z) <= kFarthest;
  };
  if (!near_enough(camera.eye) || !near_enough(camera.target)) {
    return Error{ErrorCode::kUsage, "the camera stands or looks beyond 1e6 m"};
  }
  if (!(norm(camera.target - camera.eye) > 1e-6)) {
    return Error{ErrorCode::kUsage, "the camera looks at the point where it stands"};
  }
  if (!(camera.fov_degrees >= 1.0 && camera.fov_degrees <= 150.0)) {
    return Error{
        ErrorCode::kUsage,
        fmt::format("a field of view of {} degrees; it is from 1 to 150", camera.fov_degrees)};
  }
  return Nothing{};
}

Mat4 light_matrix(const Vec3& centre, const Vec3& towards, double reach) {
  const Vec3 x = side_of(-towards);
  const Vec3 y = cross(x, -towards);
  return to_axes((1.0 / reach) * x, (1.0 / reach) * y, (-0.25 / reach) * towards, centre);
}

}  // namespace tocsin::view
