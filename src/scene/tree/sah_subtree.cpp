#include "scene/tree/sah_subtree.h"

#include <algorithm>
#include <utility>

namespace tocsin::scene {

SahSubtree::Pair& SahSubtree::pair_at(int depth) {
  const auto level = static_cast<std::size_t>(depth - root_depth_);
  while (pairs_.size() <= level) pairs_.push_back(std::make_unique<Pair>());
  return *pairs_[level];
}

Topology SahSubtree::build(std::span<SahItem> items, std::span<SahItem> spare, int depth) {
  root_depth_ = depth;
  out_ = {};
  out_.order.reserve(items.size());
  const SahExtent extent = extent_of(items);
  Part root{items, spare, extent.bound, extent.weight, depth, nullptr};
  SahBins bins;
  if (!is_leaf(items.size(), extent.weight)) {
    bins.reset(extent.domain);
    fill_bins(items, bins);
    root.bins = &bins;
  }
  add(root);
  return std::move(out_);
}

std::uint32_t SahSubtree::add(const Part& part) {
  const auto index = static_cast<std::uint32_t>(out_.nodes.size());
  out_.nodes.push_back({static_cast<std::uint32_t>(out_.order.size()),
                        static_cast<std::uint32_t>(part.items.size()), 0, 0});
  out_.surface.push_back(surface_of(part.bound));
  if (part.bins == nullptr) {
    for (const SahItem& item : part.items) out_.order.push_back(item.index);
    return index;
  }
  Part children[2];
  const SahSplit split = split_of(part);
  if (split.axis < 3) {
    divide_at(part, split, children);
  } else {
    divide_at_median(part, children);
  }
  const std::uint32_t left = add(children[0]);
  const std::uint32_t right = add(children[1]);
  out_.nodes[index].left = left;
  out_.nodes[index].right = right;
  return index;
}

SahSplit SahSubtree::split_of(const Part& part) const {
  if (part.depth >= sah_depth_) return {};
  const SahSplit split = best_split(*part.bins, block_);
  // Boxes without surface, points or pieces of a line along an axis, cost nothing however they are
  // divided.
  if (split.cost == 0.0F) return {};
  if (split.axis < 3) return split;
  // All in one bin: the domain, cut from that of the parent, may be wider than need be.
  part.bins->reset(extent_of(part.items).domain);
  fill_bins(part.items, *part.bins);
  return best_split(*part.bins, block_);
}

void SahSubtree::divide_at(const Part& part, const SahSplit& split, Part children[2]) {
  const std::array<SahSide, 2> sides = sides_of(*part.bins, split);
  Pair& pair = pair_at(part.depth);
  for (std::size_t i = 0; i < 2; ++i) {
    Part& child = children[i];
    child.bound = sides[i].bound;
    child.weight = sides[i].weight;
    child.depth = part.depth + 1;
    if (child.weight > leaf_) {
      child.bins = &pair.bins[i];
      child.bins->reset(sides[i].domain);
    }
  }
  const std::size_t left =
      divide(part.items, *part.bins, split, part.spare, children[0].bins, children[1].bins);
  children[0].items = part.spare.first(left);
  children[0].spare = part.items.first(left);
  children[1].items = part.spare.subspan(left);
  children[1].spare = part.items.subspan(left);
  for (std::size_t i = 0; i < 2; ++i) {
    if (is_leaf(children[i].items.size(), children[i].weight)) children[i].bins = nullptr;
  }
}

void SahSubtree::divide_at_median(const Part& part, Part children[2]) {
  const SahDomain domain = extent_of(part.items).domain;
  std::size_t axis = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (domain.high[i] - domain.low[i] > domain.high[axis] - domain.low[axis]) axis = i;
  }
  struct Key {
    float twice_centre;
    std::uint32_t index;
    std::uint32_t place;
  };
  std::vector<Key> keys;
  keys.reserve(part.items.size());
  for (const SahItem& item : part.items) {
    const auto place = static_cast<std::uint32_t>(keys.size());
    keys.push_back({item.lo[axis] - item.minus_hi[axis], item.index, place});
  }
  const std::size_t half = keys.size() / 2;
  std::nth_element(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(half), keys.end(),
                   [](const Key& a, const Key& b) {
                     return std::pair(a.twice_centre, a.index) < std::pair(b.twice_centre, b.index);
                   });
  for (std::size_t i = 0; i < keys.size(); ++i) part.spare[i] = part.items[keys[i].place];
  Pair& pair = pair_at(part.depth);
  for (std::size_t i = 0; i < 2; ++i) {
    Part& child = children[i];
    child.items = i == 0 ? part.spare.first(half) : part.spare.subspan(half);
    child.spare = i == 0 ? part.items.first(half) : part.items.subspan(half);
    const SahExtent extent = extent_of(child.items);
    child.bound = extent.bound;
    child.weight = extent.weight;
    child.depth = part.depth + 1;
    if (is_leaf(child.items.size(), child.weight)) continue;
    child.bins = &pair.bins[i];
    child.bins->reset(extent.domain);
    fill_bins(child.items, *child.bins);
  }
}

}  // namespace tocsin::scene
