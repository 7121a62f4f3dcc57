// The part of a batch that is drawn at once: as many slabs as an atlas has tiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/gl/visibility/tile_grid.h"
#include "gpu/gl/visibility/visibility_batch.h"
#include "gpu/gl/visibility/visibility_records.h"

namespace tocsin::gl {

/// Triangles of a cluster, in the order in which a device holds them.
struct TriangleRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// How much may be drawn at once. At least one pair always is.
struct ChunkLimits {
  std::uint32_t tiles = 1;
  /// Work groups of a dispatch, of which every device takes 65,535: one is the control's.
  std::uint32_t pairs = 65534;
  /// Room triangles over all pairs: 4 bytes each.
  std::uint32_t listed = std::uint32_t{1} << 22;
  /// Triangles of skins, of more than one slab: 36 bytes each. Devices take 128 MiB in one buffer.
  std::uint32_t skin = std::uint32_t{1} << 20;

  /// Half as much of everything. False if it cannot be less.
  bool halve();
};

/// Slab i is drawn in tile i.
struct Chunk {
  std::vector<SlabRecord> slabs;
  std::vector<SkinTriangle> skin;
  std::vector<DrawCommand> skin_commands;  ///< without instances: nothing is drawn so far
  std::vector<PairRecord> pairs;
  std::uint32_t listed = 0;  ///< triangles over all pairs

  void clear();
};

/// Fills `out` with pairs [first, end) of a batch and their slabs, and returns end. `clusters`: of
/// the room. Precondition: first < batch.pairs.size().
std::size_t cut_chunk(const VisibilityBatch& batch, std::span<const TriangleRange> clusters,
                      const TileGrid& grid, const ChunkLimits& limits, std::size_t first,
                      Chunk& out);

}  // namespace tocsin::gl
