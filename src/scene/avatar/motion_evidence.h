// What a motion says about its skeleton that the rest pose does not.
#pragma once

#include <vector>

#include "tocsin/motion.h"

namespace tocsin::scene {

struct MotionEvidence {
  std::vector<char> turns;   ///< per joint, nonzero: it turns in its parent's frame
  std::vector<char> shifts;  ///< per joint, nonzero: its offset in its parent's frame varies
};

/// An offset varies if it strays from that of frame 0 by more than a tenth of its length and more
/// than a centimetre: bones of recorded skeletons stretch by less, a body that moves in its root's
/// frame by more.
inline constexpr double kShiftShare = 0.1;
inline constexpr double kShiftMetres = 0.01;

/// Looks at every frame.
MotionEvidence evidence_of(const Motion& motion);

}  // namespace tocsin::scene
