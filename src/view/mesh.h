// Meshes to draw: links, marks, and rooms with smooth shading.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tocsin/environment.h"
#include "tocsin/types.h"
#include "view/image.h"

namespace tocsin::view {

/// How a vertex is drawn; bits.
enum Material : std::uint32_t {
  kLit = 0,
  kGlows = 1,    ///< shines in its own colour, without light and shadow
  kCutOpen = 2,  ///< left out between the eye and the subject
};

/// An id with this bit belongs to an object that is touched: its outline stands out.
inline constexpr std::uint32_t kTouchedBit = 0x80000000;
/// The ids of links come after those of objects: no room has as many. shaders/view_frame.glsl.
inline constexpr std::uint32_t kFirstLinkId = 0x40000000;

/// A vertex, as the device has it.
struct Vertex {
  Vec3f position;              ///< world, metres
  Vec3f normal;                ///< unit
  std::uint32_t colour = 0;    ///< sRGB, 8 bits a channel, red lowest
  std::uint32_t material = 0;  ///< Material
  std::uint32_t id = 0;        ///< of its object or link; outlines lie between different ids
};

struct Mesh {
  std::vector<Vertex> vertices;
  std::vector<TriangleIndices> triangles;
};

/// Common properties of the vertices of a shape.
struct Paint {
  Colour colour;
  std::uint32_t material = kLit;
  std::uint32_t id = 0;
};

std::uint32_t packed(const Colour& colour);

/// Appends a line swept sphere: all within `radius` of a-b.
void add_capsule(Mesh& mesh, const Vec3& a, const Vec3& b, double radius, const Paint& paint);

/// Appends an arrow from `tail` to `tip`, its shaft `radius` thick, its head three times that.
void add_arrow(Mesh& mesh, const Vec3& tail, const Vec3& tip, double radius, const Paint& paint);

/// Appends a convex polygon twice, lifted by `lift` metres along its normal to both sides.
void add_polygon(Mesh& mesh, std::span<const Vec3> corners, const Vec3& normal, double lift,
                 const Paint& paint);

/// All triangles of a room. Faces that meet at less than 40 degrees are shaded as one smooth
/// surface. `paints`: per object.
Mesh room_mesh(const Environment& room, std::span<const Paint> paints);

/// Per object: does it make up much of the room's surface?
std::vector<bool> wide_objects(const Environment& room);

}  // namespace tocsin::view
