#include "view/posed.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "core/bounds/near_test.h"
#include "core/motion/link_motion.h"
#include "core/query/distance.h"
#include "core/vector/vec.h"

namespace tocsin::view {

namespace {

/// The triangles of a shape, smooth where a room's are; segments and points are added to `mesh`.
Mesh shape_mesh(Mesh& mesh, const PosedLink& link, const Paint& paint) {
  ObjectMesh body;
  for (const Vec3& corner : link.shape.corners()) {
    body.vertices.push_back(core::detail::to_float(core::position_of(link.frame, corner)));
  }
  for (const TriangleIndices& f : link.shape.features()) {
    if (f[1] != f[2]) {
      body.triangles.push_back(f);
      continue;
    }
    const auto corner = [&](std::uint32_t i) {
      return core::position_of(link.frame, link.shape.corners()[i]);
    };
    add_capsule(mesh, corner(f[0]), corner(f[1]), link.rounding, paint);
  }
  const auto room = Environment::create({std::move(body)});
  return room ? room_mesh(*room, {&paint, 1}) : Mesh{};
}

}  // namespace

Pose pose_at(const scene::StepMotion& motion, double t) {
  Pose out;
  const auto links = motion.links();
  out.reserve(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    const core::LinkMotion& m = links[i].motion;
    const core::AxisState at = core::evaluate(m, t);
    PosedLink& link = out.emplace_back(PosedLink{m.ref + at.a, m.ref + at.b, m.radius});
    const Shape& shape = motion.source(i).shape;
    if (shape.empty()) continue;
    link.shape = shape;
    link.rounding = shape.radius() + motion.margin();
    link.frame =
        core::evaluate(core::frame_motion(m.joints, m.chain, m.chain_length, m.kind, m.ref), t);
    link.frame.origin = link.frame.origin + m.ref;
  }
  return out;
}

void add_link(Mesh& mesh, const PosedLink& link, const Paint& paint) {
  if (link.shape.empty()) {
    add_capsule(mesh, link.a, link.b, link.radius, paint);
    return;
  }
  const Mesh body = shape_mesh(mesh, link, paint);
  const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
  for (Vertex v : body.vertices) {
    const Vec3 normal = core::to_double(v.normal);
    v.position = core::detail::to_float(core::to_double(v.position) + link.rounding * normal);
    mesh.vertices.push_back(v);
  }
  for (const TriangleIndices& t : body.triangles) {
    mesh.triangles.push_back({base + t[0], base + t[1], base + t[2]});
  }
}

double axis_distance(const PosedLink& p, const PosedLink& q) {
  // A triangle without area is its edges: here, the other axis.
  const core::Triangle segment{{q.a - p.a, q.b - p.a, q.b - p.a}};
  return std::sqrt(core::closest_points({}, p.b - p.a, segment).squared);
}

}  // namespace tocsin::view
