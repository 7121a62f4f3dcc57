// The row of the main paper's Table 1 that is the paper's way only: boxes by interval matrices.
#pragma once

#include "selftest/measure/gl_measured.h"
#include "shared/gl_scene.h"

namespace tocsin::bench {

/// Per step near something, all links. Microseconds of processor time.
Measured time_interval_boxes(const GlScene& scene);

}  // namespace tocsin::bench
