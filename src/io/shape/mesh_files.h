// Meshes of links: files of any room format.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/folder_guard.h"
#include "io/input_files.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// Corners and triangles of a file, or of one of its objects: metres, Y up, node transforms applied
/// as in rooms, rounded to float as there; triangles in file order.
struct FileMesh {
  std::vector<Vec3> corners;  ///< those that triangles use
  std::vector<TriangleIndices> triangles;
};

/// Reads mesh files, each once.
class MeshFiles {
 public:
  /// `log`, unless it is null, gets the files that are read, in the role "mesh", and their buffers.
  /// `guard`: which other files a file may refer to.
  explicit MeshFiles(InputLog* log, FolderGuard guard = FolderGuard::anywhere())
      : log_(log), guard_(std::move(guard)) {}

  /// `object`: the objects of this name; empty: all. A .shape file (base/mesh_bytes.h) has one
  /// mesh, whose coordinates are not rounded. Errors: as load_environment(); kInput, naming the
  /// file: no object of that name (lists them); no triangles; a .shape file that is none.
  Result<FileMesh> read(const std::filesystem::path& file, const std::string& object = {});

  /// Each of the file's objects, in order; some may be empty. Errors: as read().
  Result<std::vector<FileMesh>> read_objects(const std::filesystem::path& file);

  /// What was tolerated so far, each with its file.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Result<Environment> load(const std::filesystem::path& file);
  Result<FileMesh> read_shape_file(const std::filesystem::path& file, const std::string& object);

  InputLog* log_;
  FolderGuard guard_;
  std::map<std::filesystem::path, Environment> known_;
  std::set<std::filesystem::path> logged_;  ///< .shape files
  std::vector<std::string> warnings_;
};

}  // namespace tocsin::io
