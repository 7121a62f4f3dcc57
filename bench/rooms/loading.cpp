// bench_loading: how long a room takes from its file to an environment, beside assimp on the same
// file in the same run. docs/performance.md explains the figures.
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "rooms/loading_output.h"
#include "shared/files.h"
#include "shared/loading_files.h"
#include "shared/options.h"
#include "shared/timing.h"

namespace tocsin::bench {
namespace {

namespace fs = std::filesystem;

/// What is to be read, and what is demanded of it.
struct Input {
  std::string name;
  fs::path file;
  double limit_seconds = 0.0;
  std::size_t passes = 1;
};

/// Triangles in assimp's scene.
std::uint64_t faces_of(const aiScene* scene) {
  std::uint64_t count = 0;
  for (unsigned i = 0; scene != nullptr && i < scene->mNumMeshes; ++i) {
    count += scene->mMeshes[i]->mNumFaces;
  }
  return count;
}

bool equal(const Environment& a, const Environment& b) {
  return std::ranges::equal(a.vertices(), b.vertices()) &&
         std::ranges::equal(a.triangles(), b.triangles()) &&
         std::ranges::equal(a.objects(), b.objects(), {}, &Object::name, &Object::name);
}

/// `expected` is what was written, if it was written here.
LoadingCase measure(const Input& input, const Environment* expected) {
  LoadingCase c;
  c.name = input.name;
  c.format = input.file.extension() == ".ply" ? "PLY" : "OBJ";
  c.bytes = fs::file_size(input.file);
  c.passes = input.passes;
  c.limit_seconds = input.limit_seconds;
  std::vector<double> load;
  std::vector<double> wall;
  std::vector<double> assimp;
  std::vector<double> ratio;
  std::vector<double> hash;
  // The first time brings the file into the page cache, and is not counted.
  for (std::size_t pass = 0; pass <= input.passes; ++pass) {
    const double wall_begin = now_us();
    const double begin = cpu_us();
    std::optional<Result<Environment>> room(load_environment(input.file));
    const double loaded = cpu_us();
    const double wall_loaded = now_us();
    if (pass == 0) {
      c.same = room->ok() && (expected == nullptr || equal(room->value(), *expected));
      if (!room->ok()) continue;
      c.triangles = (*room)->triangles().size();
      c.vertices = (*room)->vertices().size();
      c.objects = (*room)->objects().size();
      continue;
    }
    room.reset();
    const double hash_begin = cpu_us();
    keep(base::sha256_file(input.file));
    const double assimp_begin = cpu_us();
    Assimp::Importer importer;
    const aiScene* const scene = importer.ReadFile(input.file.string(), 0);
    const double end = cpu_us();
    c.same = c.same && faces_of(scene) == c.triangles;
    load.push_back(1e-6 * (loaded - begin));
    wall.push_back(1e-6 * (wall_loaded - wall_begin));
    hash.push_back(1e-6 * (assimp_begin - hash_begin));
    assimp.push_back(1e-6 * (end - assimp_begin));
    ratio.push_back(assimp.back() / load.back());
  }
  c.load = figures_of(std::move(load));
  c.load_wall = figures_of(std::move(wall));
  c.assimp = figures_of(std::move(assimp));
  c.ratio = figures_of(std::move(ratio));
  c.hash = figures_of(std::move(hash));
  return c;
}

/// Writes the grid, reads it, removes it: one large file at a time.
Result<LoadingCase> measure_grid(const GridFile& grid, const Options& options) {
  const TemporaryFolder folder;
  const Environment room = make_grid(grid.triangles, grid.objects);
  Input input;
  input.file = folder.path() / ("grid" + grid.extension);
  const bool large = grid.triangles > 5'000'000;
  input.name =
      fmt::format("grid, {}, {}", grid.extension.substr(1),
                  grid.objects == 1 ? "one object" : fmt::format("{} objects", grid.objects));
  input.passes = options.passes > 0 ? options.passes : options.quick ? 1 : large ? 3 : 7;
  if (large && grid.extension == ".ply") input.limit_seconds = 3.0;
  const double begin = cpu_us();
  const Status saved = save_environment(room, input.file);
  const double end = cpu_us();
  if (!saved.ok()) return saved.error();
  LoadingCase c = measure(input, &room);
  c.save_seconds = 1e-6 * (end - begin);
  return c;
}

std::vector<GridFile> grids(bool quick) {
  if (quick) return {{20'000, 1, ".ply"}, {20'000, 10, ".ply"}, {20'000, 10, ".obj"}};
  return {{1'000'000, 1, ".ply"},  {1'000'000, 100, ".ply"},    {1'000'000, 100, ".obj"},
          {10'000'000, 1, ".ply"}, {10'000'000, 1'000, ".ply"}, {10'000'000, 1'000, ".obj"}};
}

int run(const Options& options) {
  LoadingReport report;
  report.machine = this_machine();
  report.quick = options.quick;
  std::error_code ignored;
  report.has_house = fs::exists(house_file(), ignored);
  if (report.has_house) {
    const std::size_t passes = options.passes > 0 ? options.passes : options.quick ? 1 : 15;
    report.cases.push_back(measure({"small_house, obj", house_file(), 0.1, passes}, nullptr));
  }
  for (const GridFile& grid : grids(options.quick)) {
    Result<LoadingCase> c = measure_grid(grid, options);
    if (!c.ok()) {
      fmt::print(stderr, "error: {}\n", c.error().message);
      return 4;
    }
    report.cases.push_back(std::move(c).value());
  }
  const Results results{"loading", loading_text(report), loading_json(report)};
  const bool same = std::all_of(report.cases.begin(), report.cases.end(),
                                [](const LoadingCase& c) { return c.same; });
  return finish(results, options, report.machine, same,
                "what was read is not what was written (see above)");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"How long a room takes from its file to an environment, beside assimp on the same file. "
       "Exit status 1: what was read is not what was written.",
       "Small rooms, one pass: shows that it runs, not how fast",
       "Passes over every file (15, 7 or 3, by size)"},
      tocsin::bench::run);
}
