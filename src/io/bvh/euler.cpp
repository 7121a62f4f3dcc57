#include "io/bvh/euler.h"

#include <cmath>

#include "core/vector/rotation.h"

namespace tocsin::io {
namespace {

/// The angle of the vector (x, y) in radians, in [-pi, pi]; 0 if it has no length to speak of.
double angle_of(double x, double y) {
  // Of unit quaternions' sums and differences, what is shorter than a rounding is one.
  constexpr double kNothing = 0x1p-100;
  const double across = std::fabs(y);
  const double along = std::fabs(x);
  if (across < kNothing && along < kNothing) return 0.0;
  double angle = core::atan2_quadrant(across, along);
  if (x < 0.0) angle = core::kPi - angle;
  return y < 0.0 ? -angle : angle;
}

double wrapped_degrees(double radians) {
  if (radians > core::kPi) radians -= 2.0 * core::kPi;
  if (radians <= -core::kPi) radians += 2.0 * core::kPi;
  return core::kDegreesPerRadian * radians;
}

}  // namespace

// With half angles a, b, c of z, y, x, the product Rz Ry Rx has
//   w + y = (cos b + sin b) cos(a - c)    w - y = (cos b - sin b) cos(a + c)
//   z - x = (cos b + sin b) sin(a - c)    z + x = (cos b - sin b) sin(a + c)
// and b in [-45, 45] degrees makes both factors lengths. (Bernardes and Viollet 2022 give this for
// all orders.) Where one length is lost, what is made of its angle does not matter.
EulerZyx euler_zyx(const Quat& q) {
  const double sum = angle_of(q.w - q.y, q.z + q.x);
  const double difference = angle_of(q.w + q.y, q.z - q.x);
  const double plus = std::sqrt((q.w + q.y) * (q.w + q.y) + (q.z - q.x) * (q.z - q.x));
  const double minus = std::sqrt((q.w - q.y) * (q.w - q.y) + (q.z + q.x) * (q.z + q.x));
  const double y = 2.0 * angle_of(plus + minus, plus - minus);
  return {wrapped_degrees(sum + difference), core::kDegreesPerRadian * y,
          wrapped_degrees(sum - difference)};
}

}  // namespace tocsin::io
