// Links that hang on one joint, whose surfaces can be written down by hand.
#pragma once

#include <cmath>

#include "core/motion/link_motion.h"
#include "support/scenes/random_link.h"

namespace tocsin::test {

/// How a link moves: its joint turns by `angle` radians about `axis` (unit) and travels by
/// `travel`, metres, between two poses.
struct OneJoint {
  Vec3 a{};  ///< end points in the joint's frame, which is the world's at t = 0; metres
  Vec3 b{};
  Vec3 axis{0, 0, 1};
  double angle = 0.0;
  Vec3 travel{};
  double radius = 0.05;
  InBetween kind = InBetween::kTranslateRotate;
};

/// The joint moves from p0 to p1; coordinates are relative to `ref`.
inline void make_link(RandomLink& out, const Transform& p0, const Transform& p1, const Vec3& a,
                      const Vec3& b, double radius, InBetween kind = InBetween::kScrew,
                      const Vec3& ref = {}) {
  out.joints = {core::joint_motion(p0, p1, kind)};
  out.chain = {0};
  core::LinkMotion& link = out.link;
  link.joints = out.joints.data();
  link.chain = out.chain.data();
  link.chain_length = 1;
  link.kind = kind;
  link.a = a;
  link.b = b;
  link.radius = radius;
  link.ref = ref;
  core::set_bounds(link, core::extend({}, out.joints[0], kind, ref));
}

inline void make_link(RandomLink& out, const OneJoint& how) {
  Transform p1;
  const double s = std::sin(how.angle / 2);
  p1.rotation = {std::cos(how.angle / 2), s * how.axis.x, s * how.axis.y, s * how.axis.z};
  p1.translation = how.travel;
  make_link(out, {}, p1, how.a, how.b, how.radius, how.kind, out.link.ref);
}

}  // namespace tocsin::test
