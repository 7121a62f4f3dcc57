// End points of boxes along an axis as integers that sort the way closed intervals meet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/bounds/box.h"
#include "core/vector/axis_key.h"

namespace tocsin::cpu {

using core::axis_key;

/// Which end of an interval.
enum Side : std::uint32_t { kLow = 0, kHigh = 1 };

/// A box by its keys, end[side][axis]. One read fetches it whole: half of a cache line.
struct alignas(32) KeyBox {
  std::array<std::array<std::uint32_t, 4>, 2> end{};  ///< the fourth is 0
};

/// Below and above the keys of all numbers, infinities included.
inline constexpr std::uint32_t kBelowAll = 0;
inline constexpr std::uint32_t kAboveAll = 0xFFFFFFFFU;

/// The box that overlaps nothing. Its high ends sort before everything and its low ends after it:
/// no order of end points ever says that it meets another box, not even another empty one.
inline constexpr KeyBox kEmptyBox{
    {{{kAboveAll, kAboveAll, kAboveAll, 0}, {kBelowAll, kBelowAll, kBelowAll, 0}}}};

constexpr bool is_empty(const KeyBox& box) {
  return box.end[kLow][0] > box.end[kHigh][0] || box.end[kLow][1] > box.end[kHigh][1] ||
         box.end[kLow][2] > box.end[kHigh][2];
}

/// The keys of a box; kEmptyBox if it holds no point (on some axis, lo > hi or NaN).
constexpr KeyBox key_box(const core::Box& box) {
  const bool holds = box.lo.x <= box.hi.x && box.lo.y <= box.hi.y && box.lo.z <= box.hi.z;
  if (!holds) return kEmptyBox;
  return {{{{axis_key(box.lo.x), axis_key(box.lo.y), axis_key(box.lo.z), 0},
            {axis_key(box.hi.x), axis_key(box.hi.y), axis_key(box.hi.z), 0}}}};
}

constexpr bool overlap_on(const KeyBox& a, const KeyBox& b, std::size_t axis) {
  return a.end[kLow][axis] <= b.end[kHigh][axis] && b.end[kLow][axis] <= a.end[kHigh][axis];
}

/// core::overlap of boxes that are not empty; false for an empty one. Without a branch: which axis
/// separates two boxes is as good as random.
constexpr bool overlap(const KeyBox& a, const KeyBox& b) {
  return (static_cast<unsigned>(overlap_on(a, b, 0)) & static_cast<unsigned>(overlap_on(a, b, 1)) &
          static_cast<unsigned>(overlap_on(a, b, 2))) != 0;
}

/// An end point: key, side and body, from the highest bits to the lowest. As an integer it sorts by
/// coordinate; low ends come before high ends at the same place, since closed boxes that touch
/// overlap; then by body, so that the order is unique.
using EndPoint = std::uint64_t;

constexpr EndPoint end_point(std::uint32_t key, std::uint32_t side, std::uint32_t body) {
  return static_cast<EndPoint>(key) << 32U | static_cast<EndPoint>(side) << 31U | body;
}
constexpr std::uint32_t body_of(EndPoint e) { return static_cast<std::uint32_t>(e) & 0x7FFFFFFFU; }
constexpr std::uint32_t side_of(EndPoint e) { return static_cast<std::uint32_t>(e) >> 31U; }

}  // namespace tocsin::cpu
