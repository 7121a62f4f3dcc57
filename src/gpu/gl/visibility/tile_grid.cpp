#include "gpu/gl/visibility/tile_grid.h"

#include <algorithm>
#include <array>

namespace tocsin::gl {
namespace {

/// Slabs are at least this large, metres: a scale is a float, and a link's radius is 1e-6 m or
/// more.
constexpr float kLeastHalf = 1e-12F;

/// A bound above `half` that a shader may compare with differences of floats: theirs err by 2^-23
/// of themselves.
float raised(float half) { return half * (1.0F + 0x1p-20F) + 1e-30F; }

}  // namespace

TileGrid make_tile_grid(int tile_width, int tile_height, int most_side) {
  TileGrid out{.tile_width = tile_width, .tile_height = tile_height};
  const std::size_t tile_bytes =
      static_cast<std::size_t>(tile_width) * static_cast<std::size_t>(tile_height) * kBytesPerTexel;
  const auto most_tiles = static_cast<int>(std::max<std::size_t>(1, kMostAtlasBytes / tile_bytes));
  const int most_columns = std::min(most_side / tile_width, most_tiles);
  while (out.columns < most_columns &&
         out.columns * tile_width < most_tiles / out.columns * tile_height) {
    ++out.columns;
  }
  out.most_rows = std::clamp(most_tiles / out.columns, 1, most_side / tile_height);
  return out;
}

SlabRecord slab_record(const VisibilitySlab& slab, const TileGrid& grid, std::uint32_t tile) {
  const auto columns = static_cast<std::uint32_t>(grid.columns);
  const auto column = static_cast<int>(tile % columns);
  const auto row = static_cast<int>(tile / columns);
  // The centre lies between pixels also where a tile has an odd number of them.
  const int middle_x = grid.tile_width / 2;
  const int middle_y = grid.tile_height / 2;
  const std::array<float, 3> half{std::max(slab.half.x, kLeastHalf),
                                  std::max(slab.half.y, kLeastHalf),
                                  std::max(slab.half.z, kLeastHalf)};
  SlabRecord out;
  out.origin = {slab.origin.x, slab.origin.y, slab.origin.z,
                static_cast<float>(column * grid.tile_width + middle_x)};
  out.reach = {raised(half[0]), raised(half[1]), raised(half[2]),
               static_cast<float>(row * grid.tile_height + middle_y)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    out.across[axis] = static_cast<float>(middle_x - 1) / half[axis];
    out.up[axis] = static_cast<float>(middle_y - 1) / half[axis];
  }
  return out;
}

}  // namespace tocsin::gl
