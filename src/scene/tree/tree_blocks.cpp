#include "scene/tree/tree_blocks.h"

#include <cmath>
#include <cstddef>

namespace tocsin::scene {

void BlockFiller::set_corners(TriangleBlock& block, int lane) const {
  const TriangleIndices& indices = triangles_[block.triangle[lane]];
  for (int corner = 0; corner < 3; ++corner) {
    const Vec3f& p = vertices_[indices[static_cast<std::size_t>(corner)]];
    block.v[corner][0][lane] = p.x;
    block.v[corner][1][lane] = p.y;
    block.v[corner][2][lane] = p.z;
  }
}

void BlockFiller::fill(std::span<const std::uint32_t> triangles, TriangleBlock& block) const {
  const auto used = static_cast<int>(triangles.size());
  for (int lane = 0; lane < used; ++lane) {
    block.triangle[lane] = triangles[static_cast<std::size_t>(lane)];
    set_corners(block, lane);
  }
  for (int lane = used; lane < kBlockSize; ++lane) {
    block.triangle[lane] = kNone;
    for (auto& corner : block.v) {
      for (auto& axis : corner) axis[lane] = NAN;
    }
  }
}

void BlockFiller::move(TriangleBlock& block) const {
  for (int lane = 0; lane < kBlockSize && block.triangle[lane] != kNone; ++lane) {
    set_corners(block, lane);
  }
}

}  // namespace tocsin::scene
