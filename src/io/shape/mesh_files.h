// Meshes of links: files of any room format.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

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
  explicit MeshFiles(InputLog* log) : log_(log) {}

  /// `object`: the objects of this name; empty: all. Errors: as load_environment(); kInput, naming
  /// the file: no object of that name (lists them); no triangles.
  Result<FileMesh> read(const std::filesystem::path& file, const std::string& object = {});

  /// Each of the file's objects, in order; some may be empty. Errors: as read().
  Result<std::vector<FileMesh>> read_objects(const std::filesystem::path& file);

  /// What was tolerated so far, each with its file.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  Result<Environment> load(const std::filesystem::path& file);

  InputLog* log_;
  std::map<std::filesystem::path, Environment> known_;
  std::vector<std::string> warnings_;
};

}  // namespace tocsin::io
