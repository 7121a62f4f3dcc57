// The triangles that culling has left, with their corners, packed for SIMD, and the cost of
// culling.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scene/tree/kdop_tree.h"

namespace tocsin::scene {

/// What culling costs. Paper 001, section 3.2: T = Nv Cv + Np Cp + Nu Cu.
struct CullCounters {
  std::uint64_t volume_tests = 0;     ///< Nv: pairs of bounding volumes tested for overlap
  std::uint64_t primitive_tests = 0;  ///< triangles tested in leaves
  std::uint64_t updates = 0;          ///< Nu: bounding volumes made for moving links
};

/// A block without triangles.
inline TriangleBlock unused_block() {
  TriangleBlock out{};
  for (auto& corner : out.v) {
    for (auto& axis : corner) {
      for (float& x : axis) x = NAN;
    }
  }
  for (std::uint32_t& t : out.triangle) t = kNone;
  return out;
}

/// A list of triangles in dense blocks: all full but the last. Memory is reused after clear().
class Candidates {
 public:
  void clear() { count_ = 0; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::size_t block_count() const { return (count_ + kBlockSize - 1) / kBlockSize; }
  [[nodiscard]] const TriangleBlock& block(std::size_t i) const { return blocks_[i]; }
  [[nodiscard]] std::uint32_t triangle(std::size_t i) const {
    return blocks_[i / kBlockSize].triangle[i % kBlockSize];
  }

  /// Appends those lanes of `from` whose bit in `lanes` is set.
  void add(const TriangleBlock& from, std::uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1) add_lane(from, std::countr_zero(lanes));
  }

  /// Appends one triangle with its corners.
  void add(std::uint32_t triangle, const std::array<Vec3f, 3>& corners) {
    const std::size_t at = count_ % kBlockSize;
    if (at == 0) start_block();
    TriangleBlock& to = blocks_[count_ / kBlockSize];
    for (std::size_t corner = 0; corner < 3; ++corner) {
      to.v[corner][0][at] = corners[corner].x;
      to.v[corner][1][at] = corners[corner].y;
      to.v[corner][2][at] = corners[corner].z;
    }
    to.triangle[at] = triangle;
    ++count_;
  }

 private:
  void add_lane(const TriangleBlock& from, int lane) {
    const std::size_t at = count_ % kBlockSize;
    if (at == 0) start_block();
    TriangleBlock& to = blocks_[count_ / kBlockSize];
    for (int corner = 0; corner < 3; ++corner) {
      for (int axis = 0; axis < 3; ++axis) to.v[corner][axis][at] = from.v[corner][axis][lane];
    }
    to.triangle[at] = from.triangle[lane];
    ++count_;
  }

  void start_block() {
    static const TriangleBlock kUnused = unused_block();
    if (blocks_.size() == count_ / kBlockSize) blocks_.emplace_back();
    blocks_[count_ / kBlockSize] = kUnused;
  }

  std::vector<TriangleBlock> blocks_;
  std::size_t count_ = 0;
};

}  // namespace tocsin::scene
