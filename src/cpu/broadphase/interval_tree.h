// Which of a changing set of intervals overlap a given one: Edelsbrunner's interval tree (paper
// 000, section 4.3, its reference [8]), over intervals that are all known beforehand.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cpu/broadphase/bit_tree.h"
#include "cpu/broadphase/end_points.h"

namespace tocsin::cpu {

/// End points are known by their rank among all, so the tree needs no pointers: the node that an
/// interval is kept at, the highest whose centre it contains, follows from its two ranks alone.
/// Keeping and dropping an interval costs O(log64 n), a visit O(log n + k log64 n).
class IntervalTree {
 public:
  /// The n intervals, by their 2 n sorted end points, which name them 0 to n - 1 in order of their
  /// low ends. None is kept yet.
  void set(std::span<const EndPoint> sorted);

  void insert(std::uint32_t i) {
    in_order_.insert(i);
    up_.insert(interval_[i].up);
    down_.insert(interval_[i].down);
  }
  void erase(std::uint32_t i) {
    in_order_.erase(i);
    up_.erase(interval_[i].up);
    down_.erase(interval_[i].down);
  }

  /// Calls f(j) once for each interval that is kept and overlaps interval i, other than i itself.
  /// Returns how many nodes were looked at.
  template <class F>
  std::uint64_t visit(std::uint32_t i, const F& f) const {
    // Those that begin inside of i, ...
    const Interval& interval = interval_[i];
    for (std::size_t j = in_order_.next(i + 1, interval.next); j < interval.next;
         j = in_order_.next(j + 1, interval.next)) {
      f(static_cast<std::uint32_t>(j));
    }
    // ... and those that i begins inside of.
    return stab(interval.low, f);
  }

 private:
  struct Interval {
    std::uint32_t low;   ///< rank of the low end
    std::uint32_t high;  ///< rank of the high end
    std::uint32_t next;  ///< the first interval that begins behind this one
    std::uint32_t up;    ///< its slot in up_entry_
    std::uint32_t down;  ///< its slot in down_entry_
  };
  struct Node {
    std::uint32_t begin = 0;               ///< its first slot; the next node's is behind its last
    std::uint32_t least_low = 0xFFFFFFFF;  ///< of all that may be kept here
    std::uint32_t greatest_high = 0;       ///< likewise
  };
  /// An interval among those of its node.
  struct Entry {
    std::uint32_t rank;  ///< of the end that the node is sorted by
    std::uint32_t interval;
  };

  /// The centre of the node of an interval, and the node's index: the number in (low, high] that
  /// the most powers of two divide. 2 n - 1 of them.
  static std::uint32_t node_of(const Interval& i) {
    const int level = 31 - std::countl_zero(i.low ^ i.high);
    return i.high >> level << level;
  }

  /// Calls f for the intervals kept that contain `rank` inside.
  template <class F>
  std::uint64_t stab(std::uint32_t rank, const F& f) const {
    std::uint64_t nodes = 0;
    for (std::uint32_t left = levels_; left != 0; left &= left - 1) {
      const int level = std::countr_zero(left);
      const std::uint32_t centre = (rank >> level | 1U) << level;
      if (centre >= ranks_) continue;  // to the right of everything
      ++nodes;
      const Node& node = node_[centre];
      const std::size_t end = node_[centre + 1].begin;
      if (centre > rank) {  // all end behind it: those that begin before
        if (node.least_low >= rank) continue;
        for (std::size_t s = up_.next(node.begin, end); s < end && up_entry_[s].rank < rank;
             s = up_.next(s + 1, end)) {
          f(up_entry_[s].interval);
        }
      } else {  // all begin before it: those that end behind
        if (node.greatest_high <= rank) continue;
        for (std::size_t s = down_.next(node.begin, end); s < end && down_entry_[s].rank > rank;
             s = down_.next(s + 1, end)) {
          f(down_entry_[s].interval);
        }
      }
    }
    return nodes;
  }

  std::uint32_t ranks_ = 0;  ///< of end points: 2 n
  std::vector<Interval> interval_;
  std::vector<Node> node_;         ///< by centre; one more at the end
  std::uint32_t levels_ = 0;       ///< a bit for each level that has intervals
  std::vector<Entry> up_entry_;    ///< slots of a node, low ends upwards
  std::vector<Entry> down_entry_;  ///< slots of a node, high ends downwards
  BitTree in_order_;               ///< intervals kept
  BitTree up_;                     ///< their slots in up_entry_
  BitTree down_;                   ///< their slots in down_entry_
};

}  // namespace tocsin::cpu
