// Bodies that query a tree: which links are near anything, and which triangles may they touch? One
// link a thread. docs/cuda.md, "Trees".
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

/// flags[i]: 1 if boxes[i] overlaps the box of some triangle, else 0.
template <int K>
struct FlagNearRoom {
  RoomView room;
  TreeView<K> tree;
  const Box* boxes;
  std::uint8_t* flags;
  TOCSIN_HD void operator()(std::size_t i) const {
    const Box box = boxes[i];
    bool found = false;
    walk(
        tree, [&](const Kdop<K>& volume) { return overlap(box, box_of(volume)); },
        [&](std::uint32_t triangle) {
          const Corners v = corners_of(room, triangle);
          found = meets(box, v.a, v.b, v.c);
          return !found;
        });
    flags[i] = found ? 1 : 0;
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
/// for which that is true. Always in the same order.
template <int K, class Found>
TOCSIN_HD inline AskCost for_each_candidate(const RoomView& room, const TreeView<K>& tree,
                                            const SweptLink& link, const Found& found) {
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
                              });
  return cost;
}

/// counts[i]: how many candidates swept[i] has. The cost is added to its step's tally.
template <int K>
struct CountCandidates {
  RoomView room;
  TreeView<K> tree;
  const SweptLink* swept;
  const std::uint32_t* near;          ///< of the batch
  const std::uint32_t* step_of_link;  ///< of the batch
  std::uint32_t* counts;
  StepTally* tallies;  ///< per step of the batch
  TOCSIN_HD void operator()(std::size_t i) const {
    std::uint32_t count = 0;
    const AskCost cost = for_each_candidate(room, tree, swept[i], [&](std::uint32_t) { ++count; });
    counts[i] = count;
    StepTally& tally = tallies[step_of_link[near[i]]];
    atomic_add(tally.volume_tests, static_cast<std::uint64_t>(cost.volume_tests));
    atomic_add(tally.primitive_tests, static_cast<std::uint64_t>(cost.primitive_tests));
  }
};

/// Writes the candidates of swept[begin + i] to candidates[offsets[begin + i] - offsets[begin]] and
/// following.
template <int K>
struct FillCandidates {
  RoomView room;
  TreeView<K> tree;
  const SweptLink* swept;
  std::size_t begin;
  const std::uint64_t* offsets;
  Candidate* candidates;
  TOCSIN_HD void operator()(std::size_t i) const {
    const auto near = static_cast<std::uint32_t>(begin + i);
    Candidate* next = candidates + (offsets[near] - offsets[begin]);
    for_each_candidate(room, tree, swept[near], [&](std::uint32_t triangle) {
      *next++ = {near, triangle};
    });
  }
};

}  // namespace tocsin::core::batch
