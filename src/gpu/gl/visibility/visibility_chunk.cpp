#include "gpu/gl/visibility/visibility_chunk.h"

#include <algorithm>

namespace tocsin::gl {
namespace {

void add_slab(const VisibilityBatch& batch, const VisibilitySlab& slab, const TileGrid& grid,
              Chunk& out) {
  const auto index = static_cast<std::uint32_t>(out.slabs.size());
  const auto first = static_cast<std::uint32_t>(out.skin.size());
  const auto begin = batch.skin.begin() + slab.first_triangle;
  out.slabs.push_back(slab_record(slab, grid, index));
  out.skin.insert(out.skin.end(), begin, begin + slab.triangle_count);
  out.skin_commands.push_back({.count = kVerticesPerTriangle * slab.triangle_count,
                               .instances = 0,
                               .first = kVerticesPerTriangle * first,
                               .base_instance = index});
}

}  // namespace

bool ChunkLimits::halve() {
  if (tiles == 1 && pairs == 1) return false;
  tiles = std::max(tiles / 2, 1U);
  pairs = std::max(pairs / 2, 1U);
  listed = std::max(listed / 2, 1U);
  skin = std::max(skin / 2, 1U);
  return true;
}

void Chunk::clear() {
  slabs.clear();
  skin.clear();
  skin_commands.clear();
  pairs.clear();
  listed = 0;
}

std::size_t cut_chunk(const VisibilityBatch& batch, std::span<const TriangleRange> clusters,
                      const TileGrid& grid, const ChunkLimits& limits, std::size_t first,
                      Chunk& out) {
  out.clear();
  std::size_t i = first;
  for (; i < batch.pairs.size() && out.pairs.size() < limits.pairs; ++i) {
    const VisibilityPair& pair = batch.pairs[i];
    const TriangleRange& cluster = clusters[pair.cluster];
    if (i > first && out.listed + cluster.count > limits.listed) break;
    if (i == first || pair.slab != batch.pairs[i - 1].slab) {
      const VisibilitySlab& slab = batch.slabs[pair.slab];
      if (out.slabs.size() == limits.tiles) break;
      if (i > first && out.skin.size() + slab.triangle_count > limits.skin) break;
      add_slab(batch, slab, grid, out);
    }
    out.pairs.push_back({.slab = static_cast<std::uint32_t>(out.slabs.size() - 1),
                         .first = cluster.first,
                         .count = cluster.count,
                         .begin = out.listed});
    out.listed += cluster.count;
  }
  return i;
}

}  // namespace tocsin::gl
