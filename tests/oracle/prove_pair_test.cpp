// Proofs about two links: motions whose first touch is known in closed form, and the plain
// Lipschitz test against the one with planes.
#include "oracle/prove_pair.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/motion/joint_motion.h"
#include "oracle/verify_bracket.h"
#include "pair_generator.h"

namespace tocsin::oracle::test::prove_pair_test {
namespace {

constexpr std::int64_t kBudget = 200000;
// A few times the slack of these small scenes, over their speeds.
constexpr double kClose = 4e-15;
constexpr double kPi = 3.141592653589793;

MovingAxis moving(const Transform& p0, const Transform& p1, InBetween kind, const Vec3& a,
                  const Vec3& b, double radius) {
  return {{core::joint_motion(p0, p1, kind)}, kind, a, b, radius};
}

// A quarter turn about z.
const Quat kQuarter{std::cos(kPi / 4), 0.0, 0.0, std::sin(kPi / 4)};

void expect_first_touch(const PairQuery& q, double expected) {
  for (const bool swapped : {false, true}) {
    const LinkPath first = path_of(swapped ? q.second : q.first);
    const LinkPath second = path_of(swapped ? q.first : q.second);
    PairProver prover(first, second, radius_of(q));
    const Proof proof = prover.first_touch(0.0L, 1.0L, 1e-15L, kBudget);
    ASSERT_EQ(proof.kind, Proof::Kind::kTouch);
    EXPECT_NEAR(static_cast<double>(proof.time), expected, kClose);
    EXPECT_NEAR(static_cast<double>(proof.from), expected, kClose);
    EXPECT_LE(proof.from, proof.time);
    EXPECT_TRUE(prover.touches(proof.time));
  }
}

bool proved_free(const PairQuery& q) {
  const LinkPath first = path_of(q.first);
  const LinkPath second = path_of(q.second);
  PairProver prover(first, second, radius_of(q));
  return prover.prove_free(0.0L, 1.0L, kBudget).kind == Proof::Kind::kFree;
}

constexpr InBetween kKinds[] = {InBetween::kScrew, InBetween::kTranslateRotate};

TEST(OraclePairProof, TwoSpheresMeetHalfway) {
  for (const InBetween kind : kKinds) {
    // They close 4 m at speed 3 + 2, and touch at 0.5 + 0.25.
    const PairQuery q{moving({{}, {-2.0, 0.0, 0.0}}, {{}, {1.0, 0.0, 0.0}}, kind, {}, {}, 0.5),
                      moving({{}, {2.0, 0.0, 0.0}}, {{}, {0.0, 0.0, 0.0}}, kind, {}, {}, 0.25)};
    expect_first_touch(q, 3.25 / 5.0);
  }
}

TEST(OraclePairProof, WhatTheyHaveInCommonDoesNotCount) {
  for (const InBetween kind : kKinds) {
    // Both rush by 1000 m; one comes nearer by 1 m.
    const PairQuery q{moving({{}, {0.0, 0.0, 0.0}}, {{}, {1000.0, 0.0, 0.0}}, kind, {}, {}, 0.25),
                      moving({{}, {0.0, 2.0, 0.0}}, {{}, {1000.0, 1.0, 0.0}}, kind, {}, {}, 1.25)};
    PairQuery nearly = q;
    nearly.second.radius = 0.7499;
    EXPECT_TRUE(proved_free(nearly));
    const LinkPath first = path_of(q.first);
    const LinkPath second = path_of(q.second);
    PairProver prover(first, second, radius_of(q));
    const Proof proof = prover.first_touch(0.0L, 1.0L, 1e-13L, kBudget);
    ASSERT_EQ(proof.kind, Proof::Kind::kTouch);
    EXPECT_NEAR(static_cast<double>(proof.time), 0.5, 1e-12);
  }
}

TEST(OraclePairProof, TwoRodsThatTurnTogetherCloseLikeACosine) {
  // Two rods on centres 1 m apart that turn together by a quarter: a parallelogram, 1 m apart at
  // first and nothing at the end.
  const auto rod = [](double y, double radius) {
    return moving({{}, {0.0, y, 0.0}}, {kQuarter, {0.0, y, 0.0}}, InBetween::kScrew,
                  {-1.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, radius);
  };
  // Their lines are cos(t pi / 2) apart: 1/2 at t = 2/3, where each overlaps the other.
  expect_first_touch({rod(0.0, 0.25), rod(1.0, 0.25)}, 2.0 / 3.0);
}

TEST(OraclePairProof, ScissorsCloseAtAKnownAngle) {
  // Two blades from one point of z apart by 0.1, that turn towards each other by a quarter each:
  // the tips at radius 1 are 2 cos(t pi / 2) apart and touch where that is sqrt(0.51^2 - 0.1^2) =
  // 0.5001.
  const double gap = std::sqrt(0.26 - 0.01);
  const auto blade = [](double side, double z) {
    const Quat turn = side > 0.0 ? kQuarter : Quat{kQuarter.w, 0.0, 0.0, -kQuarter.z};
    return moving({{}, {0.0, 0.0, z}}, {turn, {0.0, 0.0, z}}, InBetween::kScrew, {side, 0.0, 0.0},
                  {side, 0.0, 0.0}, 0.5 * std::sqrt(0.26));
  };
  expect_first_touch({blade(1.0, 0.0), blade(-1.0, 0.1)}, std::acos(0.5 * gap) / (0.5 * kPi));
}

TEST(OraclePairProof, AScrewMeetsWhatTranslateRotateMisses) {
  // Half a turn about z carries (1, 0, 0) to (-1, 0, 0): round over (0, 1, 0), or straight.
  const Transform p0{{}, {1.0, 0.0, 0.0}};
  const Transform p1{{0.0, 0.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}};
  const MovingAxis post = moving({{}, {0.0, 1.0, -1.0}}, {{}, {0.0, 1.0, -1.0}}, InBetween::kScrew,
                                 {}, {0.0, 0.0, 2.0}, 0.125);
  // Chord 2 sin(half the angle) = 1/4 before the top.
  const double before = 2.0 * std::asin(0.125) / kPi;
  expect_first_touch({moving(p0, p1, InBetween::kScrew, {}, {}, 0.125), post}, 0.5 - before);
  EXPECT_TRUE(proved_free({moving(p0, p1, InBetween::kTranslateRotate, {}, {}, 0.125), post}));
}

TEST(OraclePairProof, ATouchThatOnlyJustHappensIsFound) {
  // Round a half circle of radius 1 about the origin, past a post outside: nearest at t = 1/2.
  const Transform p0{{}, {1.0, 0.0, 0.0}};
  const Transform p1{{0.0, 0.0, 0.0, 1.0}, {-1.0, 0.0, 0.0}};
  for (const Real deep : {1e-3L, 1e-8L, 1e-13L}) {
    const LinkPath arc = path_of(moving(p0, p1, InBetween::kScrew, {}, {}, 0.0));
    const LinkPath post = path_of(moving({{}, {0.0, 2.0, -1.0}}, {{}, {0.0, 2.0, -1.0}},
                                         InBetween::kScrew, {}, {0.0, 0.0, 2.0}, 0.0));
    PairProver touching(arc, post, 1.0L + deep);
    const Proof proof = touching.prove_free(0.0L, 1.0L, kBudget);
    ASSERT_EQ(proof.kind, Proof::Kind::kTouch);
    EXPECT_NEAR(static_cast<double>(proof.time), 0.5, std::sqrt(static_cast<double>(deep)));
    PairProver clear(arc, post, 1.0L - deep);
    EXPECT_EQ(clear.prove_free(0.0L, 1.0L, kBudget).kind, Proof::Kind::kFree);
    EXPECT_LT(clear.evaluations(), 200);
  }
}

TEST(OraclePairProof, TooCloseToCallIsSaidToBe) {
  const MovingAxis low = moving({}, {}, InBetween::kScrew, {}, {1.0, 0.0, 0.0}, 0.0);
  const Transform up{{}, {0.0, 1.0, 0.0}};
  const LinkPath first = path_of(low);
  const LinkPath second = path_of(moving(up, up, InBetween::kScrew, {}, {1.0, 0.0, 0.0}, 0.0));
  PairProver exact(first, second, 1.0L);
  EXPECT_EQ(exact.prove_free(0.0L, 1.0L, kBudget).kind, Proof::Kind::kUndecided);
  PairProver touching(first, second, 1.0L + 2.0L * exact.slack());
  EXPECT_EQ(touching.prove_free(0.0L, 1.0L, kBudget).kind, Proof::Kind::kTouch);
  PairProver free(first, second, 1.0L - 2.0L * exact.slack());
  EXPECT_EQ(free.prove_free(0.0L, 1.0L, kBudget).kind, Proof::Kind::kFree);
}

// The plain test is the base: where it decides, the one with planes must say the same.
TEST(OraclePairProof, PlanesNeverContradictThePlainTest) {
  int decided = 0;
  for (int c = 0; c < kPairClassCount; ++c) {
    for (std::uint64_t i = 0; i < 30; ++i) {
      for (const PairQuery& q : make_pair(static_cast<PairClass>(c), 43, i)) {
        const LinkPath first = path_of(q.first);
        const LinkPath second = path_of(q.second);
        PairProver plain(first, second, radius_of(q), Tests::kLipschitz);
        PairProver planes(first, second, radius_of(q));
        const Proof slow = plain.prove_free(0.0L, 1.0L, 4000);
        const Proof quick = planes.prove_free(0.0L, 1.0L, kBudget);
        if (slow.kind == Proof::Kind::kUndecided) continue;
        ++decided;
        EXPECT_EQ(quick.kind, slow.kind) << name_of(static_cast<PairClass>(c)) << " " << i;
      }
    }
  }
  EXPECT_GT(decided, kPairClassCount * 60 / 2);
}

// Whatever is proved free stays free where it is looked at.
TEST(OraclePairProof, ProvedFreeIsFreeWhereverSampled) {
  for (int c = 0; c < kPairClassCount; ++c) {
    for (std::uint64_t i = 0; i < 20; ++i) {
      for (const PairQuery& q : make_pair(static_cast<PairClass>(c), 44, i)) {
        const LinkPath first = path_of(q.first);
        const LinkPath second = path_of(q.second);
        PairProver prover(first, second, radius_of(q));
        const Proof proof = prover.first_touch(0.0L, 1.0L, 1e-9L, kBudget);
        const Real until = proof.kind == Proof::Kind::kFree ? 1.0L : proof.from;
        for (int k = 0; k < 50; ++k) {
          const Real t = until * static_cast<Real>(k) / 50.0L;
          if (!(t < until)) break;
          EXPECT_FALSE(prover.touches(t)) << name_of(static_cast<PairClass>(c)) << " " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tocsin::oracle::test::prove_pair_test
