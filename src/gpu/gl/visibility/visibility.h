// CULLIDE's visibility tests, made reliable: which clusters of the room may touch which time slabs
// of which links? Paper 004, section 7.1; Govindaraju et al. 2003 (CULLIDE) and 2004 (FAR);
// docs/gl.md.
//
// A slab's skin and the room's triangles are drawn along the three axes, conservatively: every
// pixel that a triangle touches is drawn, with the least and the greatest depth that it has there.
// A view along an axis sees the skin from both ends, so three views are the six directions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gl/context/device_thread.h"
#include "gpu/gl/visibility/visibility_batch.h"
#include "scene/tree/clusters.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// How triangles become pixels.
enum class Raster : std::uint8_t {
  /// By an extension for conservative rasterisation where the device has one and it passes a test
  /// against kShader when the context is opened; else kShader.
  kAuto,
  kShader,  ///< rectangles around triangles, tested edge by edge in the fragment shader
  kPlain,   ///< pixel centres only, as in the paper: it misses things. For comparison.
};

inline constexpr int kLeastTile = 8;    ///< pixels
inline constexpr int kMostTile = 8192;  ///< pixels

struct VisibilityOptions {
  /// Of a tile: pixels across a slab, with a border of one; kLeastTile to kMostTile.
  int width = 64;
  int height = 64;
  Method method = Method::kFlags;
  Raster raster = Raster::kAuto;
  /// Ask all three views about every pair, instead of dropping a pair at the first view that frees
  /// it: to count what each would have done.
  bool all_views = false;
};

struct VisibilityCounters {
  std::uint64_t slabs = 0;
  std::uint64_t pairs = 0;
  std::uint64_t kept = 0;
  std::uint64_t skin_triangles = 0;
  std::uint64_t room_triangles = 0;  ///< over all pairs, once a pair
  std::uint64_t atlases = 0;         ///< times that an atlas was filled, per view
};

class DeviceRoom;  // device_room.h

/// Safe to share between threads; questions are answered one after another.
class Visibility {
 public:
  /// Compiles the shaders; with Raster::kAuto tests the extension. Errors: kUnavailable (a shader
  /// that the driver refuses, tiles larger than it allows), kResource.
  static Result<std::unique_ptr<Visibility>> create(std::shared_ptr<DeviceThread> device,
                                                    const VisibilityOptions& options);
  virtual ~Visibility() = default;

  /// Uploads a room. Precondition: clusters of this environment.
  virtual Result<std::shared_ptr<const DeviceRoom>> upload(const Environment& environment,
                                                           const scene::Clusters& clusters) = 0;
  /// The same triangles with other vertices: only these are uploaded.
  virtual Result<std::shared_ptr<const DeviceRoom>> upload_vertices(
      const DeviceRoom& room, const Environment& environment) = 0;

  /// Sets seen[i] for pair i. Cuts the batch into atlases; where memory runs out, into smaller
  /// ones. A pair of which kept() is false: no triangle of the cluster meets the solid that the
  /// skin bounds from below and above along every axis. Errors: kResource, also where the
  /// device did not draw (a control was not seen); `seen` says "touching" everywhere then.
  virtual Status test(const DeviceRoom& room, const VisibilityBatch& batch, std::vector<Seen>& seen,
                      VisibilityCounters& counters) = 0;

  /// What draws triangles, for a person: "GL_NV_conservative_raster", "shader", "plain".
  [[nodiscard]] virtual std::string raster() const = 0;
};

}  // namespace tocsin::gl
