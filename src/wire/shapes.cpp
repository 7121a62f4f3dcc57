#include "wire/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::wire {
namespace {

/// Triangles of a cylinder with the most sides, 4,096 (Shape::cylinder).
constexpr std::uint64_t kMostOfRound = 4 * 4096;
constexpr std::uint64_t kOfBox = 12;

/// A sphere or capsule, which no mesh is but by its name.
bool is_round(const Shape& shape) {
  const auto corners = shape.corners();
  if (shape.features().size() != 1 || !(shape.radius() >= 1e-6)) return false;
  return corners.size() == 1 || (corners.size() == 2 && corners[0] != corners[1] &&
                                 shape.features()[0] == TriangleIndices{0, 1, 1});
}

void put_round(const Shape& shape, v1::Shape& out) {
  const auto corners = shape.corners();
  if (corners.size() == 1) {
    to_wire(corners[0], *out.mutable_sphere()->mutable_center());
    out.mutable_sphere()->set_radius(shape.radius());
    return;
  }
  to_wire(corners[0], *out.mutable_capsule()->mutable_a());
  to_wire(corners[1], *out.mutable_capsule()->mutable_b());
  out.mutable_capsule()->set_radius(shape.radius());
}

/// None: the shape stays as it is, to the bit.
std::optional<ShapePlacement> placement_of(const v1::Shape& shape) {
  if (!shape.has_scale() && !shape.has_rotation() && !shape.has_translation()) return std::nullopt;
  ShapePlacement out;
  if (shape.has_scale()) out.scale = from_wire(shape.scale());
  if (shape.has_rotation()) out.rotation = from_wire(shape.rotation());
  if (shape.has_translation()) out.translation = from_wire(shape.translation());
  return out;
}

Status check_threes(int count, std::string_view what) {
  if (count % 3 == 0) return Nothing{};
  return {ErrorCode::kInput, fmt::format("{} have three numbers each, but {} came", what, count)};
}

std::vector<Vec3> corners_of(const v1::Mesh& mesh) {
  std::vector<Vec3> out;
  out.reserve(static_cast<std::size_t>(mesh.corners_size()) / 3);
  for (int i = 0; i + 2 < mesh.corners_size(); i += 3) {
    out.push_back({mesh.corners(i), mesh.corners(i + 1), mesh.corners(i + 2)});
  }
  return out;
}

std::uint64_t most_triangles(const v1::Shape& shape) {
  switch (shape.of_case()) {
    case v1::Shape::kMesh:
      return static_cast<std::uint64_t>(shape.mesh().triangles_size()) / 3;
    case v1::Shape::kConvex:
      return static_cast<std::uint64_t>(shape.convex().corners_size()) / 3 * 2;
    case v1::Shape::kBox:
      return kOfBox;
    case v1::Shape::kCylinder:
    case v1::Shape::kCone:
      return kMostOfRound;
    case v1::Shape::kSphere:
    case v1::Shape::kCapsule:
      return 1;
    default:
      return 0;
  }
}

}  // namespace

void to_wire(const Shape& shape, v1::Shape& out) {
  out.Clear();
  if (is_round(shape)) return put_round(shape, out);
  v1::Mesh& mesh = *out.mutable_mesh();
  mesh.mutable_corners()->Reserve(static_cast<int>(3 * shape.corners().size()));
  for (const Vec3& p : shape.corners()) {
    for (const double x : {p.x, p.y, p.z}) mesh.add_corners(x);
  }
  mesh.mutable_triangles()->Reserve(static_cast<int>(3 * shape.features().size()));
  for (const TriangleIndices& triangle : shape.features()) {
    for (const std::uint32_t corner : triangle) mesh.add_triangles(corner);
  }
  out.set_radius(shape.radius());
}

void to_wire(const LoadedShape& shape, v1::Shape& out) {
  out.Clear();
  put_text(shape.name, shape.convex ? *out.mutable_loaded_convex() : *out.mutable_loaded_mesh());
  out.set_radius(shape.radius);
  if (!shape.at) return;
  to_wire(shape.at->scale, *out.mutable_scale());
  to_wire(shape.at->translation, *out.mutable_translation());
  to_wire(shape.at->rotation, *out.mutable_rotation());
}

bool is_loaded(const v1::Shape& shape) {
  return shape.of_case() == v1::Shape::kLoadedMesh || shape.of_case() == v1::Shape::kLoadedConvex;
}

Status from_wire(const v1::Shape& shape, LoadedShape& out) {
  out.convex = shape.of_case() == v1::Shape::kLoadedConvex;
  const std::string& name = out.convex ? shape.loaded_convex() : shape.loaded_mesh();
  // OWNER/NAME.
  const std::string problem = label_problem(name, 2 * kLongestName + 1);
  if (!problem.empty()) return {ErrorCode::kInput, "its name " + problem};
  if (name.empty()) return {ErrorCode::kInput, "its name is empty"};
  out.name = name;
  out.at = placement_of(shape);
  out.radius = shape.radius();
  return Nothing{};
}

std::uint64_t inline_triangles(const v1::AvatarModel& model) {
  std::uint64_t out = 0;
  for (const v1::Link& link : model.links()) {
    out = std::min<std::uint64_t>(out + most_triangles(link.shape()), 2 * kMostInlineTriangles);
  }
  return out;
}

Status ShapeReader::check_count(std::uint64_t triangles) const {
  if (triangles <= left_) return Nothing{};
  return {ErrorCode::kResource,
          fmt::format("the shapes of one message have at most {} triangles together; "
                      "LoadEnvironment (`shape`) loads larger meshes before",
                      kMostInlineTriangles)};
}

Result<Shape> ShapeReader::read_mesh(const v1::Mesh& mesh, double radius) const {
  if (Status threes = check_threes(mesh.corners_size(), "corners"); !threes) return threes.error();
  if (Status threes = check_threes(mesh.triangles_size(), "triangles"); !threes) {
    return threes.error();
  }
  const auto count = static_cast<std::size_t>(mesh.triangles_size()) / 3;
  if (Status few = check_count(count); !few) return few.error();
  std::vector<TriangleIndices> triangles;
  triangles.reserve(count);
  for (int i = 0; i + 2 < mesh.triangles_size(); i += 3) {
    triangles.push_back({mesh.triangles(i), mesh.triangles(i + 1), mesh.triangles(i + 2)});
  }
  return Shape::mesh(corners_of(mesh), std::move(triangles), radius);
}

Result<Shape> ShapeReader::read_convex(const v1::Mesh& mesh, double radius) const {
  if (mesh.triangles_size() > 0) {
    return {ErrorCode::kInput, "a convex hull has corners and no triangles"};
  }
  if (Status threes = check_threes(mesh.corners_size(), "corners"); !threes) return threes.error();
  if (Status few = check_count(static_cast<std::uint64_t>(mesh.corners_size()) / 3); !few) {
    return few.error();
  }
  return Shape::convex(corners_of(mesh), radius);
}

Result<Shape> ShapeReader::read_kind(const v1::Shape& shape) const {
  const double rounding = shape.radius();
  if (!(rounding >= 0.0)) {
    return {ErrorCode::kInput, fmt::format("its radius must be 0 or more, is {}", rounding)};
  }
  switch (shape.of_case()) {
    case v1::Shape::kMesh:
      return read_mesh(shape.mesh(), rounding);
    case v1::Shape::kConvex:
      return read_convex(shape.convex(), rounding);
    case v1::Shape::kBox:
      return Shape::box(from_wire(shape.box()), rounding);
    case v1::Shape::kSphere:
      return Shape::sphere(from_wire(shape.sphere().center()), shape.sphere().radius() + rounding);
    case v1::Shape::kCapsule:
      return Shape::capsule(from_wire(shape.capsule().a()), from_wire(shape.capsule().b()),
                            shape.capsule().radius() + rounding);
    case v1::Shape::kCylinder:
      return Shape::cylinder(shape.cylinder().radius(), shape.cylinder().height(),
                             shape.cylinder().tolerance(), rounding);
    case v1::Shape::kCone:
      return Shape::cone(shape.cone().radius(), shape.cone().height(), shape.cone().tolerance(),
                         rounding);
    default:
      return {ErrorCode::kInput, "its shape is of no kind that this version knows"};
  }
}

Result<Shape> ShapeReader::read(const v1::Shape& shape) {
  auto made = read_kind(shape);
  if (!made) return made;
  // Of a hull or a round shape the number is known only now.
  const std::size_t count = made->features().size();
  if (Status few = check_count(count); !few) return few.error();
  left_ -= count;
  const auto at = placement_of(shape);
  return at ? made->placed(*at) : std::move(made);
}

}  // namespace tocsin::wire
