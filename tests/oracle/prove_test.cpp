// Proofs over intervals of time: motions whose first touch is known in closed form, and the plain
// Lipschitz test against the one with planes.
#include "oracle/prove.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/motion/joint_motion.h"
#include "query_generator.h"

namespace tocsin::oracle::test::prove_test {
namespace {

constexpr std::int64_t kBudget = 200000;
// A few times the slack of these small scenes, over their speeds.
constexpr double kClose = 2e-15;
constexpr double kPi = 3.141592653589793;

// A triangle in the plane y = height.
std::array<Vec3f, 3> floor_at(float height) {
  return {Vec3f{-2.0F, height, -2.0F}, Vec3f{2.0F, height, -2.0F}, Vec3f{0.0F, height, 2.0F}};
}

struct OneJoint {
  core::JointMotion motion;
  LinkPath path;
  OneJoint(const Transform& p0, const Transform& p1, InBetween kind, const Vec3& a, const Vec3& b)
      : motion(core::joint_motion(p0, p1, kind)), path({&motion, 1}, kind, a, b) {}
};

void expect_first_touch(Prover& prover, double expected) {
  const Proof proof = prover.first_touch(0.0L, 1.0L, 1e-15L, kBudget);
  ASSERT_EQ(proof.kind, Proof::Kind::kTouch);
  EXPECT_NEAR(static_cast<double>(proof.time), expected, kClose);
  EXPECT_NEAR(static_cast<double>(proof.from), expected, kClose);
  EXPECT_LE(proof.from, proof.time);
  EXPECT_TRUE(prover.touches(proof.time));
}

TEST(OracleProof, ASphereFallsOnTheFloor) {
  for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    const OneJoint fall({{}, {0.0, 1.0, 0.0}}, {{}, {0.0, 0.0, 0.0}}, kind, {}, {});
    Prover prover(fall.path, floor_at(0.0F), 0.25L);
    expect_first_touch(prover, 0.75);
    EXPECT_EQ(prover.prove_free(0.0L, 0.75L - 1e-15L, kBudget).kind, Proof::Kind::kFree);
  }
}

TEST(OracleProof, APivotingLinkTouchesAtAKnownAngle) {
  // The tip rises as sin(t pi / 2); with radius 0.1 it meets the ceiling at 0.6 where the sine is
  // 1/2.
  const OneJoint turn({}, {{std::cos(kPi / 4), 0.0, 0.0, std::sin(kPi / 4)}, {}}, InBetween::kScrew,
                      {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0});
  const float height = 0.625F;
  Prover prover(turn.path, floor_at(height), 0.125L);
  expect_first_touch(prover, 1.0 / 3.0);
}

TEST(OracleProof, AScrewGoesRoundWhereTranslateRotateGoesStraight) {
  // Half a turn about z carries (1, 0, 0) to (-1, 0, 0).
  const Transform p0{{}, {1.0, 0.0, 0.0}};
  const Transform p1{{0.0, 0.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}};
  const OneJoint screw(p0, p1, InBetween::kScrew, {}, {});
  const OneJoint straight(p0, p1, InBetween::kTranslateRotate, {}, {});
  Prover above(screw.path, floor_at(0.75F), 0.25L);
  expect_first_touch(above, 1.0 / 6.0);
  Prover missed(straight.path, floor_at(0.75F), 0.25L);
  EXPECT_EQ(missed.prove_free(0.0L, 1.0L, kBudget).kind, Proof::Kind::kFree);

  // A wall across the middle of the straight way.
  const std::array<Vec3f, 3> wall{{{0.0F, -0.5F, -0.5F}, {0.0F, -0.5F, 0.5F}, {0.0F, 0.5F, 0.0F}}};
  Prover into(straight.path, wall, 0.25L);
  expect_first_touch(into, 0.375);
  Prover round(screw.path, wall, 0.25L);
  EXPECT_EQ(round.prove_free(0.0L, 1.0L, kBudget).kind, Proof::Kind::kFree);
}

TEST(OracleProof, ATouchThatOnlyJustHappensIsFound) {
  // Up and down again along a half circle of radius 1: the top is at t = 1/2.
  const OneJoint arc({{}, {1.0, 0.0, 0.0}}, {{0.0, 0.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}},
                     InBetween::kScrew, {}, {});
  for (const Real deep : {1e-3L, 1e-8L, 1e-13L}) {
    Prover touching(arc.path, floor_at(1.5F), 0.5L + deep);
    const Proof proof = touching.prove_free(0.0L, 1.0L, kBudget);
    ASSERT_EQ(proof.kind, Proof::Kind::kTouch);
    EXPECT_NEAR(static_cast<double>(proof.time), 0.5, std::sqrt(static_cast<double>(deep)));
    Prover clear(arc.path, floor_at(1.5F), 0.5L - deep);
    EXPECT_EQ(clear.prove_free(0.0L, 1.0L, kBudget).kind, Proof::Kind::kFree);
    EXPECT_LT(clear.evaluations(), 200);
  }
}

TEST(OracleProof, TooCloseToCallIsSaidToBe) {
  const OneJoint still({{}, {0.0, 1.0, 0.0}}, {{}, {0.0, 1.0, 0.0}}, InBetween::kScrew, {}, {});
  Prover exact(still.path, floor_at(0.0F), 1.0L);
  EXPECT_EQ(exact.prove_free(0.0L, 1.0L, kBudget).kind, Proof::Kind::kUndecided);
  Prover touching(still.path, floor_at(0.0F), 1.0L + 2.0L * exact.slack());
  EXPECT_EQ(touching.prove_free(0.0L, 1.0L, kBudget).kind, Proof::Kind::kTouch);
  Prover free(still.path, floor_at(0.0F), 1.0L - 2.0L * exact.slack());
  EXPECT_EQ(free.prove_free(0.0L, 1.0L, kBudget).kind, Proof::Kind::kFree);
}

TEST(OracleProof, ABudgetEndsAProof) {
  const OneJoint fall({{}, {0.0, 1.0, 0.0}}, {{}, {0.5, 0.0, 0.0}}, InBetween::kScrew, {}, {});
  Prover prover(fall.path, floor_at(0.0F), 0.25L, Tests::kLipschitz);
  const Proof proof = prover.prove_free(0.0L, 0.75L - 1e-12L, 5);
  EXPECT_EQ(proof.kind, Proof::Kind::kUndecided);
  EXPECT_LT(proof.from, proof.to);
}

// The plain test is the base: where it decides, the one with planes must say the same.
TEST(OracleProof, PlanesNeverContradictThePlainTest) {
  int decided = 0;
  for (int c = 0; c < kClassCount; ++c) {
    const QueryGenerator generator(static_cast<QueryClass>(c), 41);
    for (std::uint64_t i = 0; i < 60; ++i) {
      const LinkQuery q = generator.make(i);
      const LinkPath path(q.chain, q.kind, q.a, q.b);
      Prover plain(path, q.triangle, q.radius, Tests::kLipschitz);
      Prover planes(path, q.triangle, q.radius);
      const Proof slow = plain.prove_free(0.0L, 1.0L, 4000);
      const Proof quick = planes.prove_free(0.0L, 1.0L, kBudget);
      if (slow.kind == Proof::Kind::kUndecided) continue;
      ++decided;
      EXPECT_EQ(quick.kind, slow.kind) << name_of(static_cast<QueryClass>(c)) << " " << i;
    }
  }
  EXPECT_GT(decided, kClassCount * 60 / 2);
}

// Whatever is proved free stays free where it is looked at.
TEST(OracleProof, ProvedFreeIsFreeWhereverSampled) {
  for (int c = 0; c < kClassCount; ++c) {
    const QueryGenerator generator(static_cast<QueryClass>(c), 42);
    for (std::uint64_t i = 0; i < 40; ++i) {
      const LinkQuery q = generator.make(i);
      const LinkPath path(q.chain, q.kind, q.a, q.b);
      Prover prover(path, q.triangle, q.radius);
      const Proof proof = prover.first_touch(0.0L, 1.0L, 1e-9L, kBudget);
      const Real until = proof.kind == Proof::Kind::kFree ? 1.0L : proof.from;
      for (int k = 0; k < 50; ++k) {
        const Real t = until * static_cast<Real>(k) / 50.0L;
        if (!(t < until)) break;
        EXPECT_FALSE(prover.touches(t)) << name_of(static_cast<QueryClass>(c)) << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace tocsin::oracle::test::prove_test
