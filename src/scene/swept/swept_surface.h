// The swept surface of a link as the main paper tessellates it: offsets of the ruled surface that
// its axis sweeps and pipes around the paths of its ends. Paper 004, section 6 (eq. 3, 4, 12 and
// 6.3). Pictures and exports show it, and Table 1 times it. Culling draws scene/swept/slab.h's
// skins, because this surface does not hold the link everywhere (docs/gl.md, "The paper's
// surface").
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/motion/link_motion.h"
#include "scene/swept/surface_resolution.h"

namespace tocsin::scene {

/// Triangles with a time. Positions relative to the link's ref, metres. Every position lies the
/// link's radius along its normal from a point of the axis (at its time) or of an end's path; the
/// triangles wind outward.
struct SweptSurface {
  std::vector<Vec3> positions;
  std::vector<Vec3> normals;  ///< unit, outward
  std::vector<float> times;   ///< step time of each position
  std::vector<std::array<std::uint32_t, 3>> triangles;
  /// Triangles of slab i: [slab_begin[i], slab_begin[i + 1]): 4 `along` of the two sheets, then 2
  /// `around` of either end's pipe. The first slab ends with the link's own surface at t = 0, the
  /// last with that at t = 1, the caps that eq. 4 and 12 leave open.
  std::vector<std::uint32_t> slab_begin;
  /// Grid points of the ruled surface at which it has no normal: the link moves along itself there,
  /// turns about that point, stands still or is a point. They have their neighbours' normal.
  std::uint32_t irregular = 0;
};

/// Tessellates. Precondition: joints of the link set (StepMotion).
SweptSurface swept_surface(const core::LinkMotion& link, const SurfaceResolution& resolution);

}  // namespace tocsin::scene
