// How far the main paper's tessellation (scene/swept/swept_surface.h) lies from the surface that it
// stands for. Paper 004, section 6.3.
#pragma once

#include "core/motion/link_motion.h"
#include "scene/swept/surface_grid.h"
#include "scene/swept/surface_resolution.h"

namespace tocsin::papers {

using scene::SurfaceResolution;

/// The greatest deviation in the sense of section 6.3, | |p - x| - d |, metres, over all points p
/// of the triangles; x the point of the ruled surface, the path or the axis at p's parameters, d
/// the link's radius. No point of the tessellation is farther than d plus this from where the axis
/// was.
struct SurfaceDeviation {
  double offsets = 0.0;  ///< of the two offset sheets
  double pipes = 0.0;    ///< of the two pipes
  double caps = 0.0;     ///< of the link at both ends of the step
};
/// Upper bounds, by interval arithmetic on the second derivatives; docs/gl.md, "The paper's
/// surface". Rounding is included.
SurfaceDeviation deviation_by_intervals(const core::LinkMotion& link,
                                        const SurfaceResolution& resolution);
/// By Newton's method from many starts: the greatest deviation found, the paper's own way; no
/// bound, an estimate from below.
SurfaceDeviation deviation_by_newton(const core::LinkMotion& link,
                                     const SurfaceResolution& resolution);

/// The greatest 1 - |v| of the triangles of a capsule: their deviation for a radius of 1.
double capsule_deviation(const scene::CapsuleShape& shape);

}  // namespace tocsin::papers
