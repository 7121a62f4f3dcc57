// A tree of boxes that come, go and move finds what a list of them finds.
#include "scene/instance/box_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "support/scenes/random_link.h"

namespace tocsin::scene::box_tree_test {
namespace {

using test::RandomLinks;

core::Box random_box(RandomLinks& random, double size, double edge) {
  const Vec3 at = random.vector(0, size);
  const Vec3 to = at + random.vector(0, edge);
  return core::grown_box(at, to, 0.0);
}

std::vector<std::uint32_t> found(const BoxTree::Snapshot& tree, const core::Box& box) {
  std::vector<std::uint32_t> out;
  tree.visit(box, [&](std::uint32_t item) {
    out.push_back(item);
    return true;
  });
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::uint32_t> wanted(const std::map<std::uint32_t, core::Box>& boxes,
                                  const core::Box& box) {
  std::vector<std::uint32_t> out;
  for (const auto& [item, of] : boxes) {
    if (core::overlap(of, box)) out.push_back(item);
  }
  return out;
}

TEST(BoxTree, FindsWhatAListFinds) {
  RandomLinks random(4711);
  BoxTree tree;
  std::map<std::uint32_t, core::Box> boxes;
  std::map<std::uint32_t, std::int32_t> leaves;
  std::map<std::uint32_t, core::Box> hidden;
  std::size_t shown = 0;
  std::vector<std::pair<BoxTree::Snapshot, std::map<std::uint32_t, core::Box>>> versions;
  std::uint32_t next = 0;
  std::size_t hits = 0;
  for (int round = 0; round < 4000; ++round) {
    const double kind = random.uniform(0, 1);
    if (boxes.empty() || kind < 0.4) {
      boxes[next] = random_box(random, 10.0, kind < 0.02 ? 20.0 : 1.0);
      leaves[next] = tree.insert(next, boxes[next]);
      ++next;
    } else {
      auto at = boxes.begin();
      std::advance(at, static_cast<std::ptrdiff_t>(random.below(boxes.size())));
      if (kind < 0.7) {
        at->second = random_box(random, 10.0, 1.0);
        tree.move(leaves[at->first], at->second);
      } else if (kind < 0.8) {  // a little
        at->second.lo.x -= 0.01F;
        tree.move(leaves[at->first], at->second);
      } else if (kind < 0.87) {
        tree.hide(leaves[at->first]);
        hidden.insert(*at);
        boxes.erase(at);
      } else if (kind < 0.92 && !hidden.empty()) {
        auto [item, box] = *hidden.begin();
        const core::Box before = box;
        box = shown % 2 == 0 ? random_box(random, 10.0, 1.0) : core::join(box, at->second);
        tree.show(leaves[item], before, box);
        boxes[item] = box;
        hidden.erase(item);
        ++shown;
      } else if (kind < 0.93 && !hidden.empty()) {
        tree.remove(leaves[hidden.begin()->first]);
        hidden.erase(hidden.begin());
      } else {
        tree.remove(leaves[at->first]);
        boxes.erase(at);
      }
    }
    if (round % 100 == 0) versions.emplace_back(tree.snapshot(), boxes);
  }
  versions.emplace_back(tree.snapshot(), boxes);
  for (const auto& [snapshot, then] : versions) {
    core::Box all;
    for (const auto& [item, box] : then) all = core::join(all, box);
    EXPECT_EQ(snapshot.bounds().lo, all.lo);
    EXPECT_EQ(snapshot.bounds().hi, all.hi);
    for (int i = 0; i < 20; ++i) {
      const core::Box box = random_box(random, 10.0, 3.0);
      const std::vector<std::uint32_t> want = wanted(then, box);
      EXPECT_EQ(found(snapshot, box), want);
      hits += want.size();
    }
  }
  EXPECT_GT(hits, 1000U);
  EXPECT_GT(shown, 100U);
}

/// Also where a query has no end, and where nothing else is left.
TEST(BoxTree, WhatIsHiddenIsNowhere) {
  constexpr float kEndless = HUGE_VALF;
  const core::Box all{{-kEndless, -kEndless, -kEndless}, {kEndless, kEndless, kEndless}};
  BoxTree tree;
  std::vector<std::int32_t> leaves;
  for (std::uint32_t i = 0; i < 5; ++i) {
    const auto x = static_cast<float>(i);
    leaves.push_back(tree.insert(i, {{x, 0, 0}, {x, 1, 1}}));
  }
  tree.hide(leaves[0]);
  EXPECT_EQ(found(tree.snapshot(), all), (std::vector<std::uint32_t>{1, 2, 3, 4}));
  EXPECT_EQ(tree.bounds().lo, (Vec3f{1, 0, 0}));
  for (const std::int32_t leaf : leaves) tree.hide(leaf);
  EXPECT_TRUE(found(tree.snapshot(), all).empty());
  EXPECT_EQ(tree.bounds().lo, core::Box{}.lo);
  leaves.push_back(tree.insert(5, {{0, 0, 0}, {1, 1, 1}}));
  tree.show(leaves[2], {{2, 0, 0}, {2, 1, 1}}, {{9, 9, 9}, {9, 9, 9}});
  EXPECT_EQ(found(tree.snapshot(), all), (std::vector<std::uint32_t>{2, 5}));
}

TEST(BoxTree, StaysFlatWhateverTheOrder) {
  const auto depth_of = [](std::size_t count, const auto& box_of) {
    BoxTree tree;
    for (std::size_t i = 0; i < count; ++i) tree.insert(static_cast<std::uint32_t>(i), box_of(i));
    return tree.depth();
  };
  const auto line = [](std::size_t i) {
    const auto x = static_cast<float>(i);
    return core::Box{{x, 0, 0}, {x + 0.9F, 1, 1}};
  };
  const auto same = [](std::size_t /*i*/) { return core::Box{{0, 0, 0}, {1, 1, 1}}; };
  const auto nested = [](std::size_t i) {
    const float x = 1.0F + static_cast<float>(i);
    return core::Box{{-x, -x, -x}, {x, x, x}};
  };
  const auto points = [](std::size_t /*i*/) { return core::Box{{0, 0, 0}, {0, 0, 0}}; };
  RandomLinks random(5);
  const auto anywhere = [&](std::size_t /*i*/) { return random_box(random, 100.0, 1.0); };
  EXPECT_LT(depth_of(10000, line), 64);
  EXPECT_LT(depth_of(10000, same), 64);
  EXPECT_LT(depth_of(10000, points), 64);
  EXPECT_LT(depth_of(10000, nested), 64);
  EXPECT_LT(depth_of(10000, anywhere), 48);
}

TEST(BoxTree, BreaksOffWhereItIsTold) {
  BoxTree tree;
  for (std::uint32_t i = 0; i < 10; ++i) tree.insert(i, {{0, 0, 0}, {1, 1, 1}});
  int seen = 0;
  EXPECT_FALSE(
      tree.snapshot().visit({{0, 0, 0}, {1, 1, 1}}, [&](std::uint32_t) { return ++seen < 3; }));
  EXPECT_EQ(seen, 3);
  tree.clear();
  EXPECT_TRUE(tree.snapshot().visit({{0, 0, 0}, {1, 1, 1}}, [](std::uint32_t) { return false; }));
}

}  // namespace
}  // namespace tocsin::scene::box_tree_test
