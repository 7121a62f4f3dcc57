#include "detect/step/depth.h"

#include <array>
#include <cstddef>
#include <tuple>

#include "detect/nearest/nearest_triangle.h"

namespace tocsin::detect {

namespace {

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
  NearestTriangle nearest(environment, motion.ref, axis,
                          slack_around(motion.ref, axis, tree.bounds()));
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
