// Shapes in a model's text: the other half of shape_fields.cpp.
#include <utility>

#include "base/json_text.h"
#include "io/shape/shape_fields.h"

namespace tocsin::io {
namespace {

void append_point(std::string& out, const Vec3& p) {
  const char* before = "[";
  for (const double x : {p.x, p.y, p.z}) {
    out += std::exchange(before, ", ");
    base::append_json(out, x);
  }
  out += ']';
}

void append_radius(std::string& out, double radius) {
  out += ", \"radius\": ";
  base::append_json(out, radius);
}

/// A sphere or capsule, which no mesh is but by its name.
bool is_round(const Shape& shape) {
  const auto corners = shape.corners();
  if (shape.features().size() != 1 || !(shape.radius() >= 1e-6)) return false;
  return corners.size() == 1 || (corners.size() == 2 && corners[0] != corners[1] &&
                                 shape.features()[0] == TriangleIndices{0, 1, 1});
}

void append_round(std::string& out, const Shape& shape) {
  const auto corners = shape.corners();
  out += corners.size() == 1 ? "{\"sphere\": {\"center\": " : "{\"capsule\": {\"a\": ";
  append_point(out, corners[0]);
  if (corners.size() == 2) {
    out += ", \"b\": ";
    append_point(out, corners[1]);
  }
  append_radius(out, shape.radius());
  out += "}}";
}

}  // namespace

std::string shape_text(const Shape& shape) {
  std::string out;
  if (is_round(shape)) {
    append_round(out, shape);
    return out;
  }
  out += "{\"triangles\": {\"corners\": ";
  const char* before = "[";
  for (const Vec3& corner : shape.corners()) {
    out += std::exchange(before, ", ");
    append_point(out, corner);
  }
  out += "], \"indices\": ";
  before = "[";
  for (const auto& [i, j, k] : shape.features()) {
    out += std::exchange(before, ", ");
    out += '[' + std::to_string(i) + ", " + std::to_string(j) + ", " + std::to_string(k) + ']';
  }
  out += "]}";
  if (shape.radius() > 0.0) append_radius(out, shape.radius());
  out += '}';
  return out;
}

std::string mesh_shape_text(std::string_view file, bool convex,
                            const std::optional<ShapePlacement>& at, double radius) {
  std::string out = convex ? "{\"convex\": " : "{\"mesh\": ";
  base::append_json(out, file);
  if (at) {
    out += ", \"scale\": ";
    append_point(out, at->scale);
    out += ", \"rotation\": ";
    const char* before = "[";
    for (const double x : {at->rotation.w, at->rotation.x, at->rotation.y, at->rotation.z}) {
      out += std::exchange(before, ", ");
      base::append_json(out, x);
    }
    out += "], \"translation\": ";
    append_point(out, at->translation);
  }
  if (radius > 0.0) append_radius(out, radius);
  out += '}';
  return out;
}

}  // namespace tocsin::io
