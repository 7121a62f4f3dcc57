// IntervalSweep finds the pairs that brute force finds, and does no more work than it says.
#include "cpu/broadphase/interval_sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "cpu/broadphase/random_bodies.h"

namespace tocsin::cpu::interval_sweep_test {
namespace {

using core::Box;
using test::all_pairs;
using test::Coordinates;
using test::RandomBoxes;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<BodyPair> found(IntervalSweep& sweep, const std::vector<Box>& boxes) {
  const std::span<const BodyPair> pairs = sweep.pairs(boxes);
  return {pairs.begin(), pairs.end()};
}

Box cube_at(float x, float y, float z, float size) {
  return {{x, y, z}, {x + size, y + size, z + size}};
}

TEST(AxisKey, SortsAsNumbersDo) {
  const std::vector<float> upwards{-kInfinity,
                                   -std::numeric_limits<float>::max(),
                                   -1e30F,
                                   -2.0F,
                                   std::nextafter(-1.0F, -2.0F),
                                   -1.0F,
                                   -std::numeric_limits<float>::min(),
                                   -std::numeric_limits<float>::denorm_min(),
                                   0.0F,
                                   std::numeric_limits<float>::denorm_min(),
                                   1.0F,
                                   std::nextafter(1.0F, 2.0F),
                                   1e30F,
                                   std::numeric_limits<float>::max(),
                                   kInfinity};
  for (std::size_t i = 1; i < upwards.size(); ++i) {
    EXPECT_LT(axis_key(upwards[i - 1]), axis_key(upwards[i])) << upwards[i];
  }
  EXPECT_EQ(axis_key(-0.0F), axis_key(0.0F));
  EXPECT_GT(axis_key(-kInfinity), kBelowAll);
  EXPECT_LT(axis_key(kInfinity), kAboveAll);
}

TEST(IntervalSweep, NothingComesFromNothing) {
  IntervalSweep sweep;
  EXPECT_TRUE(found(sweep, {}).empty());
  EXPECT_TRUE(found(sweep, {cube_at(0, 0, 0, 1)}).empty());
  EXPECT_TRUE(found(sweep, std::vector<Box>(100)).empty());  // all empty
}

TEST(IntervalSweep, BoxesThatTouchOverlap) {
  IntervalSweep sweep;
  // Side by side, edge to edge, corner to corner; and one that misses by the least there is.
  const std::vector<Box> boxes{cube_at(0, 0, 0, 1), cube_at(1, 0, 0, 1), cube_at(1, 1, 0, 1),
                               cube_at(1, 1, 1, 1), cube_at(std::nextafter(2.0F, 3.0F), 1, 1, 1)};
  const std::vector<BodyPair> want{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  EXPECT_EQ(found(sweep, boxes), want);
}

TEST(IntervalSweep, AnInfiniteBoxMeetsAllButEmptyOnes) {
  IntervalSweep sweep;
  std::vector<Box> boxes(3,
                         {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}});
  boxes[1] = {};
  boxes.push_back({{0, 2, 0}, {5, 1, 5}});  // empty on one axis
  boxes.push_back(cube_at(1e30F, -1e30F, 0, 0));
  const std::vector<BodyPair> want{{0, 2}, {0, 4}, {2, 4}};
  EXPECT_EQ(found(sweep, boxes), want);
}

TEST(IntervalSweep, IdenticalBoxesAllMeet) {
  for (const std::size_t n : {2U, 48U, 49U, 200U, 500U}) {
    IntervalSweep sweep;
    const std::vector<Box> boxes(n, Box{{1, 2, 3}, {1, 2, 3}});
    EXPECT_EQ(found(sweep, boxes).size(), n * (n - 1) / 2) << n;
    EXPECT_EQ(found(sweep, boxes), all_pairs(boxes)) << n;
  }
}

TEST(IntervalSweep, FindsWhatBruteForceFinds) {
  // One for all scenes: nothing is left over from the last.
  IntervalSweep sweep;
  IntervalSweep tree(SweepKind::kTree);
  std::size_t pairs = 0;
  std::size_t scenes_with_pairs = 0;
  std::size_t scenes_with_touching = 0;
  std::size_t swept = 0;
  std::size_t treed = 0;
  constexpr int kScenes = 10'000;
  for (int scene = 0; scene < kScenes; ++scene) {
    make::Random random(71, static_cast<std::uint64_t>(scene));
    RandomBoxes bodies(random, test::any_coordinates(random));
    std::vector<Box> boxes(static_cast<std::size_t>(test::any_count(random)));
    for (Box& b : boxes) b = bodies.any();
    const std::vector<BodyPair> want = all_pairs(boxes);
    ASSERT_EQ(found(sweep, boxes), want) << "scene " << scene;
    ASSERT_EQ(found(tree, boxes), want) << "scene " << scene;
    pairs += want.size();
    scenes_with_pairs += want.empty() ? 0 : 1;
    scenes_with_touching += test::all_pairs_inside(boxes).size() < want.size() ? 1 : 0;
    const std::size_t n = boxes.size();
    swept += n > 0 && sweep.counters().box_tests < n * (n - 1) / 4 ? 1 : 0;
    treed += sweep.counters().nodes > 0 ? 1 : 0;
  }
  EXPECT_GT(pairs, 1'000'000U);
  EXPECT_GT(scenes_with_pairs, 6'000U);
  EXPECT_GT(scenes_with_touching, 2'000U);  // an answer for open boxes would be wrong in these
  EXPECT_GT(swept, 300U);
  EXPECT_GT(treed, 100U);
}

/// n cubes of one metre, one in a volume of `room` cubic metres.
std::vector<Box> scattered(std::size_t n, double room, std::uint64_t seed) {
  make::Random random(seed, n);
  const double extent = std::cbrt(room * static_cast<double>(n));
  std::vector<Box> boxes(n);
  for (Box& b : boxes) {
    const auto at = [&] { return static_cast<float>(random.uniform(0.0, extent)); };
    const float x = at();
    const float y = at();
    b = cube_at(x, y, at(), 1.0F);
  }
  return boxes;
}

// By counting, not by the clock: n log n + k, k being the pairs that overlap on two axes.
TEST(IntervalSweep, WorkGrowsAsPairsOnTwoAxes) {
  for (const std::size_t n : {100U, 400U, 1'600U, 6'400U}) {
    const std::vector<Box> boxes = scattered(n, 20.0, 5);
    IntervalSweep sweep(SweepKind::kTree);
    EXPECT_EQ(found(sweep, boxes), all_pairs(boxes));
    const double log = std::log2(2.0 * static_cast<double>(n));
    EXPECT_LE(static_cast<double>(sweep.counters().nodes), static_cast<double>(n) * (log + 1.0));
    std::array<std::size_t, 3> on_two{};  // by the axis that is left out
    std::size_t on_one = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        const KeyBox a = key_box(boxes[i]);
        const KeyBox b = key_box(boxes[j]);
        const bool x = overlap_on(a, b, 0);
        const bool y = overlap_on(a, b, 1);
        const bool z = overlap_on(a, b, 2);
        on_two[0] += y && z ? 1 : 0;
        on_two[1] += x && z ? 1 : 0;
        on_two[2] += x && y ? 1 : 0;
        on_one += x ? 1 : 0;
      }
    }
    EXPECT_NE(std::find(on_two.begin(), on_two.end(), sweep.counters().box_tests), on_two.end());
    EXPECT_LT(4 * sweep.counters().box_tests, on_one) << n;  // what a sweep on one axis compares
    // Without a tree where that is faster: within the same bound.
    IntervalSweep fastest;
    EXPECT_EQ(found(fastest, boxes), all_pairs(boxes));
    EXPECT_LE(static_cast<double>(fastest.counters().box_tests),
              static_cast<double>(on_two[0] + on_two[1] + on_two[2]) +
                  9.0 * static_cast<double>(n) * log);
  }
}

TEST(IntervalSweep, SweepsWhereBoxesAreSpread) {
  // A crowd on a floor: all overlap in height, few do so on the floor.
  make::Random random(3);
  for (std::size_t up = 0; up < 3; ++up) {
    std::vector<Box> boxes(1'000);
    for (Box& b : boxes) {
      std::array<float, 3> at{};
      for (float& x : at) x = static_cast<float>(random.uniform(0.0, 100.0));
      at[up] = 0.0F;
      b = cube_at(at[0], at[1], at[2], 1.8F);
    }
    IntervalSweep sweep(SweepKind::kTree);
    const std::size_t pairs = sweep.pairs(boxes).size();
    EXPECT_GT(pairs, 300U);
    EXPECT_EQ(sweep.counters().box_tests, pairs);  // height never told any apart
  }
}

}  // namespace
}  // namespace tocsin::cpu::interval_sweep_test
