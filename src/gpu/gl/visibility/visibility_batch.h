// What the visibility test is asked, and what was seen, as values.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tocsin/types.h"

namespace tocsin::gl {

/// How the answers are gathered. Both give the same.
enum class Method : std::uint8_t {
  kFlags,  ///< many (slab, view) tiles of one atlas in one multi-draw; fragments set bits
  kQuery,  ///< one GL_ANY_SAMPLES_PASSED query per pair and view, gathered by a query buffer
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

}  // namespace tocsin::gl
