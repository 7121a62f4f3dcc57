#include "shared/loading_files.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <system_error>
#include <utility>

#include "shared/files.h"

namespace tocsin::bench {

namespace {

namespace fs = std::filesystem;

/// 0 to 65,535, without pattern to the eye.
std::uint32_t noise(std::uint32_t i) {
  i = (i ^ 61U) ^ (i >> 16U);
  i *= 9U;
  i ^= i >> 4U;
  i *= 0x27d4eb2dU;
  return (i ^ (i >> 15U)) & 0xFFFFU;
}

struct Square {
  float x = 0.0F;  ///< metres
  float z = 0.0F;
  float width = 0.0F;
};

/// n x n cells of two triangles each.
ObjectMesh make_tile(std::string name, std::uint32_t n, const Square& square, std::uint32_t seed) {
  ObjectMesh mesh;
  mesh.name = std::move(name);
  mesh.vertices.reserve(std::size_t{n + 1} * (n + 1));
  mesh.triangles.reserve(std::size_t{2} * n * n);
  const float cell = square.width / static_cast<float>(n);
  for (std::uint32_t k = 0; k <= n; ++k) {
    for (std::uint32_t i = 0; i <= n; ++i) {
      const float y = 1e-6F * static_cast<float>(noise(seed + k * (n + 1) + i));
      mesh.vertices.push_back(
          {square.x + static_cast<float>(i) * cell, y, square.z + static_cast<float>(k) * cell});
    }
  }
  for (std::uint32_t k = 0; k < n; ++k) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = k * (n + 1) + i;
      const std::uint32_t b = a + n + 1;
      mesh.triangles.push_back({a, b, a + 1});
      mesh.triangles.push_back({a + 1, b, b + 1});
    }
  }
  return mesh;
}

}  // namespace

Environment make_grid(std::size_t triangles, std::size_t objects) {
  const auto cells = static_cast<double>(triangles / 2 / objects);
  const auto n = static_cast<std::uint32_t>(std::max(1.0, std::round(std::sqrt(cells))));
  const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(objects))));
  const float width = 20.0F / static_cast<float>(side);
  std::vector<ObjectMesh> meshes;
  for (std::size_t i = 0; i < objects; ++i) {
    const Square square{static_cast<float>(i % side) * width - 10.0F,
                        static_cast<float>(i / side) * width - 10.0F, width};
    meshes.push_back(make_tile("tile_" + std::to_string(i), n, square,
                               static_cast<std::uint32_t>(i) * (n + 1) * (n + 1)));
  }
  return *Environment::create(std::move(meshes));
}

fs::path house_file() { return data_folder() / "environments/small_house.obj"; }

TemporaryFolder::TemporaryFolder()
    : path_(fs::temp_directory_path() / ("tocsin_bench_loading_" + std::to_string(::getpid()))) {
  fs::create_directories(path_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace tocsin::bench
