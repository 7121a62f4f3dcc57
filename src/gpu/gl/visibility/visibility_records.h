// What the shaders of the visibility test read, laid out as they do (std430): shaders/slab.glsl
// says the same.
#pragma once

#include <array>
#include <cstdint>

namespace tocsin::gl {

struct SlabRecord {
  std::array<float, 4> origin{};  ///< world, metres; and the x of its tile's centre in the atlas
  std::array<float, 4> reach{};   ///< metres, no less than VisibilitySlab::half; and the centre's y
  std::array<float, 4> across{};  ///< pixels per metre of an axis that runs along a tile's width
  std::array<float, 4> up{};      ///< ... along its height
};
static_assert(sizeof(SlabRecord) == 64);

struct PairRecord {
  std::uint32_t slab = 0;   ///< among the slabs of a chunk
  std::uint32_t first = 0;  ///< of the cluster's triangles, in order of clusters
  std::uint32_t count = 0;
  std::uint32_t begin = 0;  ///< of its segment in the list of triangles to draw
};
static_assert(sizeof(PairRecord) == 16);

/// Of a pair of which a device has not answered: it touches. No device answers so.
inline constexpr std::uint16_t kUnread = 0xFFFF;

/// As glMultiDrawArraysIndirect reads it.
struct DrawCommand {
  std::uint32_t count = 0;
  std::uint32_t instances = 0;
  std::uint32_t first = 0;
  std::uint32_t base_instance = 0;  ///< says which pair or slab it is
};
static_assert(sizeof(DrawCommand) == 16);

/// Vertices that the vertex shader makes of a triangle: two triangles that are a rectangle.
inline constexpr std::uint32_t kVerticesPerTriangle = 6;

/// Where the shaders find what. The framebuffers' texture is unit 0.
enum Binding : std::uint32_t {
  kVertexBinding = 0,  ///< of the room, or of skins
  kTriangleBinding = 1,
  kSlabBinding = 2,
  kPairBinding = 3,
  kListBinding = 4,
  kPairCommandBinding = 5,
  kSkinCommandBinding = 6,
  kSeenBinding = 7,
};

}  // namespace tocsin::gl
