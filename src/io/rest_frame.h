// Takes whose first frame is the skeleton's rest pose, put there by an exporter.
#pragma once

#include <optional>

#include "tocsin/motion.h"

namespace tocsin::io {

/// How a take leaves a first frame that is its rest pose.
struct RestFrame {
  double degrees = 0.0;  ///< the largest turn of a joint from frame 0 to frame 1
  double usual = 0.0;    ///< the largest one between the ten frames after that
};

/// Frame 0 shows the rest pose (a T pose) and does not belong to the motion: of the joints
/// below a root that turn to frame 1, at least half are turned as at rest, to within 1e-6 degrees,
/// and none is off it by more than 20; and one turns by more than 6 degrees to frame 1, which is
/// more than 4 times what any does between the next ten frames. A motion that starts from rest
/// moves off more gently. Nothing otherwise, and for motions of less than three frames.
std::optional<RestFrame> rest_frame(const Motion& motion);

}  // namespace tocsin::io
