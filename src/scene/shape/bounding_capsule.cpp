#include "scene/shape/bounding_capsule.h"

#include <algorithm>
#include <cmath>

#include "core/vector/vec.h"
#include "scene/shape/shape_data.h"

namespace tocsin::scene {

namespace {

/// The radius grows by this part of the points' reach: rounding of distances from an axis, which is
/// below 2^-49 of it.
constexpr double kRadiusRoom = 0x1p-44;

double distance_from(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  const double squared = core::dot(d, d);
  const double s = squared > 0.0 ? core::clamp_to(core::dot(p - a, d) / squared, 0.0, 1.0) : 0.0;
  return core::norm(p - (a + s * d));
}

/// How much room it takes: volume, without pi.
double size_of(const BoundingCapsule& c) {
  return c.radius * c.radius * (core::norm(c.b - c.a) + 4.0 / 3.0 * c.radius);
}

/// The capsule along a line through the box's middle.
BoundingCapsule along(const core::OrientedBox& box, int i, std::span<const Vec3> points) {
  const Vec3& axis = box.axis[i];
  double radius = 0.0;  // of the cylinder
  double reach = 0.0;
  for (const Vec3& p : points) {
    const Vec3 d = p - box.center;
    radius = std::max(radius, core::norm(d - core::dot(d, axis) * axis));
    reach = std::max(reach, core::norm(p));
  }
  // Each point has to be within an end's ball: the ends are as near as that allows.
  double lo = 0.0;
  double hi = 0.0;
  for (const Vec3& p : points) {
    const Vec3 d = p - box.center;
    const double at = core::dot(d, axis);
    const double beside = core::norm(d - at * axis);
    const double cap = std::sqrt(std::max(radius * radius - beside * beside, 0.0));
    lo = std::min(lo, at + cap);
    hi = std::max(hi, at - cap);
  }
  BoundingCapsule out{box.center + lo * axis, box.center + hi * axis, 0.0};
  for (const Vec3& p : points) out.radius = std::max(out.radius, distance_from(p, out.a, out.b));
  out.radius += kRadiusRoom * (reach + core::norm(out.a) + core::norm(out.b));
  return out;
}

}  // namespace

BoundingCapsule bounding_capsule(std::span<const Vec3> points) {
  const core::OrientedBox box = box_around(points);
  BoundingCapsule best = along(box, 0, points);
  for (int i = 1; i < 3; ++i) {
    const BoundingCapsule other = along(box, i, points);
    if (size_of(other) < size_of(best)) best = other;
  }
  return best;
}

}  // namespace tocsin::scene
