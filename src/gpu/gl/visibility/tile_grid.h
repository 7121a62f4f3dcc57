// Where the tiles of an atlas lie, and how a slab is fitted into one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/gl/visibility/visibility_batch.h"
#include "gpu/gl/visibility/visibility_records.h"

namespace tocsin::gl {

/// Tiles of one size, row after row from the lower left corner.
struct TileGrid {
  int tile_width = 0;  ///< pixels
  int tile_height = 0;
  int columns = 1;
  int most_rows = 1;

  [[nodiscard]] int width() const { return tile_width * columns; }
  [[nodiscard]] int height(int rows) const { return tile_height * rows; }
  [[nodiscard]] int rows(std::uint32_t tiles) const {
    return static_cast<int>((tiles + static_cast<std::uint32_t>(columns) - 1) /
                            static_cast<std::uint32_t>(columns));
  }
  [[nodiscard]] std::uint32_t most_tiles() const {
    return static_cast<std::uint32_t>(columns) * static_cast<std::uint32_t>(most_rows);
  }
};

/// The most that an atlas takes, bytes, unless one tile needs more. 2,048 tiles of 64 x 64: more
/// would not draw faster, and other programs on the device need the memory.
inline constexpr std::size_t kMostAtlasBytes = std::size_t{1} << 26;
/// Least and greatest depth, floats.
inline constexpr std::size_t kBytesPerTexel = 8;

/// The largest grid within kMostAtlasBytes and `most_side` pixels each way, near square.
/// Precondition: a tile fits `most_side`.
TileGrid make_tile_grid(int tile_width, int tile_height, int most_side);

/// Pixels each way of the control's tile, in a strip of its own above all others.
inline constexpr int kControlTile = 8;

/// A slab in tile number `tile`: scaled so that its skin ends a pixel before the tile does.
SlabRecord slab_record(const VisibilitySlab& slab, const TileGrid& grid, std::uint32_t tile);

}  // namespace tocsin::gl
