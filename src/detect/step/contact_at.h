// What a report says of a contact beyond its times: where it is.
#pragma once

#include <cstdint>
#include <tuple>

#include "core/motion/link_motion.h"
#include "core/query/contact_point.h"
#include "core/query/distance.h"
#include "detect/step/pair_contact.h"
#include "tocsin/contact.h"
#include "tocsin/environment.h"

namespace tocsin::detect {

/// A triangle of the environment relative to ref.
core::Triangle triangle_of(const Environment& environment, std::uint32_t triangle, const Vec3& ref);

/// Sets point and normal.
void set_place(Contact& contact, const core::ContactPoint& at);

/// Sets point and normal of a contact with a triangle, whose times are known. axis:
/// evaluate(motion, contact.place_time()).
void set_point(Contact& contact, const Environment& environment, const core::LinkMotion& motion,
               const core::AxisState& axis);

/// The contact of a pair. at0: evaluate(motion, 0).
Contact contact_of(std::int32_t link, std::uint32_t object, const Environment& environment,
                   const core::LinkMotion& motion, const core::AxisState& at0,
                   const PairContact& pair);

/// Contacts::kFirst: the pair before which the least of the step is proved free.
inline auto order_of_first(const Contact& c) {
  return std::tuple(c.toc[0], c.toc[1], c.link, c.touched);
}

}  // namespace tocsin::detect
