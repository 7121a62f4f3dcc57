// The control: one more pair in every chunk, of which it is certain that it meets. A device that
// does not draw, or does not answer, looks like one on which everything is apart; on such a device
// the control looks apart, too. docs/gl.md, "The visibility test".
#pragma once

#include <array>
#include <cstdint>

#include "gpu/gl/visibility/tile_grid.h"
#include "gpu/gl/visibility/visibility_batch.h"
#include "gpu/gl/visibility/visibility_records.h"
#include "tocsin/types.h"

namespace tocsin::gl {

/// Metres, about the world's origin, which is the slab's origin as well. The skin is a tetrahedron
/// that fills a cube of 1 m as seen along each axis; the triangle lies across its middle and holds,
/// along each axis, centres of pixels at depths within the skin: so it meets with
/// RasterWay::kPlain, too.
inline constexpr float kControlHalf = 0.5F;
inline constexpr std::array<Vec3f, 3> kControlTriangle{
    {{0.4F, -0.2F, -0.2F}, {-0.2F, 0.4F, -0.2F}, {-0.2F, -0.2F, 0.4F}}};
inline constexpr std::array<SkinTriangle, 4> kControlSkin{
    {{{{0.5F, 0.5F, 0.5F}, {0.5F, -0.5F, -0.5F}, {-0.5F, 0.5F, -0.5F}}},
     {{{0.5F, 0.5F, 0.5F}, {-0.5F, 0.5F, -0.5F}, {-0.5F, -0.5F, 0.5F}}},
     {{{0.5F, 0.5F, 0.5F}, {-0.5F, -0.5F, 0.5F}, {0.5F, -0.5F, -0.5F}}},
     {{{0.5F, -0.5F, -0.5F}, {-0.5F, -0.5F, 0.5F}, {-0.5F, 0.5F, -0.5F}}}}};

/// Its slab, in the strip above the rows of `tiles` tiles.
SlabRecord control_slab(const TileGrid& grid, std::uint32_t tiles);

/// What has to be seen of it, no more and no less.
constexpr Seen control_answer(Method method) {
  const Seen view = method == Method::kFlags ? kNotInFront | kNotBehind | kMeets : kMeets;
  return static_cast<Seen>(view | view << 3 | view << 6);
}

}  // namespace tocsin::gl
