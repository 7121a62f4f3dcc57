#include "detect/contact_at.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cpu/kernels.h"

namespace tocsin::detect {

core::Triangle triangle_of(const Environment& environment, std::uint32_t triangle,
                           const Vec3& ref) {
  const std::array<Vec3f, 3> v = environment.corners(triangle);
  return {{core::to_double(v[0]) - ref, core::to_double(v[1]) - ref, core::to_double(v[2]) - ref}};
}

void set_point(Contact& contact, const Environment& environment, const core::LinkMotion& motion,
               const core::AxisState& axis) {
  const std::uint32_t first = environment.objects()[contact.object].first_triangle;
  const core::Triangle triangle = triangle_of(environment, first + contact.triangle, motion.ref);
  const core::Closest c = core::closest_points(axis.a, axis.b, triangle);
  const double distance = std::sqrt(c.squared);
  contact.point = motion.ref + c.x;
  // Nearer than eta the direction is rounding: the axis meets the triangle as far as anyone can
  // tell.
  const double reach =
      std::max({core::norm(triangle.v[0]), core::norm(triangle.v[1]), core::norm(triangle.v[2])});
  if (distance > core::rounding_margin(motion, reach)) {
    contact.normal = (1.0 / distance) * (c.y - c.x);
  }
}

Contact contact_of(std::int32_t link, std::uint32_t object, const Environment& environment,
                   const core::LinkMotion& motion, const core::AxisState& at0,
                   const PairContact& pair) {
  Contact out{link, object, pair.triangle(), pair.status(), {pair.lo(), pair.hi()},
              {},   {},     pair.limited()};
  set_point(out, environment, motion, pair.lo() > 0.0 ? cpu::evaluate(motion, pair.lo()) : at0);
  return out;
}

}  // namespace tocsin::detect
