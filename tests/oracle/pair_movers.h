// Links and their motions, for the queries of pairs: as poses, so that they can be moved elsewhere
// before they become the stored parameters of a step.
#pragma once

#include <cstddef>
#include <vector>

#include "core/motion/joint_motion.h"
#include "core/vector/vec.h"
#include "oracle/verify_bracket.h"
#include "pair_generator.h"
#include "random.h"
#include "tocsin/types.h"

namespace tocsin::oracle::test {

/// A joint's poses at both ends of a step.
struct Joined {
  Transform p0;
  Transform p1;
};

/// A link with its chain of joints.
struct Mover {
  std::vector<Joined> joints;  ///< root first
  InBetween kind = InBetween::kScrew;
  Vec3 a;
  Vec3 b;

  /// Moves joint `at`, with all that hangs on it, by `by` in its parent's frame, at all times.
  void shift(std::size_t at, const Vec3& by) {
    joints[at].p0.translation = joints[at].p0.translation + by;
    joints[at].p1.translation = joints[at].p1.translation + by;
  }
  /// Turns everything about the world's origin.
  void turn(const Quat& by) {
    for (Transform* p : {&joints.front().p0, &joints.front().p1}) {
      p->rotation = core::normalized(by * p->rotation);
      p->translation = core::rotate(by, p->translation);
    }
  }
  [[nodiscard]] MovingAxis axis() const {
    MovingAxis out{{}, kind, a, b, 0.0};
    for (const Joined& j : joints) out.chain.push_back(core::joint_motion(j.p0, j.p1, kind));
    return out;
  }
};

/// End points of an axis at one time, world frame, metres.
struct Ends {
  Vec3 a;
  Vec3 b;
  [[nodiscard]] Vec3 at(double s) const { return a + s * (b - a); }
};

/// The axis at one time, world frame.
Ends ends_at(const MovingAxis& axis, double t);

/// Both links of a query.
struct Two {
  Mover first;
  Mover second;
  std::size_t free_joint = 0;  ///< of the second: the first joint that is not the first's as well

  [[nodiscard]] PairQuery query() const { return {first.axis(), second.axis()}; }
};

/// Two links of a class, somewhere; `t`: when they shall meet.
Two make_two(PairClass c, double t, Random& random);

/// A unit vector along v; `otherwise` if v is zero.
Vec3 unit(const Vec3& v, const Vec3& otherwise);
/// Some unit vector across n.
Vec3 any_across(Random& random, const Vec3& n);
Vec3 to_vec3(const RealVec& v);

}  // namespace tocsin::oracle::test
