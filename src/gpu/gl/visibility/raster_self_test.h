// Whether a device's own conservative rasterisation may be trusted: it must draw every pixel that
// the shaders' rectangles draw. docs/gl.md, "Conservative rasterisation".
#pragma once

#include <cstdint>
#include <string>

#include "gpu/gl/visibility/conservative_raster.h"
#include "gpu/gl/visibility/visibility_chunk.h"
#include "tocsin/result.h"

namespace tocsin::gl {

struct RasterComparison {
  std::uint64_t drawn = 0;    ///< pixels by the shader
  std::uint64_t missing = 0;  ///< of these, not drawn by the other
};

/// What draws triangles, and how that is said to a person.
struct RasterChoice {
  RasterWay way = RasterWay::kShader;
  std::string words = name_of(RasterWay::kShader);
};
/// The extension if it missed nothing, else the shader.
RasterChoice choose_raster(RasterWay extension, const RasterComparison& compared);
/// Draws with it and decides. Whatever the device has against it means the shader, too. On the
/// device's thread.
RasterChoice try_extension(RasterWay extension);

/// Draws a few thousand triangles both ways: slivers, edge-on, less than a pixel, across a tile's
/// border; the same ones every time. On the device's thread. Errors: as VisibilityPasses.
Result<RasterComparison> compare_with_shader(RasterWay way);

/// One triangle a slab, each in a tile of its own and placed at random, so that a skin's depths are
/// that triangle's: the self-test's. `seed`: which ones.
Chunk random_triangle_chunk(const TileGrid& grid, std::uint32_t count, std::uint64_t seed);

}  // namespace tocsin::gl
