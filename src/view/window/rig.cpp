#include "view/window/rig.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/vector/vec.h"

namespace tocsin::view {
namespace {

constexpr double kLeastDistance = 0.02;  // metres: nearer, and the target is not seen
constexpr double kMostDistance = 1e5;
/// Radians from straight up or down: there a camera would not know which way is up.
constexpr double kSteepest = 0.03;

/// A direction by its two angles.
struct Angles {
  double around = 0.0;  ///< about +Y, from +Z
  double up = 0.0;
  explicit Angles(const Vec3& v)
      : around(std::atan2(v.x, v.z)), up(std::atan2(v.y, std::hypot(v.x, v.z))) {}
  void limit() {
    constexpr double kMost = 0.5 * std::numbers::pi - kSteepest;
    up = std::clamp(up, -kMost, kMost);
  }
  [[nodiscard]] Vec3 direction() const {
    return {std::cos(up) * std::sin(around), std::sin(up), std::cos(up) * std::cos(around)};
  }
};

}  // namespace

double Rig::distance() const { return core::norm(target_ - eye_); }

void Rig::look(const Vec3& eye, const Vec3& target, double fov_degrees) {
  eye_ = eye;
  target_ = target;
  fov_ = fov_degrees;
  if (distance() < kLeastDistance) eye_ = target_ + Vec3{0.0, 0.0, 1.0};
}

void Rig::turn(double right, double up) {
  const double far = distance();
  if (mode_ == Mode::kOrbit) {
    Angles at(eye_ - target_);
    at.around += right;
    at.up += up;
    at.limit();
    eye_ = target_ + far * at.direction();
    return;
  }
  Angles at(target_ - eye_);
  at.around -= right;
  at.up += up;
  at.limit();
  target_ = eye_ + far * at.direction();
}

void Rig::shift(double right, double up) {
  const Camera now = camera(1, 1);
  const double far = distance();
  carry((far * right) * now.right() + (far * up) * now.up());
}

void Rig::zoom(double factor) {
  const double far = distance();
  if (mode_ == Mode::kWalk) {
    carry((1.0 - factor) * (target_ - eye_));
    return;
  }
  const double wanted = std::clamp(far * factor, kLeastDistance, kMostDistance);
  eye_ = target_ + (wanted / far) * (eye_ - target_);
}

void Rig::walk(double forward, double right, double up) {
  const Vec3 side = camera(1, 1).right();
  const Vec3 ahead{side.z, 0.0, -side.x};
  carry(forward * ahead + right * side + Vec3{0.0, up, 0.0});
}

void Rig::carry(const Vec3& by) {
  constexpr double kFarthest = 1e6;  // metres; where environments end
  const Vec3 eye = eye_ + by;
  if (!core::is_finite(eye) || core::norm(eye) > kFarthest) return;
  eye_ = eye;
  target_ = target_ + by;
}

void Rig::centre(const Vec3& target) { carry(target - target_); }

Camera Rig::camera(int width, int height) const { return {eye_, target_, fov_, width, height}; }

Vec3 ray_of(const Camera& camera, double x, double y) {
  const double slope = std::tan(camera.fov_degrees * std::numbers::pi / 360.0);
  const double across = (2.0 * x / camera.width - 1.0) * slope * camera.width / camera.height;
  const double upward = (1.0 - 2.0 * y / camera.height) * slope;
  const Vec3 v = camera.forward() + across * camera.right() + upward * camera.up();
  return (1.0 / core::norm(v)) * v;
}

}  // namespace tocsin::view
