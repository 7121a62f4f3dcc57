// Bodies of a sweep over boxes along one axis: sort by the low ends, then compare each box with
// those whose low end lies within it. Paper 000, section 4.1; docs/cuda.md, "Broadphase".
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/batch/layout.h"
#include "core/bounds/box.h"
#include "core/vector/axis_key.h"
#include "core/vector/hd.h"

namespace tocsin::core::batch {

/// True if the box holds a point. A box without one (on some axis lo > hi, or NaN) overlaps
/// nothing.
TOCSIN_HD constexpr bool holds_a_point(const Box& b) {
  return b.lo.x <= b.hi.x && b.lo.y <= b.hi.y && b.lo.z <= b.hi.z;
}

/// Axis 0, 1, 2: x, y, z.
TOCSIN_HD constexpr float along(const Vec3f& v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/// The least index in [begin, end) whose element is above `x`; `end` if none is.
template <class T>
TOCSIN_HD constexpr std::size_t first_above(const T* sorted, std::size_t begin, std::size_t end,
                                            T x) {
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (sorted[middle] <= x) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// The batch's links of a step: [begin, end).
struct LinkRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
};
TOCSIN_HD inline LinkRange links_of(const View& view, const BatchStep& step) {
  return {step.first_link, step.first_link + view.models[step.model].link_count};
}

/// boxes[i]: holds those of all links of step i; holds[i]: whether it holds a point.
struct StepBoxes {
  View view;
  const Box* links;  ///< per link of the batch
  Box* boxes;
  std::uint8_t* holds;
  TOCSIN_HD void operator()(std::size_t i) const {
    const LinkRange range = links_of(view, view.steps[i]);
    Box box;
    for (std::uint32_t link = range.begin; link < range.end; ++link) {
      const Box at = links[link];
      if (holds_a_point(at)) box = join(box, at);
    }
    boxes[i] = box;
    holds[i] = holds_a_point(box) ? 1 : 0;
  }
};

/// holds[i]: boxes[i] holds a point.
struct FlagBoxes {
  const Box* boxes;
  std::uint8_t* holds;
  TOCSIN_HD void operator()(std::size_t i) const { holds[i] = holds_a_point(boxes[i]) ? 1 : 0; }
};

/// The key of a coordinate within a group.
TOCSIN_HD constexpr std::uint64_t group_key(std::uint32_t group, float x) {
  return static_cast<std::uint64_t>(group) << 32U | axis_key(x);
}

/// keys[i]: sorts item i by group, then by its box's low end; boxes without a point come last, as
/// if they were a group of their own. order[i]: i.
struct SweepKeys {
  const Box* boxes;           ///< per item
  const BatchStep* steps;     ///< per item, for their groups; null: all are one group
  const std::uint8_t* holds;  ///< per item: its box holds a point
  std::uint32_t groups;       ///< all groups are below
  int axis;
  std::uint64_t* keys;
  std::uint32_t* order;
  TOCSIN_HD void operator()(std::size_t i) const {
    const std::uint32_t group = steps == nullptr ? 0 : steps[i].group;
    keys[i] = group_key(group, along(boxes[i].lo, axis));
    if (holds[i] == 0) keys[i] = group_key(groups, 0.0F);
    order[i] = static_cast<std::uint32_t>(i);
  }
};

/// sorted[i]: the box of the item at place i of the order. reach[i]: how many of those at the
/// places after i begin before it ends, in its group: these are compared with it; none for a box
/// without a point.
struct SweepReach {
  const Box* boxes;           ///< per item
  const std::uint64_t* keys;  ///< sorted
  const std::uint32_t* order;
  std::size_t count;
  std::uint32_t groups;  ///< as SweepKeys
  int axis;
  Box* sorted;
  std::uint32_t* reach;
  TOCSIN_HD void operator()(std::size_t i) const {
    const Box box = boxes[order[i]];
    const auto group = static_cast<std::uint32_t>(keys[i] >> 32U);
    const std::uint64_t last = group_key(group, along(box.hi, axis));
    sorted[i] = box;
    reach[i] = group == groups
                   ? 0
                   : static_cast<std::uint32_t>(first_above(keys, i + 1, count, last) - (i + 1));
  }
};

/// Comparisons of one thread: the bits of a mask. The comparisons of all places form one row, so
/// that a large box does not occupy one thread alone.
inline constexpr std::size_t kSweepChunk = 64;

/// Some of the comparisons of a row, [begin, end).
struct SweepStretch {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  /// The comparisons of its chunk c.
  [[nodiscard]] TOCSIN_HD constexpr SweepStretch chunk(std::size_t c) const {
    const std::uint64_t from = begin + c * kSweepChunk;
    return {from, from + kSweepChunk < end ? from + kSweepChunk : end};
  }
};

/// The comparisons of a sweep, in a row.
struct SweepRow {
  const Box* sorted;             ///< by place
  const std::uint64_t* offsets;  ///< per place, where its comparisons begin; count + 1
  std::size_t count;             ///< of places

  /// Calls compare(n, i, j) for all comparisons of a stretch: its n-th is of places i < j.
  template <class Compare>
  TOCSIN_HD void each(SweepStretch stretch, const Compare& compare) const {
    std::size_t i = first_above(offsets, 0, count + 1, stretch.begin) - 1;
    for (std::uint64_t t = stretch.begin; t < stretch.end; ++t) {
      if (t >= offsets[i + 1]) i = place(i + 1, t);
      compare(static_cast<unsigned>(t - stretch.begin), i,
              i + 1 + static_cast<std::size_t>(t - offsets[i]));
    }
  }

 private:
  /// The place whose comparison t is, from `from` on: mostly near it, since places without one
  /// stand between at most.
  TOCSIN_HD std::size_t place(std::size_t from, std::uint64_t t) const {
    std::size_t low = from;
    std::size_t stride = 1;
    while (low + stride <= count && offsets[low + stride] <= t) {
      low += stride;
      stride *= 2;
    }
    const std::size_t end = low + stride <= count ? low + stride : count + 1;
    return first_above(offsets, low, end, t) - 1;
  }
};

/// Steps first <= s < last.
struct StepsFromTo {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// masks[c]: which comparisons of the stretch's chunk c find two steps whose boxes overlap and of
/// which the one with the lower number is in the range; counts[c]: how many do.
struct SweepSteps {
  SweepRow row;
  SweepStretch stretch;
  const std::uint32_t* order;
  StepsFromTo range;
  std::uint64_t* masks;
  std::uint32_t* counts;
  TOCSIN_HD void operator()(std::size_t c) const {
    std::uint64_t mask = 0;
    std::uint32_t found = 0;
    row.each(stretch.chunk(c), [&](unsigned n, std::size_t i, std::size_t j) {
      if (!overlap(row.sorted[i], row.sorted[j])) return;
      const std::uint32_t lower = order[i] < order[j] ? order[i] : order[j];
      if (lower < range.first || lower >= range.last) return;
      mask |= std::uint64_t{1} << n;
      ++found;
    });
    masks[c] = mask;
    counts[c] = found;
  }
};

/// Writes what SweepSteps has found: keys of pairs of steps, the lower number in the upper half.
struct FillSteps {
  SweepRow row;
  SweepStretch stretch;
  const std::uint32_t* order;
  const std::uint64_t* masks;
  const std::uint64_t* places;  ///< per chunk: where its pairs go
  std::uint64_t* keys;
  TOCSIN_HD void operator()(std::size_t c) const {
    const std::uint64_t mask = masks[c];
    if (mask == 0) return;
    std::uint64_t* to = keys + places[c];
    row.each(stretch.chunk(c), [&](unsigned n, std::size_t i, std::size_t j) {
      if ((mask >> n & 1U) == 0) return;
      const std::uint32_t a = order[i];
      const std::uint32_t b = order[j];
      *to++ = a < b ? static_cast<std::uint64_t>(a) << 32U | b
                    : static_cast<std::uint64_t>(b) << 32U | a;
    });
  }
};

}  // namespace tocsin::core::batch
