// Conservative rasterisation against an exact clip: no pixel that a triangle touches is left out,
// no depth that it has there lies outside what was kept; and not much more than that is drawn.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gl/gl_test.h"
#include "gpu/gl/visibility/device_room.h"
#include "gpu/gl/visibility/exact_clip.h"
#include "gpu/gl/visibility/random_triangles.h"
#include "gpu/gl/visibility/raster_self_test.h"
#include "gpu/gl/visibility/visibility_passes.h"
#include "make/make.h"

#ifndef TOCSIN_RASTER_TRIANGLES
#define TOCSIN_RASTER_TRIANGLES 20000
#endif

namespace tocsin::test::raster_test {
namespace {

constexpr float kHalf = 0.25F;  // metres, of every slab, in x; y and z differ

struct Counts {
  std::uint64_t triangles = 0;
  std::uint64_t touched = 0;
  std::uint64_t missed = 0;
  std::uint64_t depth_violations = 0;
  std::uint64_t drawn = 0;
  std::uint64_t loose = 0;    ///< drawn, but not touched by the triangle grown by a hundredth or so
  std::uint64_t covered = 0;  ///< pixels of which everything is covered, by triangles not huge
  std::uint64_t wide = 0;     ///< of these, with depths much wider than they are
};

/// Where triangles come from and where.
struct Setting {
  std::string name;
  bool skin = true;
  Vec3f origin;
  int width = 16;
  int height = 12;
  gl::RasterWay way = gl::RasterWay::kShader;
};

class Rasters : public GlTest {
 protected:
  /// Draws `count` random triangles, one a tile, and compares.
  void check(const Setting& setting, std::uint32_t count, std::uint64_t seed,
             std::array<Counts, kTriangleKinds>& out);
};

struct Sample {
  gl::Chunk chunk;
  std::vector<std::array<Vec3f, 3>> triangles;  // as stored
  std::vector<int> kinds;
};

Sample make_sample(const Setting& setting, const gl::TileGrid& grid, std::uint32_t count,
                   RandomLinks& random) {
  Sample out;
  const double pixel = 2 * static_cast<double>(kHalf) / (setting.width - 2);
  for (std::uint32_t i = 0; i < count; ++i) {
    const gl::VisibilitySlab slab{.origin = setting.origin,
                                  .half = {kHalf, 0.7F * kHalf, 1.3F * kHalf}};
    out.chunk.slabs.push_back(gl::slab_record(slab, grid, i));
    const int kind = static_cast<int>(i % kTriangleKinds);
    out.kinds.push_back(kind);
    const auto exact =
        random_triangle(random, static_cast<TriangleKind>(kind), static_cast<double>(kHalf), pixel);
    std::array<Vec3f, 3> stored;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 world = setting.skin ? exact[k] : exact[k] + core::to_double(setting.origin);
      stored[k] = {static_cast<float>(world.x), static_cast<float>(world.y),
                   static_cast<float>(world.z)};
    }
    out.triangles.push_back(stored);
    out.chunk.skin.push_back(stored);
    out.chunk.skin_commands.push_back({.count = gl::kVerticesPerTriangle,
                                       .instances = 0,
                                       .first = gl::kVerticesPerTriangle * i,
                                       .base_instance = i});
    out.chunk.pairs.push_back({.slab = i, .first = i, .count = 1, .begin = i});
  }
  out.chunk.listed = count;
  return out;
}

/// A room in which every triangle has corners of its own.
std::shared_ptr<const gl::DeviceRoom> make_room(const std::shared_ptr<gl::DeviceThread>& device,
                                                const Sample& sample) {
  std::vector<std::uint32_t> corners(3 * sample.triangles.size());
  for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = static_cast<std::uint32_t>(i);
  return std::make_shared<gl::DeviceRoom>(
      device, gl::Buffer(std::span(sample.triangles)),
      std::make_shared<gl::RoomTriangles>(device, gl::Buffer(std::span(corners)),
                                          std::vector<gl::TriangleRange>{}));
}

/// Nothing of the room is demanded beside the skin's box, where it is dropped.
bool beside_box(const std::array<ExactPoint, 3>& t, const Setting& setting) {
  const Exact x = setting.width / 2 - 1;
  const Exact y = setting.height / 2 - 1;
  const auto [a, b, c] = t;
  return std::min({a.x, b.x, c.x}) > x || std::max({a.x, b.x, c.x}) < -x ||
         std::min({a.y, b.y, c.y}) > y || std::max({a.y, b.y, c.y}) < -y;
}

void compare(const std::array<ExactPoint, 3>& triangle, const Setting& setting,
             const std::vector<std::array<float, 2>>& drawn, std::size_t offset,
             std::size_t row_length, Counts& counts) {
  Exact farthest = std::max(setting.width, setting.height);
  Exact deepest = 0;
  for (const ExactPoint& p : triangle) {
    farthest = std::max({farthest, std::fabs(p.x), std::fabs(p.y)});
    deepest = std::max(deepest, std::fabs(p.z));
  }
  const Exact grow = 0.01L + 64 * 0x1p-23L * farthest;
  const std::vector<ExactPixel> truth = exact_pixels(triangle, setting.width, setting.height, 0);
  const std::vector<ExactPixel> grown = exact_pixels(triangle, setting.width, setting.height, grow);
  ++counts.triangles;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto width = static_cast<std::size_t>(setting.width);
    const auto [least, minus_greatest] = drawn[offset + i / width * row_length + i % width];
    const bool here = !std::isinf(least);
    counts.drawn += here ? 1 : 0;
    if (here && !grown[i].touched) ++counts.loose;
    if (!truth[i].touched) continue;
    ++counts.touched;
    if (!here) {
      ++counts.missed;
      continue;
    }
    if (static_cast<Exact>(least) > truth[i].least ||
        -static_cast<Exact>(minus_greatest) < truth[i].greatest) {
      ++counts.depth_violations;
    }
    // What a float cannot say: a hundred pixels of a slab are not seen from kilometres away.
    if (!truth[i].covered || farthest > 5000) continue;
    ++counts.covered;
    const Exact kept = -static_cast<Exact>(minus_greatest) - static_cast<Exact>(least);
    if (kept > 1.1L * (truth[i].greatest - truth[i].least) + 1e-5L * deepest) ++counts.wide;
  }
}

void Rasters::check(const Setting& setting, std::uint32_t count, std::uint64_t seed,
                    std::array<Counts, kTriangleKinds>& out) {
  const gl::TileGrid grid = gl::make_tile_grid(setting.width, setting.height, 4096);
  gl::VisibilityPasses passes;
  on_device([&] {
    auto made = gl::VisibilityPasses::create({.grid = grid, .way = setting.way, .all_views = true});
    ASSERT_TRUE(made.ok()) << made.error().message;
    passes = std::move(made).value();
  });
  RandomLinks random(seed);
  int view = 0;
  for (std::uint32_t done = 0; done < count; view = (view + 1) % 3) {
    const std::uint32_t now = std::min({count - done, grid.most_tiles(), 3000U});
    const Sample sample = make_sample(setting, grid, now, random);
    std::vector<std::array<float, 2>> drawn;
    on_device([&] {
      const Status loaded = passes.load(sample.chunk);
      ASSERT_TRUE(loaded.ok()) << loaded.error().message;
      if (setting.skin) {
        drawn = passes.skin_depths(sample.chunk, view);
        return;
      }
      auto depths = passes.room_depths(sample.chunk, *make_room(device(), sample), view);
      ASSERT_TRUE(depths.ok()) << depths.error().message;
      drawn = std::move(depths).value();
    });
    if (HasFatalFailure()) return;
    for (std::uint32_t i = 0; i < now; ++i) {
      std::array<ExactPoint, 3> triangle;
      for (std::size_t k = 0; k < 3; ++k) {
        triangle[k] = exact_point(sample.triangles[i][k], sample.chunk.slabs[i], setting.skin,
                                  static_cast<std::size_t>(view));
      }
      if (!setting.skin && beside_box(triangle, setting)) continue;
      const auto columns = static_cast<std::uint32_t>(grid.columns);
      const auto row_length = static_cast<std::size_t>(grid.width());
      const std::size_t offset =
          i / columns * static_cast<std::size_t>(setting.height) * row_length +
          i % columns * static_cast<std::size_t>(setting.width);
      compare(triangle, setting, drawn, offset, row_length,
              out[static_cast<std::size_t>(sample.kinds[i])]);
    }
    done += now;
  }
  on_device([&] { passes = gl::VisibilityPasses(); });
}

TEST_F(Rasters, MissNothingAndDrawLittleElse) {
  const std::array<Setting, 6> settings{{{"skin", true, {0, 0, 0}, 16, 12},
                                         {"room at the origin", false, {0.1F, 0.7F, -0.3F}, 16, 12},
                                         {"room, odd tiles", false, {3.3F, 1.1F, 2.2F}, 21, 13},
                                         {"skin, larger tiles", true, {0, 0, 0}, 32, 32},
                                         {"room at 100 m", false, {100.3F, -60.7F, 20.9F}, 16, 12},
                                         {"room at 10 km", false, {1e4F, -7e3F, 3.3e3F}, 16, 12}}};
  constexpr std::array<std::uint32_t, 6> kShares{35, 20, 15, 10, 10, 10};  // percent
  Counts all;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    std::array<Counts, kTriangleKinds> counts{};
    check(settings[s], TOCSIN_RASTER_TRIANGLES / 100 * kShares[s], 17 + s, counts);
    std::printf("%s\n", settings[s].name.c_str());
    for (std::size_t k = 0; k < counts.size(); ++k) {
      const Counts& c = counts[k];
      std::printf(
          "  %-14s %6llu triangles %8llu pixels touched, %llu missed, %llu wrong depths; "
          "loose %.3f%%, depths wide %.2f%%\n",
          kTriangleKindNames[k], static_cast<unsigned long long>(c.triangles),
          static_cast<unsigned long long>(c.touched), static_cast<unsigned long long>(c.missed),
          static_cast<unsigned long long>(c.depth_violations),
          100.0 * static_cast<double>(c.loose) /
              static_cast<double>(std::max<std::uint64_t>(c.drawn, 1)),
          100.0 * static_cast<double>(c.wide) /
              static_cast<double>(std::max<std::uint64_t>(c.covered, 1)));
      EXPECT_EQ(c.missed, 0U) << settings[s].name << ", " << kTriangleKindNames[k];
      EXPECT_EQ(c.depth_violations, 0U) << settings[s].name << ", " << kTriangleKindNames[k];
      all.triangles += c.triangles;
      all.touched += c.touched;
      all.drawn += c.drawn;
      all.loose += c.loose;
      all.covered += c.covered;
      all.wide += c.wide;
    }
  }
  std::printf("all: %llu triangles, %llu pixels touched, %llu drawn, loose %.4f%%, wide %.3f%%\n",
              static_cast<unsigned long long>(all.triangles),
              static_cast<unsigned long long>(all.touched),
              static_cast<unsigned long long>(all.drawn),
              100.0 * static_cast<double>(all.loose) / static_cast<double>(all.drawn),
              100.0 * static_cast<double>(all.wide) / static_cast<double>(all.covered));
  EXPECT_GT(all.touched, 10U * all.triangles);
  EXPECT_LT(static_cast<double>(all.loose), 1e-3 * static_cast<double>(all.drawn));
  EXPECT_LT(static_cast<double>(all.wide), 0.02 * static_cast<double>(all.covered));
}

TEST_F(Rasters, PixelCentresMissMuch) {
  std::array<Counts, kTriangleKinds> counts{};
  check({.name = "plain", .origin = {}, .way = gl::RasterWay::kPlain}, 3000, 99, counts);
  Counts all;
  for (const Counts& c : counts) {
    all.touched += c.touched;
    all.missed += c.missed;
    all.depth_violations += c.depth_violations;
  }
  std::printf("plain: %llu of %llu pixels missed, %llu wrong depths\n",
              static_cast<unsigned long long>(all.missed),
              static_cast<unsigned long long>(all.touched),
              static_cast<unsigned long long>(all.depth_violations));
  EXPECT_GT(all.missed, all.touched / 10);
  EXPECT_GT(all.depth_violations, all.touched / 10);
}

}  // namespace
}  // namespace tocsin::test::raster_test
