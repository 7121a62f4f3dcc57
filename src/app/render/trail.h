// Bodies along the way of the avatars: `--trail`.
#pragma once

#include "app/check/job.h"
#include "app/cli/options.h"
#include "app/render/drawn_step.h"

namespace tocsin::app {

/// Gives every actor its poses at the frames of a range; of several takes, at the time line's
/// instants at which it is there. Errors (kUsage): frames that there are not; too many bodies.
Status add_trail(DrawnStep& drawn, const Job& job, const FrameRange& range);

}  // namespace tocsin::app
