#include "scene/instance/box_tree.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tocsin::scene {
namespace {

/// Half of a box's surface, in single precision: how likely a query meets it.
float half_area(const core::Box& b) {
  const float x = b.hi.x - b.lo.x;
  const float y = b.hi.y - b.lo.y;
  const float z = b.hi.z - b.lo.z;
  return x * y + y * z + z * x;
}

/// How much taller one side of a node may be than the other: the tree of 10,000 boxes is at most 33
/// high then. Less leaves less freedom to keep boxes small.
constexpr int kMostLevelsApart = 4;

}  // namespace

std::int32_t BoxTree::take_node() {
  if (free_ >= 0) {
    const std::int32_t out = free_;
    free_ = node(out).parent;
    change(out) = {};
    return out;
  }
  nodes_.push_back({});
  return static_cast<std::int32_t>(nodes_.size()) - 1;
}

void BoxTree::give_node(std::int32_t i) {
  BoxNode& n = change(i);
  n = {};
  n.parent = free_;
  free_ = i;
}

void BoxTree::clear() {
  nodes_.clear();
  root_ = -1;
  free_ = -1;
}

std::int32_t BoxTree::insert(std::uint32_t item, const core::Box& box) {
  const std::int32_t leaf = take_node();
  BoxNode& n = change(leaf);
  n.item = item;
  n.box = box;
  put(leaf);
  return leaf;
}

void BoxTree::remove(std::int32_t leaf) {
  take_out(leaf);
  give_node(leaf);
}

void BoxTree::move(std::int32_t leaf, const core::Box& box) {
  const core::Box old = node(leaf).box;
  if (core::overlap(old, box)) {  // it stays in its neighbourhood, and the tree as it is
    change(leaf).box = box;
    for (std::int32_t i = node(leaf).parent; i >= 0 && fit(i);) i = node(i).parent;
    return;
  }
  take_out(leaf);
  change(leaf).box = box;
  put(leaf);
}

std::int32_t BoxTree::best_sibling(const core::Box& box) const {
  const float least = half_area(box);
  std::int32_t at = root_;
  while (!node(at).leaf()) {
    const BoxNode& n = node(at);
    // To stop here makes a node around both; to go on makes this one larger, and one below.
    const float here = half_area(core::join(n.box, box));
    const float growth = here - half_area(n.box);
    const auto below = [&](std::int32_t child) {
      const BoxNode& c = node(child);
      const float joined = half_area(core::join(c.box, box));
      // A node around the box comes in any case, and is as large as the box at least.
      return growth + (c.leaf() ? joined : joined - half_area(c.box) + least);
    };
    const float left = below(n.left);
    const float right = below(n.right);
    if (here < left && here < right) break;
    const bool go_left = left != right ? left < right : node(n.left).height <= node(n.right).height;
    at = go_left ? n.left : n.right;
  }
  return at;
}

void BoxTree::put(std::int32_t leaf) {
  if (root_ < 0) {
    root_ = leaf;
    change(leaf).parent = -1;
    return;
  }
  const std::int32_t sibling = best_sibling(node(leaf).box);
  const std::int32_t above = node(sibling).parent;
  const std::int32_t joint = take_node();
  BoxNode& n = change(joint);
  n.parent = above;
  n.left = sibling;
  n.right = leaf;
  change(sibling).parent = joint;
  change(leaf).parent = joint;
  replace_child(above, sibling, joint);
  fit_from(joint);
}

void BoxTree::replace_child(std::int32_t parent, std::int32_t from, std::int32_t to) {
  if (parent < 0) {
    root_ = to;
    return;
  }
  BoxNode& n = change(parent);
  (n.left == from ? n.left : n.right) = to;
}

void BoxTree::take_out(std::int32_t leaf) {
  const std::int32_t parent = node(leaf).parent;
  if (parent < 0) {
    root_ = -1;
    return;
  }
  const BoxNode joint = node(parent);
  const std::int32_t sibling = joint.left == leaf ? joint.right : joint.left;
  change(sibling).parent = joint.parent;
  replace_child(joint.parent, parent, sibling);
  give_node(parent);
  fit_from(joint.parent);
}

bool BoxTree::fit(std::int32_t i) {
  const BoxNode& left = node(node(i).left);
  const BoxNode& right = node(node(i).right);
  const core::Box box = core::join(left.box, right.box);
  const std::int32_t height = 1 + std::max(left.height, right.height);
  if (height == node(i).height && box.lo == node(i).box.lo && box.hi == node(i).box.hi) {
    return false;
  }
  BoxNode& n = change(i);
  n.box = box;
  n.height = height;
  return true;
}

void BoxTree::fit_from(std::int32_t i) {
  bool changed = true;
  for (; i >= 0 && changed; i = node(i).parent) {
    const bool turned = turn(i);
    changed = fit(i) || turned;
  }
}

bool BoxTree::turn(std::int32_t i) {
  const BoxNode& n = node(i);
  const int uneven = node(n.left).height - node(n.right).height;
  if (std::abs(uneven) > kMostLevelsApart) {
    // The shorter side changes places with the taller grandchild of the other.
    const std::int32_t inner = uneven > 0 ? n.left : n.right;
    const std::int32_t outer = uneven > 0 ? n.right : n.left;
    const BoxNode& tall = node(inner);
    const bool left = node(tall.left).height >= node(tall.right).height;
    exchange(i, {inner, outer, left ? tall.left : tall.right});
    turn(inner);
    fit(inner);
    return true;
  }
  const std::optional<Exchange> better = best_exchange(i);
  if (!better) return false;
  exchange(i, *better);
  fit(better->inner);
  return true;
}

std::optional<BoxTree::Exchange> BoxTree::best_exchange(std::int32_t i) const {
  std::optional<Exchange> out;
  float best = 0.0F;
  const auto look = [&](std::int32_t inner, std::int32_t outer) {
    const BoxNode& n = node(inner);
    if (n.leaf()) return;
    const float now = half_area(core::join(node(n.left).box, node(n.right).box));
    for (const auto& [moved, stays] : {std::pair(n.left, n.right), std::pair(n.right, n.left)}) {
      const float gain = now - half_area(core::join(node(outer).box, node(stays).box));
      const int below = 1 + std::max(node(outer).height, node(stays).height);
      const bool even = std::abs(node(outer).height - node(stays).height) <= kMostLevelsApart &&
                        std::abs(below - node(moved).height) <= kMostLevelsApart;
      if (!(gain > best) || !even) continue;
      best = gain;
      out = {inner, outer, moved};
    }
  };
  look(node(i).left, node(i).right);
  look(node(i).right, node(i).left);
  return out;
}

void BoxTree::exchange(std::int32_t i, const Exchange& with) {
  replace_child(with.inner, with.moved, with.outer);
  replace_child(i, with.outer, with.moved);
  change(with.outer).parent = with.inner;
  change(with.moved).parent = i;
}

BoxTree::Snapshot BoxTree::snapshot() {
  Snapshot out;
  out.nodes_ = nodes_.snapshot();
  out.root_ = root_;
  return out;
}

}  // namespace tocsin::scene
