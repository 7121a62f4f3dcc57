#include "pair_movers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/motion/joint_motion.h"
#include "core/vector/vec.h"

namespace tocsin::oracle::test {
namespace {

using core::cross;
using core::dot;
using core::norm;

constexpr double kHalfTurn = 3.141592653589793;

int joint_count(PairClass c, Random& random) {
  if (c == PairClass::kMix) return 1 + random.below(10);
  if (c == PairClass::kLongChains) return 1 + random.below(20);
  return random.chance(0.9) ? 1 + random.below(3) : 4 + random.below(4);
}

Vec3 place(PairClass c, Random& random) {
  if (c == PairClass::kFar100) return random.vector(100.0, 100.0);
  if (c == PairClass::kFar10km) return random.vector(1e4, 1e4);
  return random.vector(0.0, 3.0);
}

// The rotation from pose 0 to pose 1.
Quat turn(PairClass c, int joint, Random& random) {
  const bool half_turn = c == PairClass::kPi || c == PairClass::kBelowPi;
  if (half_turn && (joint == 0 || random.chance(0.3))) {
    const Vec3 u = random.direction();
    if (c == PairClass::kPi) return {0.0, u.x, u.y, u.z};
    return {0.5 * random.magnitude(1e-16, 1e-3), u.x, u.y, u.z};
  }
  if (random.chance(0.15)) return {};
  if (random.chance(0.1)) return random.rotation_by(random.magnitude(1e-12, 1e-3));
  return random.rotation_by(random.between(0.0, random.chance(0.2) ? kHalfTurn : 0.5));
}

Joined joined(PairClass c, int index, Random& random, bool still) {
  Joined j;
  if (!(c == PairClass::kPi && random.chance(0.8))) {
    j.p0.rotation = core::normalized(random.rotation());
  }
  j.p1.rotation = still ? j.p0.rotation : core::normalized(turn(c, index, random) * j.p0.rotation);
  j.p0.translation = index == 0 ? place(c, random) : random.vector(0.0, 0.5);
  if (c == PairClass::kFarRoots && index == 1) j.p0.translation = random.vector(5.0, 50.0);
  j.p1.translation = j.p0.translation;
  if (!still && random.chance(index == 0 ? 0.8 : 0.15)) {
    const Vec3 move = random.log_vector(1e-3, random.chance(0.1) ? 3.0 : 0.3);
    j.p1.translation = j.p1.translation + move;
  }
  return j;
}

double length_of(PairClass c, Random& random) {
  switch (c) {
    case PairClass::kThin:
      return random.between(0.3, 3.0);
    case PairClass::kTiny:
      return random.magnitude(1e-6, 1e-3);
    case PairClass::kHuge:
      return random.between(5.0, 20.0);
    default:
      return random.magnitude(0.02, 0.6);
  }
}

// A rod that turns about a point inside itself while that point hardly moves.
Mover pivoting(Random& random) {
  Mover m;
  Joined j;
  j.p0.rotation = core::normalized(random.rotation());
  j.p0.translation = place(PairClass::kPivoting, random);
  const double phi = random.between(0.0, 2.0 * kHalfTurn);
  const Vec3 about = core::rotate(j.p0.rotation, {std::cos(phi), std::sin(phi), 0.0});
  const Quat by = Random::rotation(about, random.between(0.2, kHalfTurn));
  j.p1 = {core::normalized(by * j.p0.rotation), j.p0.translation + random.log_vector(1e-4, 0.1)};
  m.joints = {j};
  m.kind = random.chance(0.5) ? InBetween::kScrew : InBetween::kTranslateRotate;
  m.a = {0.0, 0.0, -random.between(0.1, 1.0)};
  m.b = {0.0, 0.0, random.between(0.1, 1.0)};
  return m;
}

// The link of a mover that has its joints already.
void give_link(PairClass c, Mover& m, Random& random) {
  if (random.chance(0.5)) m.a = random.log_vector(1e-3, 0.3);
  const double l = length_of(c, random);
  m.b = m.a + random.vector(l, l);
}

Mover mover(PairClass c, Random& random, bool still) {
  Mover m;
  m.kind = random.chance(0.5) ? InBetween::kScrew : InBetween::kTranslateRotate;
  int joints = joint_count(c, random);
  if (c == PairClass::kFarRoots) joints = std::max(joints, 2);
  for (int i = 0; i < joints; ++i) m.joints.push_back(joined(c, i, random, still));
  give_link(c, m, random);
  return m;
}

// Two branches of one tree.
Two branches(PairClass c, Random& random) {
  Two two;
  Mover trunk;
  trunk.kind = random.chance(0.5) ? InBetween::kScrew : InBetween::kTranslateRotate;
  const int common = c == PairClass::kTogether ? 1 : 1 + random.below(6);
  for (int i = 0; i < common; ++i) trunk.joints.push_back(joined(c, i, random, false));
  if (c == PairClass::kTogether) {
    Joined& root = trunk.joints.front();
    root.p1.translation = root.p0.translation + random.log_vector(1.0, 30.0);
  }
  two.first = two.second = trunk;
  two.free_joint = static_cast<std::size_t>(common);
  for (Mover* m : {&two.first, &two.second}) {
    const int own = 1 + random.below(3);
    for (int i = 0; i < own; ++i) m->joints.push_back(joined(c, common + i, random, false));
    give_link(c, *m, random);
  }
  return two;
}

// One of two that swerve: on a circle about `centre` from its point opposite to n, where it
// accelerates along n. Tangential speed `speed`, across n.
Mover swerving(const Vec3& centre, const Vec3& n, const Vec3& about, double speed,
               const Vec3& drift, Random& random) {
  Mover m;
  const double arm = random.magnitude(0.3, 3.0);
  const Transform p0{core::normalized(random.rotation()), centre};
  const Quat by = Random::rotation(about, speed / arm);
  m.joints = {{p0, {core::normalized(by * p0.rotation), centre + drift}}};
  m.kind = InBetween::kTranslateRotate;  // a screw bends the drift
  if (drift == Vec3{} && random.chance(0.5)) m.kind = InBetween::kScrew;
  const Quat back = core::conjugate(p0.rotation);
  const double half = random.chance(0.5) ? 0.0 : random.magnitude(1e-3, 0.1);
  m.a = core::rotate(back, -arm * n - half * about);
  m.b = core::rotate(back, -arm * n + half * about);
  return m;
}

Two drawn(Random& random) {
  const Vec3 n = random.direction();
  const Vec3 about = any_across(random, n);
  const double speed = random.magnitude(0.02, 0.3);
  const Vec3 drift = random.chance(0.5) ? Vec3{} : random.log_vector(1e-3, 10.0);
  const Vec3 at = random.vector(0.0, 3.0);
  return {swerving(at, n, about, speed, drift, random),
          swerving(at, -n, -about, speed, drift, random), 0};
}

// Makes the second's axis parallel to the first's at time t, or nearly so.
void make_parallel(Two& two, double t, Random& random) {
  if (random.chance(0.4)) {  // exactly, as long as both turn as one: the same turns, links likewise
    two.second.joints = two.first.joints;
    two.second.kind = two.first.kind;
    two.second.a = two.first.a;
    const double times = std::ldexp(random.chance(0.5) ? 1.0 : -1.0, random.below(4) - 2);
    two.second.b = two.second.a + times * (two.first.b - two.first.a);
    Joined& root = two.second.joints.front();
    if (random.chance(0.7)) {
      root.p1.translation = root.p0.translation + random.log_vector(1e-3, 0.3);
    }
    return;
  }
  const Ends a = ends_at(two.first.axis(), t);
  const Ends b = ends_at(two.second.axis(), t);
  const Vec3 from = unit(b.b - b.a, {1.0, 0.0, 0.0});
  Vec3 to = unit(a.b - a.a, {1.0, 0.0, 0.0});
  if (random.chance(0.5)) to = -to;
  if (random.chance(0.5)) to = unit(to + random.log_vector(1e-16, 1e-3), to);
  const Vec3 axis = cross(from, to);
  const double angle = std::atan2(norm(axis), dot(from, to));
  two.second.turn(Random::rotation(unit(axis, any_across(random, from)), angle));
}

}  // namespace

Vec3 unit(const Vec3& v, const Vec3& otherwise) {
  const double l = norm(v);
  return l > 0.0 ? (1.0 / l) * v : otherwise;
}

Vec3 any_across(Random& random, const Vec3& n) {
  for (;;) {
    const Vec3 c = cross(n, random.direction());
    const double l = norm(c);
    if (l > 0.1) return (1.0 / l) * c;
  }
}

Vec3 to_vec3(const RealVec& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

Ends ends_at(const MovingAxis& axis, double t) {
  const LinkPath path = path_of(axis);
  const Axis<Real> at = path.at(t);
  return {path.origin() + to_vec3(at.a), path.origin() + to_vec3(at.b)};
}

Two make_two(PairClass c, double t, Random& random) {
  if (c == PairClass::kTogether || c == PairClass::kOneAvatar) return branches(c, random);
  if (c == PairClass::kDrawn) return drawn(random);
  if (c == PairClass::kPivotingBoth) return {pivoting(random), pivoting(random), 0};
  if (c == PairClass::kPivoting) return {pivoting(random), mover(c, random, false), 0};
  Two two;
  const bool still = c == PairClass::kStill;
  two.first = mover(c, random, still);
  two.second = mover(c, random, still || c == PairClass::kOneStill);
  if (c == PairClass::kOneStill && random.chance(0.5)) std::swap(two.first, two.second);
  if (c == PairClass::kParallel || c == PairClass::kCollinear) make_parallel(two, t, random);
  if (c == PairClass::kPoints) {
    const int which = random.below(3);
    if (which != 0) two.first.b = two.first.a;
    if (which != 1) two.second.b = two.second.a;
  }
  if (c == PairClass::kInside) {
    const double l = random.chance(0.2) ? 0.0 : random.magnitude(1e-4, 1e-2);
    two.second.b = two.second.a + random.vector(l, l);
  }
  return two;
}

}  // namespace tocsin::oracle::test
