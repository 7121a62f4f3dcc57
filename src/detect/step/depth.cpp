#include "detect/step/depth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>

#include "core/query/distance.h"
#include "detect/step/contact_at.h"

namespace tocsin::detect {

namespace {

/// What the tree's lower bounds and the distances below may differ by, in parts of the coordinates:
/// some hundred roundings. Larger: a few more triangles are looked at.
constexpr double kSlack = 0x1p-40;

/// The nearest of the triangles that were shown to it.
class NearestTriangle {
 public:
  /// slack: of all distances, metres.
  NearestTriangle(const Environment& environment, const Vec3& ref, const core::AxisState& axis,
                  double slack)
      : environment_(environment), ref_(ref), axis_(axis), slack_(slack) {}

  /// True if it is the nearest so far, or as near with a lower index.
  bool look_at(std::uint32_t triangle) {
    const core::Triangle corners = triangle_of(environment_, triangle, ref_);
    if (triangle_ && is_far(corners)) return false;
    const core::Closest c = core::closest_points(axis_.a, axis_.b, corners);
    if (triangle_ && std::pair(best_.squared, *triangle_) <= std::pair(c.squared, triangle)) {
      return false;
    }
    best_ = c;
    distance_ = std::sqrt(c.squared);
    triangle_ = triangle;
    return true;
  }
  [[nodiscard]] const core::Closest& closest() const { return best_; }
  [[nodiscard]] double distance() const { return distance_; }
  [[nodiscard]] std::uint32_t triangle() const { return triangle_.value_or(0); }
  [[nodiscard]] double slack() const { return slack_; }

 private:
  /// By the ball around the triangle's corners: a tenth of the work, and enough for most. Up to
  /// rounding, as in look_around().
  [[nodiscard]] bool is_far(const core::Triangle& t) const {
    const Vec3 centre = (1.0 / 3.0) * (t.v[0] + (t.v[1] + t.v[2]));
    double radius = 0.0;
    for (const Vec3& v : t.v) radius = std::max(radius, core::dot(v - centre, v - centre));
    const Vec3 d = axis_.b - axis_.a;
    const double dd = core::dot(d, d);
    const double s = dd > 0.0 ? core::clamp_to(core::dot(centre - axis_.a, d) / dd, 0.0, 1.0) : 0.0;
    const Vec3 apart = centre - (axis_.a + s * d);
    const double reach = distance_ + std::sqrt(radius) + slack_;
    return core::dot(apart, apart) > reach * reach;
  }

  const Environment& environment_;
  const Vec3& ref_;
  const core::AxisState& axis_;
  double slack_;
  core::Closest best_;
  double distance_ = 0.0;
  std::optional<std::uint32_t> triangle_;
};

/// The triangles, within their objects, that were nearest when this thread last asked. Any triangle
/// of the object bounds the distance. A near one only saves most of the walk, so the answer does
/// not depend on this.
class LastNearest {
 public:
  [[nodiscard]] std::uint32_t of(std::uint32_t index, const Object& object) const {
    const Entry& entry = entries_[index % kEntries];
    return entry.object == index && entry.triangle < object.triangle_count ? entry.triangle : 0;
  }
  void keep(std::uint32_t index, std::uint32_t triangle) {
    entries_[index % kEntries] = {index, triangle};
  }

 private:
  struct Entry {
    std::uint32_t object = 0;
    std::uint32_t triangle = 0;
  };
  /// One avatar touches a few objects at a time. Fewer: the walk begins far away more often.
  static constexpr std::size_t kEntries = 64;
  std::array<Entry, kEntries> entries_;
};

/// Looks at all triangles of the object that may be as near as the nearest. The tree's distances
/// are lower bounds, up to the slack. So a walk that found nothing nearer than what it began with,
/// up to the slack, has seen all of them; else there is another from there.
void look_around(const cpu::TreeCuller& tree, const Object& o, const Vec3& a, const Vec3& b,
                 NearestTriangle& nearest) {
  const double slack = nearest.slack();
  for (bool again = true; again;) {
    again = false;
    const double begin = nearest.distance();
    std::ignore = tree.nearest(a, b, begin + slack, [&](std::uint32_t t) {
      if (t < o.first_triangle || t - o.first_triangle >= o.triangle_count) return false;
      if (!nearest.look_at(t) || nearest.distance() + slack >= begin) return false;
      again = true;
      return true;
    });
  }
}

}  // namespace

Depth depth_in(const cpu::TreeCuller& tree, const Environment& environment, std::uint32_t object,
               const core::LinkMotion& motion, const core::AxisState& axis, bool inside) {
  thread_local LastNearest last;
  const Object& o = environment.objects()[object];
  const Vec3 a = motion.ref + axis.a;
  const Vec3 b = motion.ref + axis.b;
  const double reach = core::norm(a) + core::norm(b) + core::norm(motion.ref) +
                       core::farthest_corner(motion.ref, tree.bounds());
  NearestTriangle nearest(environment, motion.ref, axis, kSlack * reach);
  nearest.look_at(o.first_triangle + last.of(object, o));
  look_around(tree, o, a, b, nearest);
  Depth out;
  out.distance = nearest.distance();
  out.triangle = nearest.triangle() - o.first_triangle;
  last.keep(object, out.triangle);
  out.point = motion.ref + nearest.closest().x;
  out.inside = inside;
  out.depth = inside ? motion.radius + out.distance : motion.radius - out.distance;
  return out;
}

}  // namespace tocsin::detect
