#include "view/film/film_meshes.h"

#include <algorithm>
#include <cstdint>

#include "view/film/film.h"
#include "view/posed.h"

namespace tocsin::view {

Mesh link_mesh(const Link& link, double margin, const Paint& paint) {
  Mesh out;
  PosedLink posed{link.a, link.b, link.radius + margin};
  if (!link.shape.empty()) {
    posed.shape = link.shape;
    posed.rounding = link.shape.radius() + margin;
    posed.frame.x = {1.0, 0.0, 0.0};
    posed.frame.y = {0.0, 1.0, 0.0};
    posed.frame.z = {0.0, 0.0, 1.0};
  }
  add_link(out, posed, paint);
  return out;
}

Mesh mark_ball() {
  Mesh out;
  add_capsule(out, {}, {}, kMarkRadius, {});
  return out;
}

Mesh mark_arrow() {
  Mesh out;
  add_arrow(out, {}, {0.0, kMarkArrow, 0.0}, kMarkShaft, {});
  return out;
}

ObjectMesh object_mesh(const Environment& room, std::size_t object) {
  const Object& source = room.objects()[object];
  const auto triangles = room.triangles().subspan(source.first_triangle, source.triangle_count);
  ObjectMesh out;
  out.name = source.name;
  if (triangles.empty()) return out;
  std::uint32_t first = triangles.front()[0];
  std::uint32_t last = first;
  for (const TriangleIndices& t : triangles) {
    first = std::min({first, t[0], t[1], t[2]});
    last = std::max({last, t[0], t[1], t[2]});
  }
  const auto vertices = room.vertices().subspan(first, last - first + 1);
  out.vertices.assign(vertices.begin(), vertices.end());
  for (const TriangleIndices& t : triangles) {
    out.triangles.push_back({t[0] - first, t[1] - first, t[2] - first});
  }
  return out;
}

}  // namespace tocsin::view
