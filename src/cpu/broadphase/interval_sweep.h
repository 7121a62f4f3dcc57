// All overlapping pairs of boxes from scratch: a sweep along one axis with an interval tree over
// another. Paper 000, section 4.3; paper 002, section 6.2.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "cpu/broadphase/body_pairs.h"
#include "cpu/broadphase/end_points.h"
#include "cpu/broadphase/interval_tree.h"

namespace tocsin::cpu {

/// Work done by the latest call, for benches and tests.
struct SweepCounters {
  std::uint64_t nodes = 0;      ///< nodes of interval trees visited
  std::uint64_t box_tests = 0;  ///< pairs of boxes compared on the remaining axes
};

/// What an IntervalSweep may do.
enum class SweepKind : std::uint8_t {
  kFastest,  ///< without the tree where it would not pay: few boxes, or few that overlap on an axis
  kTree,     ///< the tree, always: for tests and benches
};

/// Needs no memory of earlier boxes, costs n log n + k for k pairs that overlap on two axes. Owns
/// memory that is used again; not shared between threads.
class IntervalSweep {
 public:
  explicit IntervalSweep(SweepKind kind = SweepKind::kFastest) : kind_(kind) {}

  /// The pairs of boxes that overlap (core::overlap: closed boxes; an empty box, lo > hi on some
  /// axis, overlaps nothing), in order of (first, second). Valid until the next call. The two axes
  /// on which the boxes are spread the most, measured in boxes, are the ones swept. Precondition:
  /// no coordinate is NaN.
  std::span<const BodyPair> pairs(std::span<const core::Box> boxes);
  /// The same for boxes whose keys are known.
  std::span<const BodyPair> pairs(std::span<const KeyBox> boxes);

  [[nodiscard]] const SweepCounters& counters() const { return counters_; }

 private:
  void add(const KeyBox& box, std::size_t body);
  void find(std::size_t bodies);
  void test_all();
  void sweep();
  void sweep_list(std::size_t axis);
  void sweep_tree(std::size_t tree_axis, std::size_t last_axis);
  /// Numbers the boxes in the order of their low ends in `ends`, and renames the end points.
  void renumber(std::vector<EndPoint>& ends);
  void keep(std::uint32_t i, std::uint32_t j);
  /// Sorts the end points of boxes_ along an axis into `ends`.
  void sort_ends(std::size_t axis, std::vector<EndPoint>& ends);

  SweepKind kind_;
  SweepCounters counters_;
  std::vector<KeyBox> boxes_;          ///< those that are not empty
  std::vector<std::uint32_t> bodies_;  ///< which they are
  std::vector<KeyBox> new_boxes_;      ///< working memory of renumber()
  std::vector<std::uint32_t> new_bodies_;
  std::vector<std::uint32_t> number_;
  std::vector<EndPoint> sweep_ends_;
  std::vector<EndPoint> tree_ends_;
  IntervalTree tree_;
  std::vector<std::uint64_t> found_;  ///< pairs as numbers that sort like them
  std::vector<std::uint64_t> spare_;
  std::vector<BodyPair> pairs_;
  unsigned body_bits_ = 0;  ///< of the numbers of bodies
};

}  // namespace tocsin::cpu
