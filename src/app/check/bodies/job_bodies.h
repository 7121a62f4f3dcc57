// `--body`: meshes that move by themselves.
#pragma once

#include "app/check/job.h"
#include "app/cli/options.h"
#include "tocsin/result.h"
#include "tocsin/time_line.h"

namespace tocsin::app {

/// Adds a take for each body, behind the others: its avatar, and its motion unless it stands still.
/// Errors (kInput): the mesh or the motion, with file and place; a motion of more than one joint.
Status add_bodies(Job& job, const CheckOptions& options);

/// Gives bodies that stand still two frames, from the beginning of the earliest of `parts`, the
/// other takes' parts of the time line, to the end of the last.
Status let_bodies_stand(Job& job, std::span<const TakePart> parts);

}  // namespace tocsin::app
