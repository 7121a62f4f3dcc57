// How slabs are laid out in atlases and batches cut into them. Needs no device.
#include "gpu/gl/visibility/tile_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "gpu/gl/visibility/visibility_chunk.h"

namespace tocsin::test::tile_grid_test {
namespace {

TEST(TileGrid, StaysWithinMemoryAndTheDevicesLargestSide) {
  for (const auto& [width, height] : {std::pair{8, 8},
                                      {64, 64},
                                      {64, 48},
                                      {1024, 768},
                                      {13, 4000},
                                      {8192, 8192},
                                      {8192, 8},
                                      {16384, 16384}}) {
    for (const int side : {16384, 20000}) {
      const gl::TileGrid grid = gl::make_tile_grid(width, height, side);
      ASSERT_GE(grid.columns, 1);
      ASSERT_GE(grid.most_rows, 1);
      EXPECT_LE(grid.width(), side);
      EXPECT_LE(grid.height(grid.most_rows), side);
      const std::size_t tile =
          static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * gl::kBytesPerTexel;
      EXPECT_TRUE(grid.most_tiles() == 1 || grid.most_tiles() * tile <= gl::kMostAtlasBytes);
      // Most of what may be used is used.
      if (tile < gl::kMostAtlasBytes) {
        EXPECT_GT((grid.most_tiles() + static_cast<unsigned>(grid.columns)) * tile,
                  gl::kMostAtlasBytes / 2)
            << width << " x " << height;
      }
    }
  }
}

TEST(TileGrid, TilesAreDistinctAndHoldTheirSkinsWithABorder) {
  for (const auto& [width, height] : {std::pair{64, 64}, {9, 31}, {40, 8}}) {
    const gl::TileGrid grid = gl::make_tile_grid(width, height, 4096);
    const gl::VisibilitySlab slab{.origin = {1, 2, 3}, .half = {0.1F, 0.25F, 0.7F}};
    std::set<std::pair<float, float>> centres;
    for (const std::uint32_t tile : {0U, 1U, grid.most_tiles() / 2, grid.most_tiles() - 1}) {
      const gl::SlabRecord record = gl::slab_record(slab, grid, tile);
      centres.insert({record.origin[3], record.reach[3]});
      const auto x = static_cast<int>(record.origin[3]);
      const auto y = static_cast<int>(record.reach[3]);
      EXPECT_EQ((x - width / 2) % width, 0);
      EXPECT_EQ((y - height / 2) % height, 0);
      EXPECT_LE(x + width - width / 2, grid.width());
      EXPECT_LE(y + height - height / 2, grid.height(grid.most_rows));
      const std::array<float, 3> half{slab.half.x, slab.half.y, slab.half.z};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_GT(record.reach[axis], half[axis]);
        EXPECT_NEAR(record.across[axis] * half[axis], static_cast<float>(width / 2 - 1), 1e-4F);
        EXPECT_NEAR(record.up[axis] * half[axis], static_cast<float>(height / 2 - 1), 1e-4F);
      }
    }
    EXPECT_EQ(centres.size(), 4U);
  }
}

/// 5 slabs of i + 1 triangles; slab i has 2 i pairs with clusters of 10 triangles.
gl::VisibilityBatch stairs(std::vector<gl::TriangleRange>& clusters) {
  gl::VisibilityBatch out;
  clusters.clear();
  for (std::uint32_t i = 0; i < 5; ++i) {
    out.slabs.push_back({.origin = {static_cast<float>(i), 0, 0},
                         .half = {1, 1, 1},
                         .first_triangle = static_cast<std::uint32_t>(out.skin.size()),
                         .triangle_count = i + 1});
    out.skin.resize(out.skin.size() + i + 1, gl::SkinTriangle{});
    out.skin.back()[0].x = static_cast<float>(i);
    for (std::uint32_t k = 0; k < 2 * i; ++k) {
      out.pairs.push_back({.slab = i, .cluster = static_cast<std::uint32_t>(clusters.size())});
      clusters.push_back({.first = 10 * static_cast<std::uint32_t>(clusters.size()), .count = 10});
    }
  }
  return out;
}

TEST(VisibilityChunk, EveryPairComesOnceWithItsSlab) {
  std::vector<gl::TriangleRange> clusters;
  const gl::VisibilityBatch batch = stairs(clusters);
  const gl::TileGrid grid = gl::make_tile_grid(16, 16, 1024);
  for (const gl::ChunkLimits limits :
       {gl::ChunkLimits{1, 1, 1}, gl::ChunkLimits{2, 100, 1000}, gl::ChunkLimits{100, 3, 1000},
        gl::ChunkLimits{100, 100, 35}, gl::ChunkLimits{100},
        gl::ChunkLimits{.tiles = 100, .skin = 7}}) {
    gl::Chunk chunk;
    std::size_t chunks = 0;
    for (std::size_t first = 0; first < batch.pairs.size(); ++chunks) {
      const std::size_t end = gl::cut_chunk(batch, clusters, grid, limits, first, chunk);
      ASSERT_GT(end, first);
      ASSERT_EQ(chunk.pairs.size(), end - first);
      EXPECT_LE(chunk.slabs.size(), limits.tiles);
      EXPECT_LE(chunk.pairs.size(), limits.pairs);
      EXPECT_LE(chunk.listed, std::max(limits.listed, 10U));
      EXPECT_TRUE(chunk.skin.size() <= limits.skin || chunk.slabs.size() == 1);
      EXPECT_EQ(chunk.skin_commands.size(), chunk.slabs.size());
      std::uint32_t begin = 0;
      for (std::size_t i = 0; i < chunk.pairs.size(); ++i) {
        const gl::VisibilityPair& pair = batch.pairs[first + i];
        const gl::PairRecord& record = chunk.pairs[i];
        EXPECT_EQ(record.first, clusters[pair.cluster].first);
        EXPECT_EQ(record.count, 10U);
        EXPECT_EQ(record.begin, begin);
        begin += record.count;
        ASSERT_LT(record.slab, chunk.slabs.size());
        EXPECT_EQ(chunk.slabs[record.slab].origin[0], static_cast<float>(pair.slab));
        const gl::DrawCommand& command = chunk.skin_commands[record.slab];
        EXPECT_EQ(command.count, 6 * (pair.slab + 1));
        EXPECT_EQ(command.instances, 0U);
        EXPECT_EQ(command.base_instance, record.slab);
        const std::size_t last = command.first / 6 + command.count / 6 - 1;
        EXPECT_EQ(chunk.skin[last][0].x, static_cast<float>(pair.slab));
      }
      EXPECT_EQ(chunk.listed, begin);
      first = end;
    }
    EXPECT_TRUE(limits.pairs > 1 || chunks == batch.pairs.size());
  }
}

TEST(ChunkLimits, HalveUntilOnePairIsLeft) {
  gl::ChunkLimits limits{.tiles = 2048};
  int halvings = 0;
  while (limits.halve()) ++halvings;
  EXPECT_EQ(limits.tiles, 1U);
  EXPECT_EQ(limits.pairs, 1U);
  EXPECT_EQ(halvings, 15);
}

}  // namespace
}  // namespace tocsin::test::tile_grid_test
