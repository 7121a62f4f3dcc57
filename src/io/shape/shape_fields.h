// The field "shape" of a link in an avatar model: docs/reference/avatar-model.md.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/json/json_fields.h"
#include "io/json/json_value.h"
#include "io/shape/mesh_files.h"
#include "tocsin/shape.h"

namespace tocsin::io {

/// Where a model's mesh files are.
struct ModelFolder {
  std::filesystem::path folder;  ///< relative names begin here
  MeshFiles* files = nullptr;
};

/// A base for readers that meet shapes.
class ShapeFields : protected JsonFields {
 protected:
  /// `folder`: null: a model that is no file, and may name none.
  ShapeFields(std::string_view file, const ModelFolder* folder)
      : JsonFields(file), folder_(folder) {}
  ~ShapeFields() = default;

  /// An empty shape after a failure.
  Shape read_shape(const JsonValue& value, std::string_view path);

 private:
  Result<Shape> read_kind(const JsonValue& value, std::string_view kind, std::string_view path);
  Result<Shape> read_files_mesh(const JsonValue& value, std::string_view kind,
                                std::string_view path);
  Result<Shape> read_round(const JsonValue& value, std::string_view kind, std::string_view path);
  Result<Shape> read_triangles(const JsonValue& value, std::string_view path);
  ShapePlacement read_placement(const JsonValue& value, std::string_view path);
  Quat read_quaternion(const JsonValue& value, std::string_view path);
  /// 0 if it is missing, or after a failure.
  double number_in(const JsonValue& object, std::string_view name, std::string_view path);
  double read_number(const JsonValue& value, std::string_view path);
  Vec3 read_vector(const JsonValue& value, std::string_view path);
  void read_corners(const JsonValue& value, std::string_view path, std::vector<Vec3>& out);
  void read_indices(const JsonValue& value, std::string_view path,
                    std::vector<TriangleIndices>& out);
  std::string read_file_name(const JsonValue& value, std::string_view path);

  const ModelFolder* folder_;
  double rounding_ = 0.0;  ///< of the shape at hand
};

/// A shape as a model's text has it, without a file: what ShapeFields reads back as the same shape,
/// bit for bit. Precondition: not empty.
std::string shape_text(const Shape& shape);

/// The text of a shape that is a mesh of a file, or its convex hull. `at`: none: it stays as it is.
std::string mesh_shape_text(std::string_view file, bool convex,
                            const std::optional<ShapePlacement>& at, double radius);

}  // namespace tocsin::io
