// Both in-between motions against Eigen, from the definitions of paper 004, section 4.
#include "core/motion/joint_motion.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "core/motion/link_motion.h"
#include "support/scenes/random_link.h"

namespace tocsin::core::joint_motion_test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

Vector3d eigen(const Vec3& v) { return {v.x, v.y, v.z}; }
Quaterniond eigen(const Quat& q) { return {q.w, q.x, q.y, q.z}; }

/// Where a one-joint link's end `a` is at time t.
Vector3d position(const test::RandomLink& r, double t) {
  return eigen(evaluate(r.link, t).a) + eigen(r.link.ref);
}

/// eq. 6-9: R(u, wt) R0 l + c + t s.
Vector3d translate_rotate(const test::RandomLink& r, double t) {
  const Quaterniond q0 = eigen(r.pose0[0].rotation);
  const AngleAxisd turn(eigen(r.pose1[0].rotation) * q0.conjugate());
  const Vector3d c0 = eigen(r.pose0[0].translation);
  const Vector3d c1 = eigen(r.pose1[0].translation);
  return AngleAxisd(t * turn.angle(), turn.axis()) * (q0 * eigen(r.link.a)) + c0 + t * (c1 - c0);
}

/// The screw that maps one pose to the other, by its axis point: x -> q + R(u, wt)(x - q) + t h u.
Vector3d screw(const test::RandomLink& r, double t) {
  const Quaterniond q0 = eigen(r.pose0[0].rotation);
  const AngleAxisd turn(eigen(r.pose1[0].rotation) * q0.conjugate());
  const Vector3d u = turn.axis();
  const double w = turn.angle();
  const Vector3d c0 = eigen(r.pose0[0].translation);
  const Vector3d s = eigen(r.pose1[0].translation) - c0;
  const double h = s.dot(u);
  const Vector3d across = s - h * u;
  // c1 - q = R (c0 - q) + h u has this solution perpendicular to u (half-angle formula).
  const Vector3d q = c0 + 0.5 * across + 0.5 / std::tan(w / 2) * u.cross(across);
  const Vector3d x = q0 * eigen(r.link.a) + c0;
  return q + AngleAxisd(t * w, u) * (x - q) + t * h * u;
}

TEST(JointMotion, TranslateRotateIsThePapers) {
  test::RandomLinks random(11);
  for (int i = 0; i < 3000; ++i) {
    test::RandomLink r;
    random.make(r, 1, InBetween::kTranslateRotate, 1.0, 3.1, 2.0, 10.0);
    const double t = random.uniform(0, 1);
    EXPECT_LT((position(r, t) - translate_rotate(r, t)).norm(), 1e-12);
  }
}

TEST(JointMotion, ScrewTurnsAboutOneAxis) {
  test::RandomLinks random(12);
  for (int i = 0; i < 3000; ++i) {
    test::RandomLink r;
    random.make(r, 1, InBetween::kScrew, 1.0, 3.1, 2.0, 10.0);
    if (r.joints[0].w < 1e-2) continue;  // Eigen's axis point loses its digits there; ours must not
    const double t = random.uniform(0, 1);
    EXPECT_LT((position(r, t) - screw(r, t)).norm(), 1e-10);
  }
}

TEST(JointMotion, BothStartAndEndAtThePoses) {
  test::RandomLinks random(13);
  for (int i = 0; i < 4000; ++i) {
    const InBetween kind = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate;
    // Turns from nothing at all to just below pi, on all scales.
    const double turn = i % 4 < 2 ? 3.14159 : std::exp2(-random.uniform(0, 60));
    test::RandomLink r;
    random.make(r, 1, kind, 1.0, turn, 2.0, 10.0);
    const Vector3d start =
        eigen(r.pose0[0].rotation) * eigen(r.link.a) + eigen(r.pose0[0].translation);
    const Vector3d end =
        eigen(r.pose1[0].rotation) * eigen(r.link.a) + eigen(r.pose1[0].translation);
    EXPECT_LT((position(r, 0) - start).norm(), 1e-14);
    EXPECT_LT((position(r, 1) - end).norm(), 4e-14);
  }
}

TEST(JointMotion, HalfATurnAndNoTurn) {
  Transform p0;
  Transform p1;
  p1.rotation = {0.0, 0.0, 1.0, 0.0};  // pi about y
  p1.translation = {2.0, 1.0, 0.0};
  const JointMotion half = joint_motion(p0, p1, InBetween::kScrew);
  EXPECT_EQ(half.w, kPi);
  EXPECT_EQ(half.h, 1.0);
  // Half a turn about the vertical axis through (1, 0, 0): starts towards -z or +z at speed pi/2
  // * 2.
  EXPECT_NEAR(half.v.x, 0.0, 1e-15);
  EXPECT_NEAR(std::fabs(half.v.z), kPi, 1e-14);

  p1.rotation = {};
  const JointMotion none = joint_motion(p0, p1, InBetween::kScrew);
  EXPECT_EQ(none.w, 0.0);
  EXPECT_EQ(none.u, (Vec3{1.0, 0.0, 0.0}));
  EXPECT_EQ(none.h, 2.0);
  EXPECT_EQ(none.v, (Vec3{0.0, 1.0, 0.0}));
}

TEST(JointMotion, TakesTheShorterWayRound) {
  Transform p0;
  Transform p1;
  p1.rotation = {-std::cos(0.1), 0.0, 0.0, -std::sin(0.1)};  // the other sign of 0.2 about z
  const JointMotion m = joint_motion(p0, p1, InBetween::kScrew);
  EXPECT_NEAR(m.w, 0.2, 1e-15);
  EXPECT_NEAR(m.u.z, 1.0, 1e-15);
}

TEST(JointMotion, ARotationBelowUnderflowIsNone) {
  Transform p0;
  Transform p1;
  p1.rotation = {1.0, 1e-200, 0.0, 0.0};
  const JointMotion m = joint_motion(p0, p1, InBetween::kScrew);
  EXPECT_EQ(m.w, 0.0);
  EXPECT_TRUE(is_finite(m.v));
}

}  // namespace
}  // namespace tocsin::core::joint_motion_test
