// The camera of a picture.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::view {

/// A 4x4 matrix, column after column, as OpenGL takes it.
using Mat4 = std::array<float, 16>;

/// Where a point is seen.
struct Seen {
  double x = 0.0;      ///< pixels from the left, 0 at the left edge of the first
  double y = 0.0;      ///< pixels from the top
  double depth = 0.0;  ///< metres in front of the eye, along the line of sight
};

/// A pinhole camera, upright: the world's +Y points up in the picture, unless it looks straight up
/// or down.
struct Camera {
  Vec3 eye;                   ///< world, metres
  Vec3 target;                ///< what it looks at, in the picture's middle
  double fov_degrees = 40.0;  ///< from the lower to the upper edge; above 0, below 170
  int width = 0;              ///< pixels
  int height = 0;

  [[nodiscard]] Vec3 forward() const;  ///< unit
  [[nodiscard]] Vec3 right() const;
  [[nodiscard]] Vec3 up() const;
  /// Where a point is seen; none: behind the eye. May lie outside the picture.
  [[nodiscard]] std::optional<Seen> project(const Vec3& point) const;
  /// World to eye (which looks along -z), metres.
  [[nodiscard]] Mat4 view() const;
  /// Eye to clip coordinates; depth from `near` to `far` metres becomes -1 to 1.
  [[nodiscard]] Mat4 projection(double near, double far) const;
};

/// Errors (kUsage): not finite, beyond 1e6 m, an eye that is its target, an angle out of range.
Status check_camera(const Camera& camera);

/// Parallel light: world to [-1, 1]^3, for what lies within `reach` metres of `centre` across the
/// light, and within 4 reach along it. `towards`: unit, to the light.
Mat4 light_matrix(const Vec3& centre, const Vec3& towards, double reach);

}  // namespace tocsin::view
