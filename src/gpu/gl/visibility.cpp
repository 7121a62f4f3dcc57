#include "gpu/gl/visibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gpu/gl/device_room.h"
#include "gpu/gl/raster_self_test.h"
#include "gpu/gl/visibility_chunk.h"
#include "gpu/gl/visibility_passes.h"

namespace tocsin::gl {
namespace {

constexpr Seen kTouchesEverywhere = 0x1FF;

/// The largest side of an atlas that the context allows, pixels.
int most_side() {
  GLint texture = 0;
  GLint framebuffer_width = 0;
  GLint framebuffer_height = 0;
  GLint viewport[2] = {0, 0};
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
  glGetIntegerv(GL_MAX_FRAMEBUFFER_WIDTH, &framebuffer_width);
  glGetIntegerv(GL_MAX_FRAMEBUFFER_HEIGHT, &framebuffer_height);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  return std::min({texture, framebuffer_width, framebuffer_height, viewport[0], viewport[1]});
}

/// The standard lets a device have none where vertices are made.
Status check_limits() {
  constexpr GLint kVertexBlocks = 5;  // vertices, triangles, slabs, pairs, list
  GLint blocks = 0;
  glGetIntegerv(GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, &blocks);
  if (blocks >= kVertexBlocks) return Nothing{};
  return {ErrorCode::kUnavailable,
          fmt::format("vertex shaders need {} storage blocks, and this device has {}",
                      kVertexBlocks, blocks)};
}

Result<RasterChoice> choose(Raster wanted) {
  if (wanted == Raster::kPlain) return RasterChoice{RasterWay::kPlain, name_of(RasterWay::kPlain)};
  const RasterWay extension = extension_here();
  if (wanted == Raster::kShader || extension == RasterWay::kShader) return RasterChoice{};
  const auto compared = compare_with_shader(extension);
  if (!compared) return compared.error();
  return choose_raster(extension, compared);
}

class DeviceVisibility final : public Visibility {
 public:
  DeviceVisibility(std::shared_ptr<DeviceThread> device, const VisibilityOptions& options)
      : device_(std::move(device)), options_(options) {}
  ~DeviceVisibility() override { let_go(*device_, std::move(passes_)); }

  /// In a job.
  Status open();

  Result<std::shared_ptr<const DeviceRoom>> upload(const Environment& environment,
                                                   const scene::Clusters& clusters) override {
    return DeviceRoom::upload(device_, environment, clusters);
  }
  Result<std::shared_ptr<const DeviceRoom>> upload_vertices(
      const DeviceRoom& room, const Environment& environment) override {
    return room.with_vertices(environment);
  }
  Status test(const DeviceRoom& room, const VisibilityBatch& batch, std::vector<Seen>& seen,
              VisibilityCounters& counters) override;
  [[nodiscard]] std::string raster() const override { return raster_; }

 private:
  /// In a job.
  Status test_all(const DeviceRoom& room, const VisibilityBatch& batch, std::vector<Seen>& seen,
                  VisibilityCounters& counters);

  std::shared_ptr<DeviceThread> device_;
  VisibilityOptions options_;
  std::string raster_;
  // What follows is touched on the device's thread only.
  TileGrid grid_;
  VisibilityPasses passes_;
  ChunkLimits limits_;
  Chunk chunk_;
};

Status DeviceVisibility::open() {
  if (Status status = check_limits(); !status) return status;
  const int side = most_side();
  if (std::max(options_.width, options_.height) > side) {
    return {ErrorCode::kUnavailable,
            fmt::format("tiles of {} x {} pixels were asked for, and this device draws at most "
                        "{} x {}",
                        options_.width, options_.height, side, side)};
  }
  const auto choice = choose(options_.raster);
  if (!choice) return choice.error();
  grid_ = make_tile_grid(options_.width, options_.height, side);
  auto passes = VisibilityPasses::create({.grid = grid_,
                                          .way = choice.way,
                                          .method = options_.method,
                                          .all_views = options_.all_views});
  if (!passes) return passes.error();
  passes_ = std::move(passes).value();
  raster_ = choice.words;
  limits_.tiles = grid_.most_tiles();
  return Nothing{};
}

Status DeviceVisibility::test(const DeviceRoom& room, const VisibilityBatch& batch,
                              std::vector<Seen>& seen, VisibilityCounters& counters) {
  seen.assign(batch.pairs.size(), kTouchesEverywhere);
  if (batch.pairs.empty()) return Nothing{};
  Status status = device_->run([&] { return test_all(room, batch, seen, counters); });
  if (!status) seen.assign(batch.pairs.size(), kTouchesEverywhere);
  return status;
}

Status DeviceVisibility::test_all(const DeviceRoom& room, const VisibilityBatch& batch,
                                  std::vector<Seen>& seen, VisibilityCounters& counters) {
  VisibilityCounters counted;
  for (std::size_t first = 0; first < batch.pairs.size();) {
    const std::size_t end =
        cut_chunk(batch, room.triangles().clusters(), grid_, limits_, first, chunk_);
    const std::span<Seen> answers = std::span(seen).subspan(first, end - first);
    if (Status status = passes_.run(chunk_, room, answers); !status) {
      // Out of memory, perhaps: less at a time, now and from now on.
      passes_.release();
      if (device_->lost() || !limits_.halve()) return status;
      continue;
    }
    counted.room_triangles += chunk_.listed;
    counted.atlases += 3;
    counted.kept += static_cast<std::uint64_t>(std::ranges::count_if(answers, kept));
    first = end;
  }
  counters.slabs += batch.slabs.size();
  counters.skin_triangles += batch.skin.size();
  counters.pairs += batch.pairs.size();
  counters.kept += counted.kept;
  counters.room_triangles += counted.room_triangles;
  counters.atlases += counted.atlases;
  return Nothing{};
}

}  // namespace

Result<std::unique_ptr<Visibility>> Visibility::create(std::shared_ptr<DeviceThread> device,
                                                       const VisibilityOptions& options) {
  for (const int side : {options.width, options.height}) {
    if (side < kLeastTile || side > kMostTile) {
      return {ErrorCode::kUnavailable, fmt::format("a tile has {} to {} pixels each way, not {}",
                                                   kLeastTile, kMostTile, side)};
    }
  }
  DeviceThread& thread = *device;
  auto out = std::make_unique<DeviceVisibility>(std::move(device), options);
  if (const Status status = thread.run([&] { return out->open(); }); !status) {
    return status.error();
  }
  return std::unique_ptr<Visibility>(std::move(out));
}

}  // namespace tocsin::gl
