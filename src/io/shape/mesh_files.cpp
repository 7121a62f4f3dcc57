#include "io/shape/mesh_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/extension.h"
#include "base/mesh_bytes.h"
#include "base/quoted.h"
#include "base/text_file.h"
#include "io/load_environment.h"

namespace tocsin::io {
namespace {

/// The names of a file's objects for an error message, the first few.
std::string names_of_objects(const Environment& environment) {
  constexpr std::size_t kMost = 10;
  std::string out;
  const auto objects = environment.objects();
  for (std::size_t i = 0; i < std::min(objects.size(), kMost); ++i) {
    out += (i == 0 ? "" : ", ") + base::in_quotes(objects[i].name);
  }
  if (objects.size() > kMost) out += fmt::format(" and {} more", objects.size() - kMost);
  return out;
}

/// Cuts objects out of an environment. Memory for all corners is there once.
class MeshCorners {
 public:
  explicit MeshCorners(const Environment& environment)
      : environment_(environment), place_(environment.vertices().size(), kNone) {}

  /// The triangles of some objects, with the corners that they use, in order of first use.
  FileMesh mesh_of(const std::vector<const Object*>& objects) {
    FileMesh out;
    std::vector<std::uint32_t> used;
    for (const Object* const object : objects) {
      for (TriangleIndices triangle :
           environment_.triangles().subspan(object->first_triangle, object->triangle_count)) {
        for (std::uint32_t& corner : triangle) {
          const Vec3f& v = environment_.vertices()[corner];
          std::uint32_t& at = place_[corner];
          if (at == kNone) {
            at = static_cast<std::uint32_t>(out.corners.size());
            out.corners.push_back({v.x, v.y, v.z});
            used.push_back(corner);
          }
          corner = at;
        }
        out.triangles.push_back(triangle);
      }
    }
    for (const std::uint32_t corner : used) place_[corner] = kNone;
    return out;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  const Environment& environment_;
  std::vector<std::uint32_t> place_;  ///< of a corner in the mesh at hand
};

}  // namespace

Result<Environment> MeshFiles::load(const std::filesystem::path& file) {
  if (const auto known = known_.find(file); known != known_.end()) return known->second;
  InputLog read;
  auto loaded = load_environment(file, {}, guard_, log_ == nullptr ? nullptr : &read);
  if (!loaded) return loaded;
  for (InputRecord& input : read) {
    if (input.role == "environment") input.role = "mesh";
    log_->push_back(std::move(input));
  }
  const auto warnings = loaded->warnings();
  warnings_.insert(warnings_.end(), warnings.begin(), warnings.end());
  known_.emplace(file, *loaded);
  return loaded;
}

Result<FileMesh> MeshFiles::read_shape_file(const std::filesystem::path& file,
                                            const std::string& object) {
  if (!object.empty()) return base::file_error(file, "a .shape file has no objects");
  const bool known = !logged_.insert(file).second;
  const auto text = read_input(file, "mesh", known ? nullptr : log_);
  if (!text) return text.error();
  auto mesh = base::read_mesh_bytes(*text);
  if (!mesh) return base::file_error(file, mesh.error().message);
  if (mesh->triangles.empty()) return base::file_error(file, "has no triangles");
  return FileMesh{std::move(mesh->corners), std::move(mesh->triangles)};
}

Result<FileMesh> MeshFiles::read(const std::filesystem::path& file, const std::string& object) {
  if (base::lower_extension(file) == ".shape") return read_shape_file(file, object);
  const auto loaded = load(file);
  if (!loaded) return loaded.error();
  std::vector<const Object*> meant;
  for (const Object& one : loaded->objects()) {
    if (object.empty() || one.name == object) meant.push_back(&one);
  }
  if (meant.empty() && !object.empty()) {
    return base::file_error(file, fmt::format("has no object {}; it has {}",
                                              base::in_quotes(object), names_of_objects(*loaded)));
  }
  FileMesh out = MeshCorners(*loaded).mesh_of(meant);
  if (out.triangles.empty()) {
    return base::file_error(
        file, object.empty() ? std::string("has no triangles")
                             : fmt::format("object {} has no triangles", base::in_quotes(object)));
  }
  return out;
}

Result<std::vector<FileMesh>> MeshFiles::read_objects(const std::filesystem::path& file) {
  if (base::lower_extension(file) == ".shape") {
    auto whole = read_shape_file(file, {});
    if (!whole) return whole.error();
    return std::vector<FileMesh>{std::move(whole).value()};
  }
  const auto loaded = load(file);
  if (!loaded) return loaded.error();
  MeshCorners corners(*loaded);
  std::vector<FileMesh> out;
  for (const Object& object : loaded->objects()) out.push_back(corners.mesh_of({&object}));
  return out;
}

}  // namespace tocsin::io
