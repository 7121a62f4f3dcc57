#include "scene/instance/box_tree.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tocsin::scene {
namespace {

/// Half of a box's surface, in single precision: how likely a query meets it.
float half_area(const core::Box& b) {
  if (b.hi.x < b.lo.x) return 0.0F;  // of those that are hidden
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
    change(out) = {};
    free_ = above(out).parent;
    above(out) = {};
    return out;
  }
  above_.resize(nodes_.size() + 1);
  nodes_.push_back({});
  return static_cast<std::int32_t>(nodes_.size()) - 1;
}

void BoxTree::give_node(std::int32_t i) {
  above(i) = {free_, 0};
  free_ = i;
}

void BoxTree::clear() {
  nodes_.clear();
  above_.clear();
  root_ = -1;
  free_ = -1;
}

std::int32_t BoxTree::insert(std::uint32_t item, const core::Box& box) {
  const std::int32_t leaf = take_node();
  change(leaf) = {box, -1, static_cast<std::int32_t>(item)};
  put(leaf);
  return leaf;
}

void BoxTree::remove(std::int32_t leaf) {
  take_out(leaf);
  give_node(leaf);
}

void BoxTree::set_box(std::int32_t leaf, const core::Box& box) {
  change(leaf).box = box;
  for (std::int32_t i = above(leaf).parent; i >= 0 && fit(i);) i = above(i).parent;
}

void BoxTree::hide(std::int32_t leaf) { set_box(leaf, {}); }

void BoxTree::move(std::int32_t leaf, const core::Box& before, const core::Box& box) {
  // It stays in its neighbourhood, and the tree as it is.
  if (core::overlap(before, box)) return set_box(leaf, box);
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
    const bool go_left =
        left != right ? left < right : above(n.left).height <= above(n.right).height;
    at = go_left ? n.left : n.right;
  }
  return at;
}

void BoxTree::put(std::int32_t leaf) {
  if (root_ < 0) {
    root_ = leaf;
    above(leaf).parent = -1;
    return;
  }
  const std::int32_t sibling = best_sibling(node(leaf).box);
  const std::int32_t parent = above(sibling).parent;
  const std::int32_t joint = take_node();
  BoxNode& n = change(joint);
  n.left = sibling;
  n.right = leaf;
  replace_child(parent, sibling, joint);
  above(joint).parent = parent;
  above(sibling).parent = joint;
  above(leaf).parent = joint;
  fit_from(joint, true);
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
  const std::int32_t parent = above(leaf).parent;
  if (parent < 0) {
    root_ = -1;
    return;
  }
  const BoxNode& joint = node(parent);
  const std::int32_t sibling = joint.left == leaf ? joint.right : joint.left;
  const std::int32_t grandparent = above(parent).parent;
  replace_child(grandparent, parent, sibling);
  above(sibling).parent = grandparent;
  give_node(parent);
  fit_from(grandparent, false);  // what comes next improves it
}

bool BoxTree::fit(std::int32_t i) {
  const BoxNode& left = node(node(i).left);
  const BoxNode& right = node(node(i).right);
  const core::Box box = core::join(left.box, right.box);
  const std::int32_t height = 1 + std::max(above(node(i).left).height, above(node(i).right).height);
  const bool same = box.lo == node(i).box.lo && box.hi == node(i).box.hi;
  if (!same) change(i).box = box;
  return std::exchange(above(i).height, height) != height || !same;
}

void BoxTree::fit_from(std::int32_t i, bool improve) {
  bool changed = true;
  for (; i >= 0 && changed; i = above(i).parent) {
    const bool turned = turn(i, improve);
    changed = fit(i) || turned;
  }
}

bool BoxTree::turn(std::int32_t i, bool improve) {
  const BoxNode& n = node(i);
  const int uneven = above(n.left).height - above(n.right).height;
  if (std::abs(uneven) > kMostLevelsApart) {
    // The shorter side changes places with the taller grandchild of the other.
    const std::int32_t inner = uneven > 0 ? n.left : n.right;
    const std::int32_t outer = uneven > 0 ? n.right : n.left;
    const BoxNode& tall = node(inner);
    const bool left = above(tall.left).height >= above(tall.right).height;
    exchange(i, {inner, outer, left ? tall.left : tall.right});
    turn(inner, improve);
    fit(inner);
    return true;
  }
  const std::optional<Exchange> better = improve ? best_exchange(i) : std::nullopt;
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
      const int below = 1 + std::max(above(outer).height, above(stays).height);
      const bool even = std::abs(above(outer).height - above(stays).height) <= kMostLevelsApart &&
                        std::abs(below - above(moved).height) <= kMostLevelsApart;
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
  above(with.outer).parent = with.inner;
  above(with.moved).parent = i;
}

BoxTree::Snapshot BoxTree::snapshot() {
  Snapshot out;
  out.nodes_ = nodes_.snapshot();
  out.root_ = root_;
  return out;
}

}  // namespace tocsin::scene
