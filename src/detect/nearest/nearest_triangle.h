// The nearest of some triangles of the room to a link's axis.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/query/distance.h"
#include "detect/step/contact_at.h"
#include "tocsin/environment.h"

namespace tocsin::detect {

/// What a tree's lower bounds, boxes' distances and computed distances may differ by, in parts of
/// the coordinates: some hundred roundings. Larger: a few more triangles and features are looked
/// at.
inline constexpr double kNearSlack = 0x1p-40;

/// True if the triangle is surely, up to rounding, farther than `reach` metres from the axis: by
/// the ball around its corners. A tenth of the work of its distance, and enough for most. Both are
/// relative to one point.
inline bool is_far(const core::AxisState& axis, const core::Triangle& t, double reach) {
  const Vec3 centre = (1.0 / 3.0) * (t.v[0] + (t.v[1] + t.v[2]));
  double radius = 0.0;
  for (const Vec3& v : t.v) radius = std::max(radius, core::dot(v - centre, v - centre));
  const Vec3 d = axis.b - axis.a;
  const double dd = core::dot(d, d);
  const double s = dd > 0.0 ? core::clamp_to(core::dot(centre - axis.a, d) / dd, 0.0, 1.0) : 0.0;
  const Vec3 apart = centre - (axis.a + s * d);
  const double most = reach + std::sqrt(radius);
  return core::dot(apart, apart) > most * most;
}

/// The nearest of the triangles that were shown to it; of several as near the one of the least
/// index, whatever the order. Refers to its arguments.
class NearestTriangle {
 public:
  /// axis: relative to ref. slack: of all distances, metres (kNearSlack). limit: those that are
  /// farther need not be found, metres.
  NearestTriangle(const Environment& environment, const Vec3& ref, const core::AxisState& axis,
                  double slack, double limit = HUGE_VAL)
      : environment_(environment), ref_(ref), axis_(axis), slack_(slack), distance_(limit) {}

  /// Takes an index into the environment. True if it is the nearest so far, or as near with a lower
  /// index.
  bool look_at(std::uint32_t triangle) {
    const core::Triangle corners = triangle_of(environment_, triangle, ref_);
    if (is_far(axis_, corners, distance_ + slack_)) return false;
    const core::Closest c = core::closest_points(axis_.a, axis_.b, corners);
    if (any_ && std::pair(best_.squared, triangle_) <= std::pair(c.squared, triangle)) return false;
    best_ = c;
    distance_ = std::sqrt(c.squared);
    triangle_ = triangle;
    any_ = true;
    return true;
  }
  [[nodiscard]] bool any() const { return any_; }
  /// Precondition of these: any().
  [[nodiscard]] const core::Closest& closest() const { return best_; }
  [[nodiscard]] double distance() const { return distance_; }
  [[nodiscard]] std::uint32_t triangle() const { return triangle_; }
  [[nodiscard]] double slack() const { return slack_; }

 private:
  const Environment& environment_;
  const Vec3& ref_;
  const core::AxisState& axis_;
  double slack_;
  core::Closest best_;
  double distance_;
  std::uint32_t triangle_ = 0;
  bool any_ = false;
};

/// The slack of the distances of an axis and triangles in a box, metres.
inline double slack_around(const Vec3& ref, const core::AxisState& axis, const core::Box& room) {
  const double reach = core::norm(ref + axis.a) + core::norm(ref + axis.b) + core::norm(ref) +
                       core::farthest_corner(ref, room);
  return kNearSlack * reach;
}

}  // namespace tocsin::detect
