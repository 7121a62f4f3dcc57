// The camera of a window: it goes around something, or walks.
#pragma once

#include "tocsin/types.h"
#include "view/camera.h"

namespace tocsin::view {

class Rig {
 public:
  enum class Mode : std::uint8_t { kOrbit, kWalk };

  [[nodiscard]] Mode mode() const { return mode_; }
  /// Stays where it is, and looks where it looks.
  void set_mode(Mode mode) { mode_ = mode; }
  /// Stands there, and looks at that.
  void look(const Vec3& eye, const Vec3& target, double fov_degrees);
  /// Around the target; walking: the eye stays. Radians; up is positive.
  void turn(double right, double up);
  /// Sideways and up, in parts of the distance to the target.
  void shift(double right, double up);
  /// Nearer to the target by this factor (below 1: nearer); walking, as far forward.
  void zoom(double factor);
  /// Metres forward, right and up; forward and right are level.
  void walk(double forward, double right, double up);
  /// Eye and target go along.
  void carry(const Vec3& by);
  /// Goes so that it looks at that point from the same side and distance.
  void centre(const Vec3& target);

  [[nodiscard]] const Vec3& eye() const { return eye_; }
  [[nodiscard]] const Vec3& target() const { return target_; }
  [[nodiscard]] double distance() const;
  [[nodiscard]] Camera camera(int width, int height) const;

 private:
  Mode mode_ = Mode::kOrbit;
  Vec3 eye_{2.0, 1.6, 3.0};
  Vec3 target_{0.0, 1.0, 0.0};
  double fov_ = 36.0;
};

/// The direction of the line of sight through a pixel, unit.
Vec3 ray_of(const Camera& camera, double x, double y);

}  // namespace tocsin::view
