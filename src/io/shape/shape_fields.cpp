#include "io/shape/shape_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "io/json/json_value.h"

namespace tocsin::io {
namespace {

using base::in_quotes;

constexpr std::array<std::string_view, 8> kKinds{"mesh",    "convex",   "box",  "sphere",
                                                 "capsule", "cylinder", "cone", "triangles"};

/// A failure that is noted already.
Error noted() { return {ErrorCode::kInput, {}}; }

bool is_kind_of_shape(std::string_view name) {
  return std::find(kKinds.begin(), kKinds.end(), name) != kKinds.end();
}

/// Three to a list, and why not.
std::string not_three(const JsonValue& value, std::string_view what) {
  return fmt::format("must be an array of {}, is {}", what,
                     value.kind == JsonKind::kArray ? fmt::format("one of {}", value.items.size())
                                                    : std::string(json_kind_name(value.kind)));
}

}  // namespace

double ShapeFields::read_number(const JsonValue& value, std::string_view path) {
  return is_kind(value, JsonKind::kNumber, path) ? value.number : 0.0;
}

double ShapeFields::number_in(const JsonValue& object, std::string_view name,
                              std::string_view path) {
  const JsonValue* const value = required(object, name, path);
  return value == nullptr ? 0.0 : read_number(*value, json_path(path, name));
}

Vec3 ShapeFields::read_vector(const JsonValue& value, std::string_view path) {
  if (value.kind != JsonKind::kArray || value.items.size() != 3) {
    fail(path, not_three(value, "3 numbers"));
    return {};
  }
  return {read_number(value.items[0], json_path(path, 0)),
          read_number(value.items[1], json_path(path, 1)),
          read_number(value.items[2], json_path(path, 2))};
}

Quat ShapeFields::read_quaternion(const JsonValue& value, std::string_view path) {
  if (value.kind != JsonKind::kArray || value.items.size() != 4) {
    fail(path, not_three(value, "4 numbers, [w, x, y, z]"));
    return {};
  }
  std::array<double, 4> q{};
  for (std::size_t i = 0; i < 4; ++i) q[i] = read_number(value.items[i], json_path(path, i));
  return {q[0], q[1], q[2], q[3]};
}

ShapePlacement ShapeFields::read_placement(const JsonValue& value, std::string_view path) {
  ShapePlacement at;
  if (const JsonValue* const v = value.member("translation")) {
    at.translation = read_vector(*v, json_path(path, "translation"));
  }
  if (const JsonValue* const q = value.member("rotation")) {
    at.rotation = read_quaternion(*q, json_path(path, "rotation"));
  }
  if (const JsonValue* const scale = value.member("scale")) {
    const std::string where = json_path(path, "scale");
    if (scale->kind == JsonKind::kNumber) {
      at.scale = {scale->number, scale->number, scale->number};
    } else {
      at.scale = read_vector(*scale, where);
    }
  }
  return at;
}

std::string ShapeFields::read_file_name(const JsonValue& value, std::string_view path) {
  if (!is_kind(value, JsonKind::kString, path)) return {};
  if (value.text.empty()) fail(path, "must not be empty");
  if (value.text.find('\0') != std::string::npos) fail(path, "is no name of a file");
  return value.text;
}

Result<Shape> ShapeFields::read_files_mesh(const JsonValue& value, std::string_view kind,
                                           std::string_view path) {
  const std::string where = json_path(path, kind);
  const std::string name = read_file_name(*value.member(kind), where);
  std::string object;
  if (const JsonValue* const one = value.member("object")) {
    object = read_file_name(*one, json_path(path, "object"));
  }
  if (error()) return noted();
  if (folder_ == nullptr) {
    fail(where, "names a file, which only a model that is read from a file can do");
    return noted();
  }
  auto mesh = folder_->files->read(folder_->folder / name, object);
  if (!mesh) {
    fail(mesh.error().code, where, mesh.error().message);
    return noted();
  }
  return kind == "convex"
             ? Shape::convex(mesh->corners, rounding_)
             : Shape::mesh(std::move(mesh->corners), std::move(mesh->triangles), rounding_);
}

Result<Shape> ShapeFields::read_round(const JsonValue& value, std::string_view kind,
                                      std::string_view path) {
  constexpr std::array<std::string_view, 2> kSphere{"center", "radius"};
  constexpr std::array<std::string_view, 3> kCapsule{"a", "b", "radius"};
  constexpr std::array<std::string_view, 3> kRound{"radius", "height", "tolerance"};
  const bool sphere = kind == "sphere";
  const bool capsule = kind == "capsule";
  const std::span<const std::string_view> known = sphere
                                                      ? std::span<const std::string_view>(kSphere)
                                                  : capsule ? kCapsule
                                                            : kRound;
  if (!is_object_of(value, known, path)) return noted();
  const double radius = number_in(value, "radius", path);
  if (sphere) {
    const JsonValue* const at = value.member("center");
    const Vec3 center = at == nullptr ? Vec3{} : read_vector(*at, json_path(path, "center"));
    return Shape::sphere(center, radius + rounding_);
  }
  if (capsule) {
    const JsonValue* const a = required(value, "a", path);
    const JsonValue* const b = required(value, "b", path);
    if (error()) return noted();
    const Vec3 begin = read_vector(*a, json_path(path, "a"));
    return Shape::capsule(begin, read_vector(*b, json_path(path, "b")), radius + rounding_);
  }
  const double height = number_in(value, "height", path);
  const double tolerance = number_in(value, "tolerance", path);
  if (error()) return noted();
  return kind == "cylinder" ? Shape::cylinder(radius, height, tolerance, rounding_)
                            : Shape::cone(radius, height, tolerance, rounding_);
}

void ShapeFields::read_corners(const JsonValue& value, std::string_view path,
                               std::vector<Vec3>& out) {
  if (!is_kind(value, JsonKind::kArray, path)) return;
  out.reserve(value.items.size());
  for (std::size_t i = 0; i < value.items.size() && !error(); ++i) {
    out.push_back(read_vector(value.items[i], json_path(path, i)));
  }
}

void ShapeFields::read_indices(const JsonValue& value, std::string_view path,
                               std::vector<TriangleIndices>& out) {
  if (!is_kind(value, JsonKind::kArray, path)) return;
  out.reserve(value.items.size());
  constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
  for (std::size_t i = 0; i < value.items.size() && !error(); ++i) {
    const JsonValue& item = value.items[i];
    const std::string where = json_path(path, i);
    if (item.kind != JsonKind::kArray || item.items.size() != 3) {
      fail(where, not_three(item, "3 corners' numbers, from 0"));
      return;
    }
    TriangleIndices triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const double index = read_number(item.items[k], where);
      if (!(index >= 0.0 && index <= kMost && index == std::floor(index))) {
        fail(where, fmt::format("must be whole numbers from 0, has {}", index));
        return;
      }
      triangle[k] = static_cast<std::uint32_t>(index);
    }
    out.push_back(triangle);
  }
}

Result<Shape> ShapeFields::read_triangles(const JsonValue& value, std::string_view path) {
  constexpr std::array<std::string_view, 2> kKnown{"corners", "indices"};
  if (!is_object_of(value, kKnown, path)) return noted();
  const JsonValue* const points = required(value, "corners", path);
  const JsonValue* const triangles = required(value, "indices", path);
  if (error()) return noted();
  std::vector<Vec3> corners;
  std::vector<TriangleIndices> indices;
  read_corners(*points, json_path(path, "corners"), corners);
  read_indices(*triangles, json_path(path, "indices"), indices);
  if (error()) return noted();
  return Shape::mesh(std::move(corners), std::move(indices), rounding_);
}

Result<Shape> ShapeFields::read_kind(const JsonValue& value, std::string_view kind,
                                     std::string_view path) {
  if (kind == "mesh" || kind == "convex") return read_files_mesh(value, kind, path);
  const std::string where = json_path(path, kind);
  const JsonValue& of_kind = *value.member(kind);
  if (kind == "triangles") return read_triangles(of_kind, where);
  if (kind != "box") return read_round(of_kind, kind, where);
  const Vec3 half = read_vector(of_kind, where);
  if (error()) return noted();
  return Shape::box(half, rounding_);
}

Shape ShapeFields::read_shape(const JsonValue& value, std::string_view path) {
  if (!is_kind(value, JsonKind::kObject, path)) return {};
  std::string_view kind;
  for (const std::string& name : value.names) {
    if (!is_kind_of_shape(name)) continue;
    if (!kind.empty()) {
      fail(path, fmt::format("must be one of {} and {}, is both", kind, name));
      return {};
    }
    kind = name;
  }
  std::vector<std::string_view> known{"translation", "rotation", "scale", "radius"};
  if (kind == "mesh" || kind == "convex") known.emplace_back("object");
  for (const std::string_view one : kKinds) {
    if (kind.empty() || one == kind) known.push_back(one);
  }
  if (!is_object_of(value, known, path)) return {};
  if (kind.empty()) {
    fail(path, fmt::format("must have one of {}", fmt::join(kKinds, ", ")));
    return {};
  }
  const JsonValue* const radius = value.member("radius");
  rounding_ = radius == nullptr ? 0.0 : read_number(*radius, json_path(path, "radius"));
  if (!error() && !(rounding_ >= 0.0)) {
    fail(json_path(path, "radius"), fmt::format("must be 0 or more (metres), is {}", rounding_));
  }
  const ShapePlacement at = read_placement(value, path);
  if (error()) return {};
  auto made = read_kind(value, kind, path);
  const bool placed =
      std::any_of(value.names.begin(), value.names.end(), [](const std::string& name) {
        return name == "translation" || name == "rotation" || name == "scale";
      });
  if (made.ok() && placed) made = made->placed(at);
  if (!made.ok()) fail(made.error().code, path, made.error().message);
  return !error() && made.ok() ? std::move(made).value() : Shape();
}

}  // namespace tocsin::io
