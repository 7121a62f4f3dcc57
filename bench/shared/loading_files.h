// The rooms that bench_loading reads: the house of the test data, and bumpy grids of any size.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "tocsin/tocsin.h"

namespace tocsin::bench {

/// A room file to be made.
struct GridFile {
  std::size_t triangles = 0;  ///< about
  std::size_t objects = 1;
  std::string extension;  ///< ".ply" or ".obj"
};

/// A square of tiles, an object each, 20 m wide, every vertex at another height. The same bits on
/// every machine.
Environment make_grid(std::size_t triangles, std::size_t objects);

/// The file of the test data (TOCSIN_DATA), there or not.
std::filesystem::path house_file();

/// A folder for files of up to some hundred MB each, that goes away.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tocsin::bench
