// The pairs of moving bodies whose boxes overlap, from frame to frame: sweep and prune. Paper 000,
// sections 4.1, 4.2 and 5.1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "cpu/broadphase/body_pairs.h"
#include "cpu/broadphase/end_points.h"
#include "cpu/broadphase/interval_sweep.h"
#include "cpu/broadphase/pair_mask.h"

namespace tocsin::cpu {

/// Work done by the latest update, for benches and tests.
struct PruneCounters {
  std::uint64_t swaps = 0;       ///< neighbours exchanged while sorting, three axes together
  std::uint64_t box_tests = 0;   ///< pairs compared because intervals came to overlap on an axis
  std::uint64_t pair_tests = 0;  ///< pairs of the frame before that were compared again
  std::uint64_t began = 0;    ///< pairs that came to overlap; not counted in a frame from scratch
  std::uint64_t ended = 0;    ///< pairs that ceased to; likewise
  bool from_scratch = false;  ///< coherence was not used
  SweepCounters sweep;        ///< if so, what that cost
};

/// Three lists of end points stay sorted by insertion sort, which is linear if little changes.
/// Where a low end passes a high end downwards, two intervals come to overlap: only then are two
/// boxes compared, with the coordinates they have at the end of the frame. Memory: O(bodies +
/// overlapping pairs). Boxes may be of any kind: those of a body at a moment, over a step, or its
/// fixed_cube. After anything has thrown (std::bad_alloc only) it knows nothing: assign a new one.
class SweepAndPrune {
 public:
  /// A body with this box; its number is one that no other body has now, and is used again after
  /// remove(). Precondition: no coordinate is NaN. An empty box overlaps nothing.
  BodyId insert(const core::Box& box);
  void remove(BodyId body);
  /// The body has this box from the next update() on, however far away it is.
  void move(BodyId body, const core::Box& box) {
    boxes_[static_cast<std::size_t>(body)] = key_box(box);
  }
  /// How many bodies there are.
  [[nodiscard]] std::size_t size() const { return size_; }

  /// Applies everything that was inserted, removed and moved.
  void update();

  /// The active pairs whose boxes overlap (core::overlap), in order of (first, second), as of the
  /// latest update(); what mask() says counts at once. Valid until either changes.
  std::span<const BodyPair> pairs();

  /// Which pairs are active. A new body's number is renewed in it by insert().
  [[nodiscard]] PairMask& mask() { return mask_; }
  [[nodiscard]] const PairMask& mask() const { return mask_; }

  [[nodiscard]] const PruneCounters& counters() const { return counters_; }

 private:
  /// What the lists know of a number.
  enum class Slot : std::uint8_t {
    kFree,    ///< no body, no end points
    kNew,     ///< a body, no end points yet
    kListed,  ///< a body and its end points
    kGone,    ///< no body any more, but its end points
  };

  /// A body whose low end, and one whose high end.
  struct Passed {
    std::uint32_t low;
    std::uint32_t high;
  };

  void drop_gone();
  void append_new();
  /// Insertion sort of one axis. False if it was broken off: `budget` swaps were not enough.
  bool sort(std::size_t axis, std::uint64_t& budget);
  /// Compares bodies of which a low end has passed a high end on this axis.
  void compare(std::span<const Passed> passed, std::size_t axis);
  void merge_pairs();
  void start_over();
  void list_all();

  std::vector<KeyBox> boxes_;  ///< by number; kEmptyBox without a body
  std::vector<Slot> slots_;
  std::vector<BodyId> free_;
  std::size_t size_ = 0;
  std::size_t new_ = 0;   ///< slots that are kNew
  std::size_t gone_ = 0;  ///< slots that are kGone
  std::array<std::vector<EndPoint>, 3> ends_;

  std::vector<Passed> passed_;  ///< working memory of sort()

  std::vector<BodyPair> overlapping_;
  std::vector<BodyPair> began_;
  std::vector<BodyPair> merged_;
  PairMask mask_;
  std::vector<BodyPair> active_;      ///< the active ones, unless all are
  std::uint64_t active_version_ = 0;  ///< the mask's, when they were selected
  bool active_known_ = false;

  IntervalSweep sweep_;
  std::vector<std::uint64_t> spare_;
  unsigned rests_ = 0;      ///< updates that will not try to sort by insertion
  unsigned last_rest_ = 0;  ///< how many that were last time
  PruneCounters counters_;
};

}  // namespace tocsin::cpu
