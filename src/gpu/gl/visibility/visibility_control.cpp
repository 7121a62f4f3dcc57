#include "gpu/gl/visibility/visibility_control.h"

namespace tocsin::gl {

SlabRecord control_slab(const TileGrid& grid, std::uint32_t tiles) {
  const TileGrid strip{.tile_width = kControlTile, .tile_height = kControlTile};
  SlabRecord out =
      slab_record({.origin = {}, .half = {kControlHalf, kControlHalf, kControlHalf}}, strip, 0);
  out.reach[3] += static_cast<float>(grid.height(grid.rows(tiles)));
  return out;
}

}  // namespace tocsin::gl
