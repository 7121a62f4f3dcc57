#include "gpu/gl/visibility/raster_self_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "gpu/gl/visibility/visibility_passes.h"

namespace tocsin::gl {
namespace {

constexpr int kTile = 32;  // pixels
constexpr std::uint32_t kTestTriangles = 4096;

/// Numbers from a fixed generator, without std's distributions, which differ between libraries.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : generator_(seed) {}
  /// In [-1, 1).
  float next() {
    return static_cast<float>(static_cast<double>(generator_() >> 11U) * 0x1p-52 - 1.0);
  }
  Vec3f point(float size) { return {size * next(), size * next(), size * next()}; }

 private:
  std::mt19937_64 generator_;
};

Vec3f moved(const Vec3f& p, const Vec3f& by) { return {p.x + by.x, p.y + by.y, p.z + by.z}; }
Vec3f between(const Vec3f& p, const Vec3f& q, float t) {
  return {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y), p.z + t * (q.z - p.z)};
}

/// Tiles span +-1.07 or so.
SkinTriangle random_triangle(Numbers& numbers, std::uint32_t kind) {
  constexpr float kPixel = 2.0F / (kTile - 2);
  const Vec3f a = numbers.point(1.0F);
  switch (kind % 6) {
    case 0:  // any
      return {a, numbers.point(1.0F), numbers.point(1.0F)};
    case 1:  // less than a pixel
      return {a, moved(a, numbers.point(0.5F * kPixel)), moved(a, numbers.point(0.5F * kPixel))};
    case 2: {  // a sliver
      const Vec3f b = numbers.point(1.0F);
      const Vec3f c = between(a, b, 0.5F + 0.5F * numbers.next());
      return {a, b, moved(c, numbers.point(1e-3F * kPixel))};
    }
    case 3: {  // edge-on: seen along z it is a line
      const Vec3f b = numbers.point(1.0F);
      const Vec3f c = between(a, b, 0.5F + 0.5F * numbers.next());
      return {a, b, {c.x, c.y, numbers.next()}};
    }
    case 4:  // across the tile's border
      return {numbers.point(4.0F), numbers.point(4.0F), a};
    default: {  // with corners on corners of pixels
      const auto snapped = [](float x) { return std::round(x / kPixel) * kPixel; };
      const Vec3f b = moved(a, numbers.point(4.0F * kPixel));
      const Vec3f c = moved(a, numbers.point(4.0F * kPixel));
      return {Vec3f{snapped(a.x), snapped(a.y), a.z}, Vec3f{snapped(b.x), snapped(b.y), b.z},
              Vec3f{snapped(c.x), snapped(c.y), c.z}};
    }
  }
}

}  // namespace

RasterChoice choose_raster(RasterWay extension, const RasterComparison& compared) {
  if (compared.missing == 0 && compared.drawn > 0) return {extension, name_of(extension)};
  return {RasterWay::kShader, fmt::format("shader ({} missed {} of {} pixels of a test)",
                                          name_of(extension), compared.missing, compared.drawn)};
}

RasterChoice try_extension(RasterWay extension) {
  const auto compared = compare_with_shader(extension);
  // An error that the test left behind must not be taken for a later call's.
  const Status left = check_device("the test of an extension");
  if (compared && left) return choose_raster(extension, *compared);
  const std::string& why = compared ? left.error().message : compared.error().message;
  return {RasterWay::kShader, fmt::format("shader ({}: {})", name_of(extension), why)};
}

Chunk random_triangle_chunk(const TileGrid& grid, std::uint32_t count, std::uint64_t seed) {
  Numbers numbers(seed);
  Chunk out;
  for (std::uint32_t i = 0; i < count; ++i) {
    const VisibilitySlab slab{.origin = {}, .half = {1.0F, 1.0F, 1.0F}};
    out.slabs.push_back(slab_record(slab, grid, i));
    out.skin.push_back(random_triangle(numbers, i));
    out.skin_commands.push_back({.count = kVerticesPerTriangle,
                                 .instances = 0,
                                 .first = kVerticesPerTriangle * i,
                                 .base_instance = i});
  }
  return out;
}

Result<RasterComparison> compare_with_shader(RasterWay way) {
  const TileGrid grid = make_tile_grid(kTile, kTile, 2048);
  const Chunk chunk = random_triangle_chunk(grid, std::min(kTestTriangles, grid.most_tiles()), 1);
  std::array<std::vector<std::array<float, 2>>, 2> drawn;
  const std::array<RasterWay, 2> ways{RasterWay::kShader, way};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    auto passes = VisibilityPasses::create({.grid = grid, .way = ways[i]});
    if (!passes) return passes.error();
    if (const Status status = passes->load(chunk); !status) return status.error();
    drawn[i] = passes->skin_depths(chunk, 2);
  }
  if (const Status status = check_device("the test of an extension"); !status) {
    return status.error();
  }
  RasterComparison out;
  for (std::size_t i = 0; i < drawn[0].size(); ++i) {
    if (std::isinf(drawn[0][i][0])) continue;
    ++out.drawn;
    if (std::isinf(drawn[1][i][0])) ++out.missing;
  }
  return out;
}

}  // namespace tocsin::gl
