#include "detect/step/depth.h"

#include <cmath>
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
  NearestTriangle(const Environment& environment, const Vec3& ref, const core::AxisState& axis)
      : environment_(environment), ref_(ref), axis_(axis) {}

  void look_at(std::uint32_t triangle) {
    const core::Closest c =
        core::closest_points(axis_.a, axis_.b, triangle_of(environment_, triangle, ref_));
    if (triangle_ && std::pair(best_.squared, *triangle_) <= std::pair(c.squared, triangle)) return;
    best_ = c;
    triangle_ = triangle;
  }
  [[nodiscard]] const core::Closest& closest() const { return best_; }
  [[nodiscard]] std::uint32_t triangle() const { return triangle_.value_or(0); }

 private:
  const Environment& environment_;
  const Vec3& ref_;
  const core::AxisState& axis_;
  core::Closest best_;
  std::optional<std::uint32_t> triangle_;
};

}  // namespace

Depth depth_in(const cpu::TreeCuller& tree, const Environment& environment, std::uint32_t object,
               const core::LinkMotion& motion, const core::AxisState& axis, bool inside) {
  const Object& o = environment.objects()[object];
  const auto belongs = [&](std::uint32_t t) {
    return o.first_triangle <= t && t < o.first_triangle + o.triangle_count;
  };
  const Vec3 a = motion.ref + axis.a;
  const Vec3 b = motion.ref + axis.b;
  NearestTriangle nearest(environment, motion.ref, axis);
  std::ignore = tree.nearest(a, b, HUGE_VAL, [&](std::uint32_t t) {
    if (!belongs(t)) return false;
    nearest.look_at(t);
    return true;
  });
  // The tree's distances are lower bounds. So all triangles that may be as near as the best are
  // looked at, whatever the tree.
  const double reach = core::norm(a) + core::norm(b) + core::norm(motion.ref) +
                       core::farthest_corner(motion.ref, tree.bounds());
  const double limit = std::sqrt(nearest.closest().squared) + kSlack * reach;
  std::ignore = tree.nearest(a, b, limit, [&](std::uint32_t t) {
    if (belongs(t)) nearest.look_at(t);
    return false;
  });
  Depth out;
  out.distance = std::sqrt(nearest.closest().squared);
  out.triangle = nearest.triangle() - o.first_triangle;
  out.point = motion.ref + nearest.closest().x;
  out.inside = inside;
  out.depth = inside ? motion.radius + out.distance : motion.radius - out.distance;
  return out;
}

}  // namespace tocsin::detect
