// The rows of the main paper's Table 1 that need no device.
#pragma once

#include "selftest/measure/gl_measured.h"
#include "selftest/measure/gl_scene.h"

namespace tocsin::selftest {

/// Per step, all links. Microseconds of processor time.
struct KinematicRows {
  Measured position;  ///< forward kinematics of the new pose
  Measured motion;    ///< exact joint motions and bounds
  Measured chord;     ///< swept boxes by the chord bound
};

/// On the steps near something.
KinematicRows time_kinematics(const GlScene& scene);

}  // namespace tocsin::selftest
