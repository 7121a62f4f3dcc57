#include "io/ply/ply.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "io/obj_objects.h"
#include "io/ply/ply_body.h"
#include "io/ply/ply_header.h"
#include "io/ply/ply_objects.h"

namespace tocsin::io {
namespace {

/// Empty, or why the noted objects are not those of the faces.
std::string coverage_fault(const std::vector<Object>& objects, const PlyGeometry& geometry) {
  const Object& last = objects.back();
  const std::size_t end = std::size_t{last.first_triangle} + last.triangle_count;
  if (end == geometry.faces && end == geometry.triangles.size()) return {};
  return fmt::format(
      "the header notes objects of {} triangles in all, the file has {} faces that make {}", end,
      geometry.faces, geometry.triangles.size());
}

/// Several objects from the one list of vertices; adds to `warnings`.
std::vector<ObjectMesh> split(std::vector<Object> noted, PlyGeometry geometry,
                              std::vector<std::string>& warnings) {
  ObjGeometry whole{std::move(geometry.vertices), std::move(geometry.triangles), {}};
  // Numbers stand for the names, which are to stay as they are.
  std::vector<std::string> numbers(noted.size());
  for (std::size_t i = 0; i < noted.size(); ++i) {
    numbers[i] = fmt::format("{}", i);
    whole.marks.push_back({numbers[i], noted[i].first_triangle, true});
  }
  ObjObjects made = split_objects(whole);
  std::size_t next = 0;
  for (Object& object : noted) {
    if (object.triangle_count > 0) made.objects[next++].name = std::move(object.name);
  }
  warnings.insert(warnings.end(), made.warnings.begin(), made.warnings.end());
  return std::move(made.objects);
}

Result<Environment> parse(std::string_view bytes, std::string_view file,
                          const EnvironmentOptions& options) {
  const Result<PlyHeader> header = parse_ply_header(bytes);
  if (!header.ok()) return header.error();
  Result<PlyObjects> noted = parse_ply_objects(header->comments);
  if (!noted.ok()) return noted.error();
  Result<PlyGeometry> geometry = read_ply_body(*header, bytes, options);
  if (!geometry.ok()) return geometry.error();
  if (geometry->triangles.empty()) return {ErrorCode::kInput, "holds no triangles"};

  std::vector<std::string> warnings = std::move(geometry->warnings);
  warnings.insert(warnings.end(), noted->warnings.begin(), noted->warnings.end());
  std::vector<ObjectMesh> objects;
  if (!noted->objects.empty()) {
    std::string fault = coverage_fault(noted->objects, *geometry);
    if (!fault.empty()) return {ErrorCode::kInput, std::move(fault)};
  }
  if (noted->objects.size() > 1) {
    objects = split(std::move(noted->objects), std::move(geometry).value(), warnings);
  } else {
    std::string name = noted->objects.empty() ? std::filesystem::path(file).stem().string()
                                              : std::move(noted->objects[0].name);
    objects.push_back(
        {std::move(name), std::move(geometry->vertices), std::move(geometry->triangles)});
  }
  Result<Environment> made = Environment::create(std::move(objects));
  if (!made.ok()) return made;
  warnings.insert(warnings.end(), made->warnings().begin(), made->warnings().end());
  for (std::string& warning : warnings) warning = fmt::format("{}: {}", file, warning);
  if (warnings.empty()) return made;
  return made->with_warnings(std::move(warnings));
}

}  // namespace

Result<Environment> parse_ply(std::string_view bytes, std::string_view file,
                              const EnvironmentOptions& options) {
  Result<Environment> room = parse(bytes, file, options);
  if (room.ok()) return room;
  return {room.error().code, fmt::format("{}: {}", file, room.error().message)};
}

}  // namespace tocsin::io
