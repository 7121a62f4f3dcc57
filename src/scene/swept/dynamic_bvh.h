// The dynamic hierarchy of boxes over moving links. Paper 004, section 5.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bounds/box.h"

namespace tocsin::scene {

/// A binary tree of boxes, built bottom-up over leaves that lie near each other in their order (the
/// links of an avatar, avatar after avatar). Memory is reused from step to step.
class DynamicBvh {
 public:
  /// Builds the tree: n - 1 joins of boxes.
  void set(std::span<const core::Box> leaves);
  [[nodiscard]] std::size_t leaf_count() const { return leaves_; }
  /// The box of everything; empty if there are no leaves.
  [[nodiscard]] core::Box whole() const { return leaves_ == 0 ? core::Box{} : nodes_.back(); }

  /// Goes down from the root: a node whose box is_clear (a predicate on core::Box) is dropped with
  /// all its leaves; f(leaf index) is called for the leaves that remain, in order. Returns how
  /// often is_clear was called, at most 2 n - 1 times.
  template <class IsClear, class F>
  std::uint64_t visit(const IsClear& is_clear, const F& f) const {
    std::uint64_t asked = 0;
    if (leaves_ == 0) return asked;
    std::array<Place, kMaxLevels + 1> stack;  // going down one level takes one off and puts two on
    std::size_t pending = 0;
    stack[pending++] = {level_count_ - 1, 0};
    while (pending > 0) {
      const Place at = stack[--pending];
      // A node that was carried up without a partner equals the one below it, which is tested
      // there.
      const std::size_t left = 2 * at.index;
      const bool pair = at.level > 0 && left + 1 < size_[at.level - 1];
      if (at.level > 0 && !pair) {
        stack[pending++] = {at.level - 1, left};
        continue;
      }
      ++asked;
      if (is_clear(nodes_[begin_[at.level] + at.index])) continue;
      if (at.level == 0) {
        f(at.index);
      } else {
        stack[pending++] = {at.level - 1, left + 1};
        stack[pending++] = {at.level - 1, left};
      }
    }
    return asked;
  }

 private:
  /// More than the levels over as many boxes as a memory holds.
  static constexpr std::size_t kMaxLevels = 64;
  struct Place {
    std::size_t level;
    std::size_t index;
  };

  std::size_t leaves_ = 0;
  std::vector<core::Box> nodes_;  ///< level after level, the leaves first, the root last
  std::size_t level_count_ = 0;
  std::array<std::size_t, kMaxLevels> begin_{};  ///< of each level
  std::array<std::size_t, kMaxLevels> size_{};
};

}  // namespace tocsin::scene
