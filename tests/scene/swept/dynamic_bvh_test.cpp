// The hierarchy over moving links against looking at every leaf.
#include "scene/swept/dynamic_bvh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "support/same_box.h"
#include "support/scenes/random_link.h"

namespace tocsin::scene::dynamic_bvh_test {
namespace {

using core::Box;
using test::RandomLinks;

Box random_box(RandomLinks& random, double size) {
  const Vec3 at = random.vector(0, 2);
  return core::grown_box(at, at + random.vector(0, size), 0.01);
}

std::vector<Box> random_leaves(RandomLinks& random, std::size_t count) {
  std::vector<Box> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(random_box(random, 0.5));
  return out;
}

using test::same;

TEST(DynamicBvh, HasNothingToSayAboutNothing) {
  DynamicBvh tree;
  EXPECT_EQ(tree.leaf_count(), 0U);
  tree.set({});
  EXPECT_EQ(tree.leaf_count(), 0U);
  EXPECT_TRUE(same(tree.whole(), Box{}));
  int called = 0;
  const auto count = [&](auto&&) { return ++called, false; };
  EXPECT_EQ(tree.visit(count, count), 0U);
  EXPECT_EQ(called, 0);
}

TEST(DynamicBvh, WholeHoldsEverything) {
  RandomLinks random(1);
  DynamicBvh tree;  // one for all sizes: memory is used again
  for (const std::size_t count : {1U, 2U, 3U, 5U, 16U, 17U, 100U, 4U}) {
    const std::vector<Box> leaves = random_leaves(random, count);
    Box whole;
    for (const Box& leaf : leaves) whole = join(whole, leaf);
    tree.set(leaves);
    EXPECT_EQ(tree.leaf_count(), count);
    EXPECT_TRUE(same(tree.whole(), whole)) << count;
  }
}

TEST(DynamicBvh, LeavesWhatLookingAtEveryLeafLeaves) {
  RandomLinks random(2);
  DynamicBvh tree;
  for (std::size_t count = 1; count <= 70; ++count) {
    const std::vector<Box> leaves = random_leaves(random, count);
    tree.set(leaves);
    for (int query = 0; query < 20; ++query) {
      const Box asker = random_box(random, 1.0);
      std::vector<std::size_t> expected;
      for (std::size_t i = 0; i < count; ++i) {
        if (overlap(asker, leaves[i])) expected.push_back(i);
      }
      std::vector<std::size_t> left;
      std::uint64_t asked = 0;
      const auto is_clear = [&](const Box& box) { return ++asked, !overlap(asker, box); };
      EXPECT_EQ(tree.visit(is_clear, [&](std::size_t leaf) { left.push_back(leaf); }), asked);
      EXPECT_EQ(left, expected) << count;
    }
  }
}

TEST(DynamicBvh, AsksEveryBoxOnceAtMostAndOneBoxIfAllIsClear) {
  RandomLinks random(3);
  DynamicBvh tree;
  for (std::size_t count = 1; count <= 70; ++count) {
    tree.set(random_leaves(random, count));
    const auto nothing = [](std::size_t) {};
    // A binary tree of n leaves has n - 1 nodes above them.
    EXPECT_EQ(tree.visit([](const Box&) { return false; }, nothing), 2 * count - 1);
    EXPECT_EQ(tree.visit([](const Box&) { return true; }, nothing), 1U);
  }
}

TEST(DynamicBvh, DropsFarAvatarsWithFewQuestions) {
  // 100 avatars of 16 links in a row, 2 m apart; the question is about the space around one.
  RandomLinks random(4);
  std::vector<Box> leaves;
  for (int avatar = 0; avatar < 100; ++avatar) {
    for (int link = 0; link < 16; ++link) {
      const Vec3 at = Vec3{2.0 * avatar, 0, 0} + random.vector(0, 0.8);
      leaves.push_back(core::grown_box(at, at, 0.1));
    }
  }
  DynamicBvh tree;
  tree.set(leaves);
  const Box asker{{99.0F, -1.0F, -1.0F}, {101.0F, 1.0F, 1.0F}};
  std::size_t left = 0;
  const std::uint64_t asked =
      tree.visit([&](const Box& box) { return !overlap(asker, box); },
                 [&](std::size_t leaf) { left += leaf / 16 == 50 ? 1 : 0; });
  EXPECT_EQ(left, 16U);
  EXPECT_LT(asked, 80U) << "of " << leaves.size() << " links";
}

}  // namespace
}  // namespace tocsin::scene::dynamic_bvh_test
