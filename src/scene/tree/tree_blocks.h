// Blocks of triangles, filled from an environment.
#pragma once

#include <cstdint>
#include <span>

#include "scene/tree/tree_nodes.h"
#include "tocsin/environment.h"

namespace tocsin::scene {

/// Fills blocks. Borrows the environment's data.
class BlockFiller {
 public:
  explicit BlockFiller(const Environment& environment)
      : triangles_(environment.triangles()), vertices_(environment.vertices()) {}

  /// Makes `block` hold these triangles, at most kBlockSize.
  void fill(std::span<const std::uint32_t> triangles, TriangleBlock& block) const;
  /// Sets the corners of the block's triangles to where they are now.
  void move(TriangleBlock& block) const;

 private:
  void set_corners(TriangleBlock& block, int lane) const;

  std::span<const TriangleIndices> triangles_;
  std::span<const Vec3f> vertices_;
};

}  // namespace tocsin::scene
