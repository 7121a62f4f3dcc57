// Bodies that query a tree: which links are near anything, and which triangles may they touch? One
// or several threads a link. docs/cuda.md, "Trees".
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/batch/layout.h"
#include "core/batch/tree.h"
#include "core/bounds/box.h"
#include "core/bounds/kdop.h"
#include "core/bounds/may_touch.h"
#include "core/motion/swept_link.h"
#include "core/vector/atomic.h"
#include "core/vector/hd.h"

namespace tocsin::core::batch {

/// flags, per lane of each link: 1 if the link's box overlaps the box of some triangle that the
/// lane finds, else 0.
template <int K>
struct FlagNearRoom {
  RoomView room;
  TreeView<K> tree;
  const Box* boxes;
  unsigned lane_bits;
  std::uint8_t* flags;
  TOCSIN_HD void operator()(std::size_t i) const {
    const Box box = boxes[i >> lane_bits];
    bool found = false;
    walk(
        tree, [&](const Kdop<K>& volume) { return overlap(box, box_of(volume)); },
        [&](std::uint32_t triangle) {
          const Corners v = corners_of(room, triangle);
          found = meets(box, v.a, v.b, v.c);
          return !found;
        },
        Lane::of(i, lane_bits));
    flags[i] = found ? 1 : 0;
  }
};

/// flags[i]: 1 if any of the flags of its lanes is set, else 0.
struct AnyLane {
  const std::uint8_t* of_lane;
  unsigned lane_bits;
  std::uint8_t* flags;
  TOCSIN_HD void operator()(std::size_t i) const {
    std::uint8_t any = 0;
    for (std::size_t lane = 0; lane < std::size_t{1} << lane_bits; ++lane) {
      any |= of_lane[(i << lane_bits) + lane];
    }
    flags[i] = any;
  }
};

/// The k-DOP that holds a link over the whole step. Along the axes these are the bits of its box.
template <int K>
TOCSIN_HD inline Kdop<K> whole_kdop(const SweptLink& link) {
  Kdop<K> whole = piece_kdop<K>(link, 0);
  for (std::int32_t i = 1; i < link.pieces; ++i) whole = join(whole, piece_kdop<K>(link, i));
  return whole;
}

/// The cost of a query.
struct AskCost {
  std::uint32_t volume_tests = 0;
  std::uint32_t primitive_tests = 0;
};

/// Calls found(triangle) for every triangle that the link may touch and the tree finds: all for
/// which core::may_graze is true, none for which core::may_touch is false. With K = 6 exactly those
/// for which that is true. Always in the same order. A lane of several finds a part of them.
template <int K, class Found>
TOCSIN_HD inline AskCost for_each_candidate(const RoomView& room, const TreeView<K>& tree,
                                            const SweptLink& link, const Found& found,
                                            Lane lane = {}) {
  const Kdop<K> whole = whole_kdop<K>(link);
  const NearTest test(link, room.farthest);
  AskCost cost;
  cost.volume_tests = 2 * walk(
                              tree, [&](const Kdop<K>& volume) { return overlap(whole, volume); },
                              [&](std::uint32_t triangle) {
                                const Corners v = corners_of(room, triangle);
                                ++cost.primitive_tests;
                                if (test.may_touch(v.a, v.b, v.c)) found(triangle);
                                return true;
                              },
                              lane);
  return cost;
}

/// Adds the cost of a query to the tally of the link's step.
TOCSIN_HD inline void add_cost(const AskCost& cost, StepTally& tally) {
  atomic_add(tally.volume_tests, static_cast<std::uint64_t>(cost.volume_tests));
  atomic_add(tally.primitive_tests, static_cast<std::uint64_t>(cost.primitive_tests));
}

/// Near links of a batch, and how many threads each has.
struct AskedLinks {
  const SweptLink* swept;
  const std::uint32_t* near;          ///< of the batch
  const std::uint32_t* step_of_link;  ///< of the batch
  unsigned lane_bits;
  StepTally* tallies;  ///< per step of the batch; null: costs are not added
  [[nodiscard]] TOCSIN_HD StepTally& tally(std::size_t link) const {
    return tallies[step_of_link[near[link]]];
  }
};

/// counts, per lane of each link: how many candidates it finds. The cost is added to the step's
/// tally.
template <int K>
struct CountCandidates {
  RoomView room;
  TreeView<K> tree;
  AskedLinks links;
  std::uint32_t* counts;
  TOCSIN_HD void operator()(std::size_t i) const {
    std::uint32_t count = 0;
    const std::size_t link = i >> links.lane_bits;
    const AskCost cost = for_each_candidate(
        room, tree, links.swept[link], [&](std::uint32_t) { ++count; },
        Lane::of(i, links.lane_bits));
    counts[i] = count;
    if (links.tallies != nullptr) add_cost(cost, links.tally(link));
  }
};

/// Writes the candidates of the lanes of swept[begin] and following to
/// candidates[offsets[lane] - offsets[first]] and following; `first`: the first lane of `begin`.
template <int K>
struct FillCandidates {
  RoomView room;
  TreeView<K> tree;
  const SweptLink* swept;
  std::size_t begin;
  unsigned lane_bits;
  const std::uint64_t* offsets;  ///< per lane of each link
  Candidate* candidates;
  TOCSIN_HD void operator()(std::size_t i) const {
    const std::size_t first = begin << lane_bits;
    const auto near = static_cast<std::uint32_t>((first + i) >> lane_bits);
    Candidate* next = candidates + (offsets[first + i] - offsets[first]);
    for_each_candidate(
        room, tree, swept[near],
        [&](std::uint32_t triangle) {
          *next++ = {near, triangle};
        },
        Lane::of(i, lane_bits));
  }
};

/// Both in one: writes candidates in any order as long as there is room, and counts all.
template <int K>
struct AppendCandidates {
  RoomView room;
  TreeView<K> tree;
  AskedLinks links;
  std::size_t most;  ///< candidates that there is room for
  Candidate* candidates;
  std::uint64_t* count;  ///< 0 before
  TOCSIN_HD void operator()(std::size_t i) const {
    const auto near = static_cast<std::uint32_t>(i >> links.lane_bits);
    const AskCost cost = for_each_candidate(
        room, tree, links.swept[near],
        [&](std::uint32_t triangle) {
          const std::uint64_t at = atomic_take(*count, 1);
          if (at < most) candidates[at] = {near, triangle};
        },
        Lane::of(i, links.lane_bits));
    add_cost(cost, links.tally(near));
  }
};

}  // namespace tocsin::core::batch
