// The texture in which slabs' skins lie, tile beside tile: per pixel the least depth and the
// negative of the greatest, metres from the slab's origin along the view.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gpu/gl/context/objects.h"
#include "gpu/gl/visibility/tile_grid.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// On the device's thread only.
class DepthAtlas {
 public:
  DepthAtlas() = default;
  explicit DepthAtlas(const TileGrid& grid) : grid_(grid) {}

  /// Makes room for this many tiles, if there is not. Errors: kResource.
  Status reserve(std::uint32_t tiles);

  /// Empties the first `tiles` and lets what follows be drawn into them: least +inf, greatest -inf.
  void begin_skins(std::uint32_t tiles);
  /// What follows is compared with the tiles, pixel by pixel, and leaves no colour.
  void begin_comparison(std::uint32_t tiles);

  [[nodiscard]] const TileGrid& grid() const { return grid_; }
  /// Width and height of what is drawn with so many tiles, pixels: their rows, and the control's
  /// strip above them. Precondition: reserved.
  [[nodiscard]] std::array<int, 2> size(std::uint32_t tiles) const;

  /// The tiles' rows, from the lower left, without the control's. For tests.
  [[nodiscard]] std::vector<std::array<float, 2>> read(std::uint32_t tiles) const;

 private:
  TileGrid grid_;
  int rows_ = 0;
  Texture depths_;
  Framebuffer with_depths_;
  Framebuffer empty_;  // of the same size, without attachments
};

}  // namespace tocsin::gl
