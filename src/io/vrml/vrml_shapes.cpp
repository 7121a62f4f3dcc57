#include "io/vrml/vrml_shapes.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/text_scanner.h"
#include "io/up_axis.h"
#include "io/vrml/vrml_extrusion.h"

namespace tocsin::io {
namespace {

/// Metres. Where nothing is accepted that reaches further than 1e6, a round shape of such size is
/// refused before it is computed with.
constexpr double kMaxReach = 1e7;

// Measured work, in the unit of VrmlLimits. Geometries are counted by their computation, not by
// their result, which may be empty.
constexpr std::uint64_t kGeometryWork = 16;       // of any, for asking for its fields
constexpr std::uint64_t kGridPointWork = 4;       // two triangles each
constexpr std::uint64_t kExtrusionPointWork = 4;  // two triangles each
constexpr std::uint64_t kRoundTriangleWork = 3;   // for each attempt
constexpr std::uint64_t kConcaveCapShare = 2;     // a cap of n corners takes n n / this

}  // namespace

Vec3 VrmlShapeReader::metres(const Vec3& p) const {
  return turned_up(options_.scale * p, options_.up);
}

bool VrmlShapeReader::read(const VrmlBound& geometry, const Affine& frame, VrmlMesh& mesh) {
  work_ += kGeometryWork;
  switch (geometry.node->kind) {
    case VrmlKind::kSphere:
    case VrmlKind::kCylinder:
    case VrmlKind::kCone:
      return round(geometry, frame, mesh);
    case VrmlKind::kBox:
      if (!box(geometry, frame, mesh)) return false;
      break;
    case VrmlKind::kFaceSet:
      if (!face_set(geometry, mesh)) return false;
      break;
    case VrmlKind::kGrid:
      if (!grid(geometry, mesh)) return false;
      break;
    case VrmlKind::kExtrusion:
      if (!extrusion(geometry, mesh)) return false;
      break;
    default:
      break;
  }
  for (Vec3& p : mesh.points) p = metres(apply(frame, p));
  return true;
}

bool VrmlShapeReader::face_set(const VrmlBound& node, VrmlMesh& mesh) {
  VrmlFaceSet set;
  VrmlBoundRefs coord;
  if (!fields_.get(node, "ccw", set.ccw) || !fields_.get(node, "convex", set.convex) ||
      !fields_.get(node, "coordIndex", 1, set.index) || !fields_.get(node, "coord", coord)) {
    return false;
  }
  if (!coord.refs.empty()) {
    const VrmlBound points = fields_.resolve(coord.refs.front(), coord.scope);
    if (points.node->kind != VrmlKind::kCoordinate) {
      return fields_.stop(
          coord.refs.front().line,
          fmt::format("coord must be a Coordinate, not a {}", base::in_quotes(points.node->type)));
    }
    if (!fields_.get(points, "point", 3, set.points)) return false;
  }
  work_ += set.index.size();
  const std::string fault = faces_.read(set, mesh, counts_);
  return fault.empty() || fields_.stop(node.node->line, "IndexedFaceSet: " + fault);
}

bool VrmlShapeReader::grid(const VrmlBound& node, VrmlMesh& mesh) {
  VrmlGrid grid;
  if (!fields_.get(node, "xDimension", grid.x_dimension) ||
      !fields_.get(node, "zDimension", grid.z_dimension) ||
      !fields_.get(node, "xSpacing", grid.x_spacing) ||
      !fields_.get(node, "zSpacing", grid.z_spacing) ||
      !fields_.get(node, "height", 1, grid.height) || !fields_.get(node, "ccw", grid.ccw)) {
    return false;
  }
  work_ += kGridPointWork * grid.height.size();
  const std::string fault = read_vrml_grid(grid, mesh);
  return fault.empty() || fields_.stop(node.node->line, "ElevationGrid: " + fault);
}

bool VrmlShapeReader::extrusion(const VrmlBound& node, VrmlMesh& mesh) {
  VrmlExtrusion extrusion;
  if (!fields_.get(node, "crossSection", 2, extrusion.cross_section) ||
      !fields_.get(node, "spine", 3, extrusion.spine) ||
      !fields_.get(node, "scale", 2, extrusion.scale) ||
      !fields_.get(node, "orientation", 4, extrusion.orientation) ||
      !fields_.get(node, "beginCap", extrusion.begin_cap) ||
      !fields_.get(node, "endCap", extrusion.end_cap) || !fields_.get(node, "ccw", extrusion.ccw) ||
      !fields_.get(node, "convex", extrusion.convex)) {
    return false;
  }
  const std::string fault = read_vrml_extrusion(extrusion, mesh, counts_);
  work_ += extrusion.spine.size() + kExtrusionPointWork * mesh.points.size();
  const std::uint64_t width = extrusion.cross_section.size() / 2;
  const std::uint64_t caps = (extrusion.begin_cap ? 1U : 0U) + (extrusion.end_cap ? 1U : 0U);
  if (!extrusion.convex) work_ += caps * width * width / kConcaveCapShare;
  return fault.empty() || fields_.stop(node.node->line, "Extrusion: " + fault);
}

bool VrmlShapeReader::size_fault(const VrmlBound& node, std::string_view name, double value) {
  return fields_.stop(node.node->line, fmt::format("{}: {} must not be negative, is {}",
                                                   node.node->type, name, value));
}

bool VrmlShapeReader::box(const VrmlBound& node, const Affine& frame, VrmlMesh& mesh) {
  Vec3 size{2.0, 2.0, 2.0};
  if (!fields_.get(node, "size", size)) return false;
  for (const double side : {size.x, size.y, size.z}) {
    if (side < 0.0) return size_fault(node, "size", side);
  }
  add_box(0.5 * size, mesh);
  if (mirrors(frame.linear)) turn_over(mesh);
  return true;
}

bool VrmlShapeReader::round(const VrmlBound& node, const Affine& frame, VrmlMesh& mesh) {
  VrmlRound round;
  const VrmlKind kind = node.node->kind;
  const bool sphere = kind == VrmlKind::kSphere;
  const bool cone = kind == VrmlKind::kCone;
  round.shape = sphere ? VrmlRound::Shape::kSphere
                : cone ? VrmlRound::Shape::kCone
                       : VrmlRound::Shape::kCylinder;
  double radius = 1.0;
  double height = 2.0;
  const std::string_view radius_name = cone ? "bottomRadius" : "radius";
  if (!fields_.get(node, radius_name, radius) || !fields_.get(node, "height", height) ||
      !fields_.get(node, "side", round.side) || !fields_.get(node, "top", round.top) ||
      !fields_.get(node, "bottom", round.bottom)) {
    return false;
  }
  if (radius < 0.0) return size_fault(node, radius_name, radius);
  if (height < 0.0) return size_fault(node, "height", height);
  const auto axis = [&](int i, double length) {
    return metres(length * core::column(frame.linear, i));
  };
  const std::array<Vec3, 3> axes{axis(0, radius), axis(1, sphere ? radius : 0.5 * height),
                                 axis(2, radius)};
  round.axes = {{{axes[0].x, axes[1].x, axes[2].x},
                 {axes[0].y, axes[1].y, axes[2].y},
                 {axes[0].z, axes[1].z, axes[2].z}}};
  round.centre = metres(frame.origin);
  double reach = core::norm(round.centre);
  for (const Vec3& a : axes) reach += core::norm(a);
  if (!(reach <= kMaxReach)) {
    return fields_.stop(
        node.node->line,
        fmt::format("{}: reaches further than {} m from the origin", node.node->type, 1e6));
  }
  VrmlRoundMesh made = contain_round(round);
  work_ += kRoundTriangleWork * made.tried;
  tolerance_ = core::max_of(tolerance_, made.tolerance);
  ++(sphere ? spheres_ : cone ? cones_ : cylinders_);
  mesh = std::move(made);
  return true;
}

std::string VrmlShapeReader::round_notice() const {
  std::string text;
  const auto count = [&](std::int64_t n, std::string_view what) {
    if (n > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what);
  };
  count(spheres_, "Sphere");
  count(cylinders_, "Cylinder");
  count(cones_, "Cone");
  if (text.empty()) return text;
  constexpr double kStep = 1e-5;  // what is printed, in metres; rounded up, so that it stays true
  return fmt::format(
      "{} replaced by polyhedra that contain them and stick out by at most {:.2f} mm", text,
      std::ceil(tolerance_ / kStep) * kStep * 1e3);
}

}  // namespace tocsin::io
