#include "gpu/gl/visibility/visibility.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "gpu/gl/visibility/device_room.h"
#include "gpu/gl/visibility/raster_self_test.h"
#include "gpu/gl/visibility/visibility_chunk.h"
#include "gpu/gl/visibility/visibility_passes.h"

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

RasterChoice choose(Raster wanted) {
  if (wanted == Raster::kPlain) return {RasterWay::kPlain, name_of(RasterWay::kPlain)};
  if (wanted == Raster::kShader) return {};
  const RasterWay extension = extension_here();
  return extension == RasterWay::kShader ? RasterChoice{} : try_extension(extension);
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

  /// The chunk. `exhausted`: where it fails, whether for want of memory.
  Status run(const DeviceRoom& room, std::span<Seen> answers, bool& exhausted);

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
  const int side = most_side() - kControlTile;
  if (std::max(options_.width, options_.height) > side) {
    return {ErrorCode::kUnavailable,
            fmt::format("tiles of {} x {} pixels were asked for, and this device draws at most "
                        "{} x {}",
                        options_.width, options_.height, side, side)};
  }
  const RasterChoice choice = choose(options_.raster);
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

Status DeviceVisibility::run(const DeviceRoom& room, std::span<Seen> answers, bool& exhausted) {
  try {
    Status status = passes_.run(chunk_, room, answers);
    exhausted = device_->exhausted();
    return status;
  } catch (const std::bad_alloc&) {
    exhausted = true;
    return {ErrorCode::kResource, "out of memory"};
  }
}

Status DeviceVisibility::test_all(const DeviceRoom& room, const VisibilityBatch& batch,
                                  std::vector<Seen>& seen, VisibilityCounters& counters) {
  VisibilityCounters counted;
  for (std::size_t first = 0; first < batch.pairs.size();) {
    const std::size_t end =
        cut_chunk(batch, room.triangles().clusters(), grid_, limits_, first, chunk_);
    const std::span<Seen> answers = std::span(seen).subspan(first, end - first);
    bool exhausted = false;
    if (Status status = run(room, answers, exhausted); !status) {
      passes_.release();
      // Less at a time, now and from now on. Nothing else gets better by that.
      if (!exhausted || !limits_.halve()) return status;
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
