// CULLIDE's visibility tests, made reliable: which clusters of the room may touch which time slabs
// of which links? Paper 004, section 7.1; Govindaraju et al. 2003 (CULLIDE) and 2004 (FAR);
// docs/gl.md.
//
// A slab's skin and the room's triangles are drawn along the three axes, conservatively: every
// pixel that a triangle touches is drawn, with the least and the greatest depth that it has there.
// A view along an axis sees the skin from both ends, so three views are the six directions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gl/device_thread.h"
#include "scene/clusters.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// How the answers are gathered. Both give the same.
enum class Method : std::uint8_t {
  kFlags,  ///< many (slab, view) tiles of one atlas in one multi-draw; fragments set bits
  kQuery,  ///< one GL_ANY_SAMPLES_PASSED query per pair and view, gathered by a query buffer
};

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

/// A triangle of a skin, relative to its slab's origin, metres.
using SkinTriangle = std::array<Vec3f, 3>;

/// A group of triangles that CULLIDE asks about: the skin of one link over one stretch of time.
struct VisibilitySlab {
  Vec3f origin;  ///< world, metres
  Vec3f half;    ///< the skin lies within +-half of origin; metres, > 0
  std::uint32_t first_triangle = 0;
  std::uint32_t triangle_count = 0;
};

struct VisibilityPair {
  std::uint32_t slab = 0;
  std::uint32_t cluster = 0;
};

struct VisibilityBatch {
  std::vector<VisibilitySlab> slabs;
  std::vector<SkinTriangle> skin;
  std::vector<VisibilityPair> pairs;  ///< in order of slab; each once
};

/// What was seen of a pair: three bits per view (bits 3 v to 3 v + 2 for view v, along x, y, z).
/// Method::kFlags sets all three; Method::kQuery knows kMeets only, and leaves the others 0.
using Seen = std::uint16_t;
inline constexpr Seen kNotInFront = 1;  ///< somewhere the cluster is not wholly in front of S
inline constexpr Seen kNotBehind = 2;   ///< somewhere it is not wholly behind S
inline constexpr Seen kMeets = 4;       ///< in some pixel its depths meet those of S

/// False if some view proves the pair apart.
constexpr bool kept(Seen seen) {
  return (seen & kMeets) != 0 && (seen & kMeets << 3) != 0 && (seen & kMeets << 6) != 0;
}
/// The same by CULLIDE's own criterion: false if from one of the six directions the cluster is
/// wholly visible. Needs VisibilityOptions::all_views and kFlags.
constexpr bool kept_one_sided(Seen seen) {
  for (int view = 0; view < 3; ++view) {
    if ((seen >> 3 * view & kNotInFront) == 0 || (seen >> 3 * view & kNotBehind) == 0) return false;
  }
  return true;
}

struct VisibilityCounters {
  std::uint64_t slabs = 0;
  std::uint64_t pairs = 0;
  std::uint64_t kept = 0;
  std::uint64_t skin_triangles = 0;
  std::uint64_t room_triangles = 0;  ///< over all pairs, once a pair
  std::uint64_t atlases = 0;         ///< times that an atlas was filled, per view
};

/// A room in the device's memory: vertices and, in order of clusters, triangles. Immutable.
class DeviceRoom;

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
