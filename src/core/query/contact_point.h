// Point and normal of a contact whose triangle (or other link) and times are known.
#pragma once

#include <cmath>

#include "core/motion/link_motion.h"
#include "core/query/axis_pair.h"
#include "core/query/distance.h"
#include "core/query/link_pair.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A triangle given in the world frame, as seen from ref; metres.
TOCSIN_HD constexpr Triangle triangle_seen_from(const Vec3& ref, const Vec3f& a, const Vec3f& b,
                                                const Vec3f& c) {
  return {{to_double(a) - ref, to_double(b) - ref, to_double(c) - ref}};
}

/// World, metres.
struct ContactPoint {
  Vec3 point;
  Vec3 normal;              ///< of unit length
  bool has_normal = false;  ///< false: both meet, up to rounding, and `normal` is zero
};

/// On the triangle (relative to motion.ref), nearest to the axis; the normal points to the axis.
/// axis: evaluate(motion, lo) of the contact's bracket.
TOCSIN_HD inline ContactPoint contact_point(const LinkMotion& motion, const AxisState& axis,
                                            const Triangle& triangle) {
  const Closest c = closest_points(axis.a, axis.b, triangle);
  const double distance = std::sqrt(c.squared);
  ContactPoint out;
  out.point = motion.ref + c.x;
  const double reach =
      max_of(norm(triangle.v[0]), max_of(norm(triangle.v[1]), norm(triangle.v[2])));
  // Nearer than eta the direction is rounding.
  if (distance > rounding_margin(motion, reach)) {
    out.normal = (1.0 / distance) * (c.y - c.x);
    out.has_normal = true;
  }
  return out;
}

/// On the other link's surface, on the line between the axes' nearest points (on both axes where
/// they meet); the normal points to `link`. a, b: the axes at lo, each relative to its link's ref.
TOCSIN_HD inline ContactPoint contact_point(const LinkMotion& link, const AxisState& a,
                                            const LinkMotion& other, const AxisState& b) {
  const ClosestPair c = closest_points(a, detail::carried(b, other.ref - link.ref));
  const double distance = std::sqrt(c.squared);
  ContactPoint out;
  if (distance > rounding_margin(link, other)) {
    out.normal = (1.0 / distance) * (c.y - c.x);
    out.has_normal = true;
    out.point = link.ref + (c.x + other.radius * out.normal);
  } else {
    out.point = link.ref + c.x;
  }
  return out;
}

}  // namespace tocsin::core
