// SweepAndPrune has the pairs that brute force has, whatever happens from frame to frame.
#include "cpu/broadphase/sweep_and_prune.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "cpu/broadphase/mask_matrix.h"
#include "cpu/broadphase/random_bodies.h"

namespace tocsin::cpu::sweep_and_prune_test {
namespace {

using core::Box;
using test::RandomBoxes;

std::vector<BodyPair> found(SweepAndPrune& prune) {
  const std::span<const BodyPair> pairs = prune.pairs();
  return {pairs.begin(), pairs.end()};
}

Box body_at(double x, double y, double z, double size) {
  return core::grown_box({x, y, z}, {x + size, y + size, z + size}, 0.0);
}

/// How often an answer would have been wrong that misses what this counts; and what was covered.
struct Seen {
  std::size_t pairs = 0;
  std::size_t frames = 0;
  std::size_t with_pairs = 0;
  std::size_t changed = 0;   ///< the pairs of the frame before would be wrong
  std::size_t touching = 0;  ///< the pairs of open boxes would be wrong
  std::size_t masked = 0;    ///< all overlapping pairs would be wrong
  std::size_t reused = 0;    ///< numbers that were used again
  std::size_t from_scratch = 0;
  std::size_t began = 0;
  std::size_t ended = 0;
};

/// A scene, and what should be known of it.
class MovingBodies {
 public:
  MovingBodies(std::uint64_t seed, Seen& seen)
      : random_(23, seed), boxes_(random_, test::any_coordinates(random_)), seen_(seen) {}

  void run() {
    const int count = test::any_count(random_);
    for (int i = 0; i < count; ++i) insert();
    for (int frame = 0; frame < 6; ++frame) {
      prune_.update();
      check(true);
      if (testing::Test::HasFatalFailure()) return;
      if (random_.chance(0.3)) {  // counts at once, without an update
        for (int i = random_.integer(1, 5); i > 0; --i) say();
        check(false);
        if (testing::Test::HasFatalFailure()) return;
      }
      change();
    }
  }

 private:
  void insert() {
    const Box box = boxes_.any();
    const BodyId id = prune_.insert(box);
    if (static_cast<std::size_t>(id) < bodies_.size()) {
      ASSERT_FALSE(bodies_[static_cast<std::size_t>(id)].has_value());
      ++seen_.reused;
    } else {
      ASSERT_EQ(static_cast<std::size_t>(id), bodies_.size());
      bodies_.emplace_back();
    }
    bodies_[static_cast<std::size_t>(id)] = box;
    mask_.renew(id);
  }

  void remove(std::size_t id) {
    if (!bodies_[id]) return;
    prune_.remove(static_cast<BodyId>(id));
    bodies_[id].reset();
  }

  void say() {
    if (bodies_.size() < 2) return;
    test::say_anything(random_, static_cast<int>(bodies_.size()), prune_.mask(), mask_, false);
  }

  void change() {
    const double teleports = random_.chance(0.2) ? 0.8 : 0.02;
    const double removals = random_.chance(0.1) ? 0.7 : 0.02;
    for (std::size_t id = 0; id < bodies_.size(); ++id) {
      if (random_.chance(removals)) remove(id);
      if (!bodies_[id]) continue;
      if (random_.chance(teleports)) {
        bodies_[id] = boxes_.any();
      } else if (random_.chance(0.8)) {
        bodies_[id] = boxes_.moved(*bodies_[id]);
      } else {
        continue;
      }
      prune_.move(static_cast<BodyId>(id), *bodies_[id]);
    }
    if (random_.chance(0.4) && bodies_.size() < 300) {
      for (int i = random_.chance(0.2) ? random_.integer(0, 60) : random_.integer(1, 3); i > 0;
           --i) {
        insert();
        if (random_.chance(0.1))
          remove(
              static_cast<std::size_t>(random_.integer(0, static_cast<int>(bodies_.size()) - 1)));
      }
    }
    if (random_.chance(0.3)) say();
  }

  void check(bool updated) {
    std::vector<Box> all(bodies_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = bodies_[i].value_or(Box{});
    const std::vector<BodyPair> overlapping = test::all_pairs(all);
    std::vector<BodyPair> want;
    for (const BodyPair& p : overlapping) {
      if (mask_.active(p.first, p.second)) want.push_back(p);
    }
    ASSERT_EQ(found(prune_), want);
    ASSERT_EQ(prune_.size(), static_cast<std::size_t>(std::count_if(
                                 bodies_.begin(), bodies_.end(), [](const auto& b) { return b; })));
    ++seen_.frames;
    seen_.pairs += want.size();
    seen_.with_pairs += want.empty() ? 0 : 1;
    seen_.masked += want.size() < overlapping.size() ? 1 : 0;
    if (!updated) return;
    const PruneCounters& c = prune_.counters();
    seen_.changed += overlapping != before_ ? 1 : 0;
    seen_.touching += test::all_pairs_inside(all).size() < overlapping.size() ? 1 : 0;
    seen_.from_scratch += c.from_scratch ? 1 : 0;
    seen_.began += c.began;
    seen_.ended += c.ended;
    if (!c.from_scratch) {
      ASSERT_EQ(before_.size() + c.began - c.ended, overlapping.size());
    }
    before_ = overlapping;
  }

  make::Random random_;
  RandomBoxes boxes_;
  Seen& seen_;
  SweepAndPrune prune_;
  std::vector<std::optional<Box>> bodies_;
  test::MaskMatrix mask_{500};
  std::vector<BodyPair> before_;
};

TEST(SweepAndPrune, HasThePairsThatBruteForceHas) {
  Seen seen;
  for (std::uint64_t scene = 0; scene < 10'000; ++scene) {
    SCOPED_TRACE(scene);
    MovingBodies(scene, seen).run();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.pairs, 3'000'000U);
  EXPECT_GT(seen.with_pairs, seen.frames / 2);
  EXPECT_GT(seen.changed, seen.frames / 3);
  EXPECT_GT(seen.touching, seen.frames / 10);
  EXPECT_GT(seen.masked, seen.frames / 10);
  EXPECT_GT(seen.reused, 20'000U);
  EXPECT_GT(seen.from_scratch, 10'000U);
  EXPECT_LT(seen.from_scratch, 40'000U);
  EXPECT_GT(seen.began, 100'000U);
  EXPECT_GT(seen.ended, 100'000U);
}

TEST(SweepAndPrune, BodiesComeAndGo) {
  SweepAndPrune prune;
  prune.update();
  EXPECT_TRUE(prune.pairs().empty());
  const BodyId a = prune.insert(body_at(0, 0, 0, 1));
  const BodyId b = prune.insert(body_at(1, 1, 1, 1));  // a corner in common
  EXPECT_TRUE(prune.pairs().empty());
  prune.update();
  EXPECT_EQ(found(prune), (std::vector<BodyPair>{{a, b}}));
  prune.move(b, {});
  prune.update();
  EXPECT_TRUE(prune.pairs().empty());
  prune.move(b, body_at(-1, -1, -1, 1));
  prune.update();
  EXPECT_EQ(found(prune), (std::vector<BodyPair>{{a, b}}));
  prune.remove(a);
  prune.update();
  EXPECT_TRUE(prune.pairs().empty());
  EXPECT_EQ(prune.size(), 1U);
}

TEST(SweepAndPrune, AReusedNumberIsActiveAgain) {
  SweepAndPrune prune;
  const BodyId a = prune.insert(body_at(0, 0, 0, 1));
  const BodyId b = prune.insert(body_at(0, 0, 0, 1));
  prune.mask().deactivate_pair(a, b);
  prune.update();
  EXPECT_TRUE(prune.pairs().empty());
  prune.remove(b);
  const BodyId c = prune.insert(body_at(0, 0, 0, 1));  // before an update, at that
  EXPECT_EQ(c, b);
  prune.update();
  EXPECT_EQ(found(prune), (std::vector<BodyPair>{{a, c}}));
}

TEST(SweepAndPrune, WhatIsActivatedAgainIsBackAtOnce) {
  SweepAndPrune prune;
  const BodyId a = prune.insert(body_at(0, 0, 0, 1));
  const BodyId b = prune.insert(body_at(5, 0, 0, 1));
  prune.mask().deactivate(a);
  prune.update();
  prune.move(b, body_at(0.5, 0, 0, 1));  // it comes while nobody looks
  prune.update();
  EXPECT_TRUE(prune.pairs().empty());
  prune.mask().activate(a);
  EXPECT_EQ(found(prune), (std::vector<BodyPair>{{a, b}}));
}

/// n cubes of a metre at random places of a cube of `extent` metres.
std::vector<Vec3> scattered(std::size_t n, double extent) {
  make::Random random(11, n);
  std::vector<Vec3> out(n);
  for (Vec3& p : out) {
    const double x = random.uniform(0.0, extent);
    const double y = random.uniform(0.0, extent);
    p = {x, y, random.uniform(0.0, extent)};
  }
  return out;
}

void insert_all(SweepAndPrune& prune, const std::vector<Vec3>& places) {
  for (const Vec3& p : places) prune.insert(body_at(p.x, p.y, p.z, 1.0));
  prune.update();
}

TEST(SweepAndPrune, AStillFrameSwapsAndComparesNothing) {
  SweepAndPrune prune;
  insert_all(prune, scattered(2'000, 30.0));
  prune.update();
  EXPECT_FALSE(prune.counters().from_scratch);
  EXPECT_EQ(prune.counters().swaps, 0U);
  EXPECT_EQ(prune.counters().box_tests, 0U);
  EXPECT_EQ(prune.counters().pair_tests, prune.pairs().size());
  EXPECT_GT(prune.pairs().size(), 100U);
}

// With as many end points a metre for any n, as paper 000 has it: swaps are linear in n.
TEST(SweepAndPrune, ACoherentFrameIsLinear) {
  for (const std::size_t n : {500U, 1'000U, 2'000U, 4'000U, 8'000U}) {
    const std::vector<Vec3> places = scattered(n, 0.2 * static_cast<double>(n));
    SweepAndPrune prune;
    insert_all(prune, places);
    make::Random random(2);
    for (std::size_t i = 0; i < n; ++i) {
      const Vec3& p = places[i];
      const double by = random.uniform(-0.05, 0.05);
      prune.move(static_cast<BodyId>(i), body_at(p.x + by, p.y - by, p.z + by, 1.0));
    }
    prune.update();
    EXPECT_FALSE(prune.counters().from_scratch);
    // 10 end points a metre, which pass each other where they are less than 0.1 m apart: about one
    // in three passes one of its neighbours, on three axes.
    EXPECT_LT(prune.counters().swaps, 4 * n);
    EXPECT_GT(prune.counters().swaps, n / 2);
    EXPECT_LT(prune.counters().box_tests, 2 * n);
  }
}

// A few that jump cost a pass along the lists each; many cost no more than starting over.
TEST(SweepAndPrune, TeleportingNeverCostsASquare) {
  for (const std::size_t n : {500U, 2'000U, 8'000U}) {
    const double extent = 2.0 * std::cbrt(static_cast<double>(n));
    const std::vector<Vec3> places = scattered(n, extent);
    SweepAndPrune prune;
    insert_all(prune, places);
    EXPECT_TRUE(prune.counters().from_scratch);  // all came at once
    const auto swap_ends = [&](std::size_t bodies) {
      for (std::size_t i = 0; i < bodies; ++i) {
        const Vec3& p = places[n - 1 - i];
        prune.move(static_cast<BodyId>(i), body_at(p.x, p.y, p.z, 1.0));
      }
      prune.update();
    };
    swap_ends(2);
    EXPECT_FALSE(prune.counters().from_scratch);
    EXPECT_LE(prune.counters().swaps, 2 * 12 * n);
    const double log = std::log2(static_cast<double>(n)) + 1.0;
    const double most = 20.0 * static_cast<double>(n) * log;
    swap_ends(n / 2);
    EXPECT_TRUE(prune.counters().from_scratch);
    EXPECT_LT(static_cast<double>(prune.counters().swaps), most);
    EXPECT_LT(static_cast<double>(prune.counters().sweep.nodes), most);
  }
}

TEST(SweepAndPrune, ComesBackToCoherenceAfterChaos) {
  constexpr std::size_t kBodies = 1'000;
  SweepAndPrune prune;
  insert_all(prune, scattered(kBodies, 20.0));
  make::Random random(8);
  std::size_t tried = 0;
  for (int frame = 0; frame < 100; ++frame) {
    for (std::size_t i = 0; i < kBodies; ++i) {
      prune.move(static_cast<BodyId>(i),
                 body_at(random.uniform(0.0, 20.0), random.uniform(0.0, 20.0),
                         random.uniform(0.0, 20.0), 1.0));
    }
    prune.update();
    EXPECT_TRUE(prune.counters().from_scratch);
    tried += prune.counters().swaps > 0 ? 1 : 0;
  }
  EXPECT_LE(tried, 10U);  // it does not insist
  int still = 0;
  for (; still < 30; ++still) {
    prune.update();
    if (!prune.counters().from_scratch) break;
  }
  EXPECT_LE(still, 16);
}

TEST(FixedCube, HoldsTheBodyAtAnyOrientation) {
  make::Random random(4);
  for (int i = 0; i < 20'000; ++i) {
    const double where = std::pow(10.0, random.uniform(-3.0, 4.0));
    const Vec3 c{random.uniform(-where, where), random.uniform(-where, where),
                 random.uniform(-where, where)};
    const double r = random.chance(0.1) ? 0.0 : random.uniform(0.0, 2.0);
    const Box box = papers::fixed_cube(c, r);
    // In extended precision, where the sums below are exact to more bits than matter.
    using Wide = long double;
    for (const auto& [at, lo, hi] :
         {std::tuple(c.x, box.lo.x, box.hi.x), std::tuple(c.y, box.lo.y, box.hi.y),
          std::tuple(c.z, box.lo.z, box.hi.z)}) {
      EXPECT_LE(static_cast<Wide>(lo), static_cast<Wide>(at) - static_cast<Wide>(r));
      EXPECT_GE(static_cast<Wide>(hi), static_cast<Wide>(at) + static_cast<Wide>(r));
      EXPECT_LE(static_cast<double>(hi) - static_cast<double>(lo),
                2.0 * r + (std::fabs(at) + r + 1e-30) * 0x1p-21);
    }
  }
}

}  // namespace
}  // namespace tocsin::cpu::sweep_and_prune_test
