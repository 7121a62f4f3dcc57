// Links that hang on one joint, whose surfaces can be written down by hand.
#pragma once

#include <cmath>

#include "core/link_motion.h"
#include "support/random_link.h"

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

inline void make_link(RandomLink& out, const OneJoint& how) {
  Transform p1;
  const double s = std::sin(how.angle / 2);
  p1.rotation = {std::cos(how.angle / 2), s * how.axis.x, s * how.axis.y, s * how.axis.z};
  p1.translation = how.travel;
  out.joints = {core::joint_motion({}, p1, how.kind)};
  out.chain = {0};
  core::LinkMotion& link = out.link;
  link.joints = out.joints.data();
  link.chain = out.chain.data();
  link.chain_length = 1;
  link.kind = how.kind;
  link.a = how.a;
  link.b = how.b;
  link.radius = how.radius;
  core::set_bounds(link, core::extend({}, out.joints[0], how.kind, link.ref));
}

}  // namespace tocsin::test
