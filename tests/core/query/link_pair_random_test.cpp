// certify_pair on random pairs: every answer is confirmed by long double arithmetic that shares
// nothing with it but the stored numbers of the motion.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/bounds/expect_pruned.h"
#include "core/query/early_out_pair.h"
#include "core/query/link_pair.h"
#include "support/long_distance.h"
#include "support/scenes/random_link.h"

namespace tocsin::core::link_pair_random_test {
namespace {

using test::long_distance;
using test::RandomLink;
using test::RandomLinks;

constexpr double kRandomPairTolerance = 1e-9;

Certificate ask(const LinkMotion& a, const LinkMotion& b, double stop_after = kToEnd) {
  return certify_pair(a, evaluate(a, 0), b, evaluate(b, 0), kRandomPairTolerance, stop_after);
}

using test::kind_of;

struct RandomPair {
  RandomLink a;
  RandomLink b;

  [[nodiscard]] long double distance(long double t) const {
    return long_distance(a.link, b.link, t);
  }
  [[nodiscard]] double radii() const { return a.link.radius + b.link.radius; }
  /// Shares out the radii.
  void set_radii(double sum, double share) {
    a.link.radius = share * sum;
    b.link.radius = sum - a.link.radius;
  }
};

/// Both near each other, with radii that make about half of them touch.
void make_pair(RandomLinks& random, int i, RandomPair& p) {
  const double turn = i % 5 == 0 ? 3.1 : i % 5 == 1 ? 0.05 : 0.6;
  const double bone = i % 7 == 0 ? 0.0 : 0.5;
  random.make(p.a, 1 + i % 4, kind_of(i), bone, turn, 0.6, 0.8);
  random.make(p.b, 1 + i % 3, kind_of(i / 2), bone, turn, 0.6, 0.8);
  if (i % 11 == 0) p.b.link.b = p.b.link.a;
  const auto start = static_cast<double>(p.distance(0));
  p.set_radii(start * random.uniform(0.4, 1.02), random.uniform(0.05, 0.95));
}

void set_chain(RandomLink& out, const RandomLink& owner, std::vector<std::int32_t> chain) {
  out.chain = std::move(chain);
  LinkMotion& m = out.link;
  m.joints = owner.joints.data();
  m.chain = out.chain.data();
  m.chain_length = static_cast<std::int32_t>(out.chain.size());
  m.kind = owner.link.kind;
  m.ref = owner.link.ref;
  ChainBounds bounds;
  for (const std::int32_t k : out.chain) {
    bounds = extend(bounds, owner.joints[static_cast<std::size_t>(k)], m.kind, m.ref);
  }
  set_bounds(m, bounds);
}

/// Two links of one avatar, whose chains part after one to three joints; either may end there.
void make_pair_of_one(RandomLinks& random, int i, RandomPair& p) {
  const double turn = i % 5 == 0 ? 3.1 : i % 5 == 1 ? 0.05 : 0.6;
  random.make(p.a, 8, kind_of(i), 0.5, turn, 0.6, 0.8);
  random.make(p.b, 1, kind_of(i), 0.5, 0.1, 0.1, 0.1);  // for its ends
  std::vector<std::int32_t> of_a;
  for (int k = 0; k <= i % 3; ++k) of_a.push_back(k);
  std::vector<std::int32_t> of_b = of_a;
  for (int k = 0; k < i / 3 % 3; ++k) of_a.push_back(3 + k);
  for (int k = 0; k < i / 9 % 3; ++k) of_b.push_back(6 + k % 2);
  set_chain(p.a, p.a, of_a);
  set_chain(p.b, p.a, of_b);
  p.set_radii(static_cast<double>(p.distance(0)) * random.uniform(0.4, 1.02), 0.3);
}

/// What the Lipschitz bound says about [from, to].
enum class Verdict { kClear, kTouch, kUndecided };

Verdict search(const RandomPair& p, long double from, long double to, int depth) {
  if (from >= to) return Verdict::kClear;
  const long double middle = (from + to) / 2;
  const long double gap = p.distance(middle) - p.radii();
  if (gap <= 0) return Verdict::kTouch;
  const long double speed = p.a.link.speed + p.b.link.speed;
  if (gap > speed * (to - from) / 2) return Verdict::kClear;
  if (depth == 0) return Verdict::kUndecided;
  const Verdict first = search(p, from, middle, depth - 1);
  if (first == Verdict::kTouch) return first;
  const Verdict second = search(p, middle, to, depth - 1);
  return second == Verdict::kClear ? first : second;
}

/// At least an eighth of the pairs must touch, and an eighth be free.
template <class Make>
void expect_confirmed(std::uint64_t seed, const Make& make, int pairs) {
  RandomLinks random(seed);
  std::array<int, 5> count{};
  int undecided = 0;
  for (int i = 0; i < pairs; ++i) {
    RandomPair p;
    make(random, i, p);
    const Certificate c = ask(p.a.link, p.b.link);
    ++count[static_cast<std::size_t>(c.outcome)];
    EXPECT_FALSE(c.limited);
    Verdict verdict = Verdict::kClear;
    switch (c.outcome) {
      case Outcome::kFree:
        verdict = search(p, 0, 1, 24);
        break;
      case Outcome::kHit:
        verdict = search(p, 0, c.lo - 1e-5, 28);  // nearer it is all but touching
        EXPECT_LE(static_cast<double>(p.distance(c.hi) - p.radii()), 0.0) << i;
        EXPECT_LE(c.hi - c.lo, kRandomPairTolerance) << i;
        break;
      case Outcome::kOverlap:
        EXPECT_LE(static_cast<double>(p.distance(0) - p.radii()), 0.0) << i;
        break;
      default:
        ADD_FAILURE() << "random motions do not graze: " << i;
    }
    EXPECT_NE(verdict, Verdict::kTouch) << "a touch was missed: " << i;
    if (verdict == Verdict::kUndecided) ++undecided;
  }
  EXPECT_GT(count[static_cast<std::size_t>(Outcome::kFree)], pairs / 8);
  EXPECT_GT(count[static_cast<std::size_t>(Outcome::kHit)], pairs / 8);
  EXPECT_GT(count[static_cast<std::size_t>(Outcome::kOverlap)], pairs / 100);
  EXPECT_LT(undecided, pairs / 100);
}

TEST(RandomLinkPairs, EveryAnswerIsConfirmed) { expect_confirmed(91, make_pair, 1200); }

TEST(RandomLinkPairs, SoIsEveryAnswerAboutTwoLinksOfOneAvatar) {
  expect_confirmed(97, make_pair_of_one, 240);
}

/// The joints that both hang on are left out: what moves as one is settled by one look.
TEST(RandomLinkPairs, WhatBothHangOnCostsNothing) {
  RandomLinks random(98);
  for (int i = 0; i < 300; ++i) {
    RandomPair p;
    make_pair_of_one(random, i % 3, p);  // no joint but shared ones
    ASSERT_EQ(shared_joints(p.a.link, p.b.link), p.b.link.chain_length);
    p.set_radii(static_cast<double>(p.distance(0)) * (1 - 1e-9), 0.5);
    const Certificate c = ask(p.a.link, p.b.link);
    EXPECT_EQ(c.outcome, Outcome::kFree);
    EXPECT_EQ(c.evaluations, 1);
  }
}

/// The least distance over the step, and when: a grid, and golden sections around its best.
long double least_distance(const RandomPair& p, long double& when) {
  constexpr int kGrid = 256;
  int best = 0;
  long double least = p.distance(0);
  for (int k = 1; k <= kGrid; ++k) {
    const long double distance = p.distance(static_cast<long double>(k) / kGrid);
    if (distance >= least) continue;
    least = distance;
    best = k;
  }
  long double low = static_cast<long double>(std::max(best - 1, 0)) / kGrid;
  long double high = static_cast<long double>(std::min(best + 1, kGrid)) / kGrid;
  for (int k = 0; k < 70; ++k) {
    const long double third = (high - low) / 3;
    if (p.distance(low + third) < p.distance(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  when = (low + high) / 2;
  return p.distance(when);
}

/// The same pair twice: 10^-8 of its least distance too thick and too thin to touch.
TEST(RandomLinkPairs, MatchedPairsTouchAndAreClear) {
  RandomLinks random(92);
  int asked = 0;
  for (int i = 0; i < 300; ++i) {
    RandomPair p;
    make_pair(random, i, p);
    long double when = 0;
    const auto least = static_cast<double>(least_distance(p, when));
    if (least < 0.01 || p.distance(0) <= least * (1 + 1e-6)) continue;
    ++asked;
    const double share = random.uniform(0.05, 0.95);
    p.set_radii(least * (1 + 1e-8), share);
    const Certificate touching = ask(p.a.link, p.b.link);
    EXPECT_EQ(touching.outcome, Outcome::kHit) << i;
    EXPECT_LE(touching.lo, static_cast<double>(when) + 1e-12) << i;
    p.set_radii(least * (1 - 1e-8), share);
    EXPECT_EQ(ask(p.a.link, p.b.link).outcome, Outcome::kFree) << i;
  }
  EXPECT_GT(asked, 100);
}

TEST(RandomLinkPairs, WhichIsFirstDoesNotMatter) {
  RandomLinks random(93);
  for (int i = 0; i < 4000; ++i) {
    RandomPair p;
    make_pair(random, i, p);
    const Certificate there = ask(p.a.link, p.b.link);
    const Certificate back = ask(p.b.link, p.a.link);
    EXPECT_EQ(there.outcome, back.outcome) << i;
    if (there.outcome != Outcome::kHit) continue;
    EXPECT_LE(std::max(there.lo, back.lo), std::min(there.hi, back.hi)) << i;
  }
}

TEST(RandomLinkPairs, PruningChangesNothingElse) {
  RandomLinks random(94);
  int pruned = 0;
  for (int i = 0; i < 4000; ++i) {
    RandomPair p;
    make_pair(random, i, p);
    const Certificate all = ask(p.a.link, p.b.link);
    const double stop = random.uniform(0, 1);
    const Certificate some = ask(p.a.link, p.b.link, stop);
    pruned += expect_pruned_soundly(all, some, stop) ? 1 : 0;
  }
  EXPECT_GT(pruned, 300);
}

/// Where the boxes of may_graze prove freedom there is freedom.
TEST(RandomLinkPairs, AnEarlyOutAnswersAsCertifyPairDoes) {
  RandomLinks random(96);
  std::array<int, 3> kinds{};  // free, overlap, suspect
  for (int i = 0; i < 3000; ++i) {
    RandomPair p;
    (i % 2 == 0 ? make_pair : make_pair_of_one)(random, i / 2, p);
    // Some overlap, most do not, some are far apart.
    const auto start = static_cast<double>(p.distance(0));
    p.set_radii(start * random.uniform(0.0, i % 3 == 0 ? 2.0 : 0.6), random.uniform(0.05, 0.95));
    const EarlyOut::Kind kind = early_out(seen_pair(p.a.link, p.b.link));
    const Certificate whole = ask(p.a.link, p.b.link);
    ++kinds[static_cast<std::size_t>(kind)];
    if (kind == EarlyOut::Kind::kSuspect) {
      EXPECT_NE(whole.outcome, Outcome::kOverlap) << "pair " << i;
      continue;
    }
    EXPECT_EQ(whole.outcome, kind == EarlyOut::Kind::kFree ? Outcome::kFree : Outcome::kOverlap)
        << "pair " << i;
    EXPECT_EQ(whole.evaluations, 1) << "pair " << i;
  }
  for (const int count : kinds) EXPECT_GT(count, 200);
}

TEST(RandomLinkPairs, PreparedPairsAnswerTheSame) {
  RandomLinks random(97);
  int hits = 0;
  for (int i = 0; i < 600; ++i) {
    RandomPair p;
    (i % 2 == 0 ? make_pair : make_pair_of_one)(random, i / 2, p);
    const Certificate want = ask(p.a.link, p.b.link);
    const Certificate got =
        certify_seen(seen_pair(p.a.link, p.b.link), kRandomPairTolerance, kToEnd);
    EXPECT_EQ(got.outcome, want.outcome) << "pair " << i;
    EXPECT_EQ(got.lo, want.lo) << "pair " << i;
    EXPECT_EQ(got.hi, want.hi) << "pair " << i;
    EXPECT_EQ(got.touch_lo, want.touch_lo) << "pair " << i;
    EXPECT_EQ(got.limited, want.limited) << "pair " << i;
    EXPECT_EQ(got.evaluations, want.evaluations) << "pair " << i;
    hits += want.outcome == Outcome::kHit ? 1 : 0;
  }
  EXPECT_GT(hits, 60);
}

TEST(RandomLinkPairs, BoxesThatDoNotMeetProveFreedom) {
  RandomLinks random(95);
  int apart = 0;
  int meeting = 0;
  for (int i = 0; i < 3000; ++i) {
    RandomPair p;
    make_pair(random, i, p);
    if (may_graze(p.a.link, p.b.link)) {
      ++meeting;
      continue;
    }
    ++apart;
    EXPECT_EQ(ask(p.a.link, p.b.link).outcome, Outcome::kFree);
    for (int k = 0; k <= 20; ++k) {
      EXPECT_GT(static_cast<double>(p.distance(k / 20.0L) - p.radii()), 0.0);
    }
    EXPECT_FALSE(may_graze(p.b.link, p.a.link)) << "swapping them may only matter by rounding";
  }
  EXPECT_GT(apart, 50);
  EXPECT_GT(meeting, 500);
}

/// An arm as long as it gets: aligned bones that all turn the same way, far away.
void make_arm(RandomLinks& random, RandomLink& out, int joints, InBetween kind, double turn,
              const Vec3& where) {
  out.chain.clear();
  out.joints.clear();
  const Vec3 axis = random.direction();
  const Vec3 bone = random.vector(0.1, 1.0);
  for (int k = 0; k < joints; ++k) {
    Transform p0;
    p0.translation = k == 0 ? where : bone;
    if (k == 0) p0.rotation = normalized(random.rotation(random.uniform(0, 3)));
    Transform p1 = p0;
    const double s = std::sin(turn / 2);
    p1.rotation =
        normalized(Quat{std::cos(turn / 2), s * axis.x, s * axis.y, s * axis.z} * p0.rotation);
    if (k == 0) p1.translation = p1.translation + random.vector(0, 3);
    out.joints.push_back(joint_motion(p0, p1, kind));
    out.chain.push_back(k);
  }
  LinkMotion& m = out.link;
  m.joints = out.joints.data();
  m.chain = out.chain.data();
  m.chain_length = joints;
  m.kind = kind;
  m.a = random.vector(0, 0.2);
  m.b = bone;
  m.ref = {static_cast<float>(where.x), static_cast<float>(where.y), static_cast<float>(where.z)};
  ChainBounds bounds;
  for (const JointMotion& j : out.joints) bounds = extend(bounds, j, kind, m.ref);
  set_bounds(m, bounds);
}

/// Attacks on eta: what certify_pair computes of a pair, against long double. All that docs/
/// exact.md, "Two links", charges for positions and distances must stay far below it.
TEST(RandomLinkPairs, ErrorsStayFarBelowTheMargin) {
  RandomLinks random(96);
  double worst = 0;
  double worst_along = 0;
  for (int i = 0; i < 3000; ++i) {
    RandomPair p;
    const int joints = 1 + i % 25;
    const double turn = i % 3 == 0 ? 3.14159 : i % 3 == 1 ? 0.3 : 1e-3;
    // How far from the origin, and the refs from each other.
    const double where = i % 4 == 0 ? 1e4 : 3.0;
    const Vec3 place = where * random.direction();
    const Vec3 other = i % 8 < 4 ? place + random.direction() : where * random.direction();
    make_arm(random, p.a, joints, kind_of(i), turn, place);
    make_arm(random, p.b, 1 + (i / 3) % 25, kind_of(i / 2), turn, other);
    const LinkMotion& a = p.a.link;
    const LinkMotion& b = p.b.link;
    const double eta = rounding_margin(a, b);
    const detail::TwoLinks<evaluate> meeting(a, b, eta);
    for (const double t : {0.0, random.uniform(0, 1), 1.0}) {
      const detail::PairState s = meeting.at(t);
      const ClosestPair c = meeting.closest(s);
      const auto error = static_cast<double>(std::fabs(std::sqrt(c.squared) - p.distance(t)));
      worst = std::max(worst, error / eta);
      // The support form, along any direction.
      const Vec3 n = random.direction();
      const auto height = [&](const Vec3& e) { return dot(n, e - c.x); };
      const double g = min_of(height(s.a.a), height(s.a.b)) - max_of(height(s.b.a), height(s.b.b));
      const test::LongAxis pa = test::long_axis(a, a.ref, t);
      const test::LongAxis pb = test::long_axis(b, a.ref, t);
      const auto along = [&](const test::LongVec& e) -> long double {
        return test::wide(n).dot(e);
      };
      const long double exact =
          std::min(along(pa.a), along(pa.b)) - std::max(along(pb.a), along(pb.b));
      worst_along = std::max(worst_along, static_cast<double>(std::fabs(g - exact)) / eta);
    }
  }
  EXPECT_LT(worst, 0.25);
  EXPECT_LT(worst_along, 0.25);
  EXPECT_GT(worst, 1e-5) << "the test must see rounding at all";
  RecordProperty("worst_distance_error_in_eta", std::to_string(worst));
  RecordProperty("worst_support_error_in_eta", std::to_string(worst_along));
}

}  // namespace
}  // namespace tocsin::core::link_pair_random_test
