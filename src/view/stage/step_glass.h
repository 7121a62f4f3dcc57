// What links sweep in a step, as translucent surfaces coloured by time.
#pragma once

#include <array>

#include "scene/swept/step_motion.h"
#include "scene/swept/surface_resolution.h"
#include "view/posed.h"
#include "view/stage/glass.h"

namespace tocsin::view {

/// True if a link's ends move enough to be drawn more than once: less than a third of its radius,
/// and its two poses and what it sweeps look like one.
bool moves_enough(const PosedLink& from, const PosedLink& to);

/// How finely swept surfaces are cut: no corners at 1,600 pixels; and while they move.
inline constexpr scene::SurfaceResolution kFineGlass{32, 8, 32};
inline constexpr scene::SurfaceResolution kQuickGlass{12, 4, 16};

struct GlassWish {
  bool sweep = true;                      ///< the surfaces; else the two ends alone
  std::array<double, 2> scale{0.0, 1.0};  ///< of the step's begin and end on the scale of times
  scene::SurfaceResolution resolution = kFineGlass;
};

/// Appends a link's poses at both ends of the step, and the surface that it sweeps; of a shape some
/// poses between. Precondition: set_motions() was last.
void add_swept_link(Glass& glass, const scene::StepMotion& motion, std::size_t link,
                    const GlassWish& wish);

}  // namespace tocsin::view
