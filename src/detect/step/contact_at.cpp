#include "detect/step/contact_at.h"

#include <array>

#include "cpu/kernels/kernels.h"

namespace tocsin::detect {

core::Triangle triangle_of(const Environment& environment, std::uint32_t triangle,
                           const Vec3& ref) {
  const std::array<Vec3f, 3> v = environment.corners(triangle);
  return core::triangle_seen_from(ref, v[0], v[1], v[2]);
}

void set_place(Contact& contact, const core::ContactPoint& at) {
  contact.point = at.point;
  if (at.has_normal) contact.normal = at.normal;
}

void set_point(Contact& contact, const Environment& environment, const core::LinkMotion& motion,
               const core::AxisState& axis) {
  const auto& [object, triangle] = *contact.room();
  const std::uint32_t first = environment.objects()[object].first_triangle;
  set_place(contact, core::contact_point(motion, axis,
                                         triangle_of(environment, first + triangle, motion.ref)));
}

Contact contact_of(std::int32_t link, std::uint32_t object, const Environment& environment,
                   const core::LinkMotion& motion, const core::AxisState& at0,
                   const PairContact& pair) {
  Contact out;
  out.link = link;
  out.touched = RoomTriangle{object, pair.triangle()};
  pair.set(out);
  set_point(out, environment, motion,
            pair.place_time() > 0.0 ? cpu::evaluate(motion, pair.place_time()) : at0);
  return out;
}

}  // namespace tocsin::detect
