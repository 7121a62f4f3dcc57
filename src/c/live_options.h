// What streams and crowds share: live poses that become steps.
#pragma once

#include <cstddef>
#include <vector>

#include "c/objects.h"

namespace tocsin::c {

/// Throws an Exception: seconds out of range, no joints.
LiveMotion live_motion_of(const Skeleton& skeleton, double seconds_per_tick);
/// A pose of the caller, checked and normalised. Throws an Exception.
std::vector<Transform> taken_pose(const LiveMotion& live, const tocsin_transform* pose);
/// Throws a Failure where the numbers of joints differ.
void need_joints(std::size_t given, std::size_t needed);
/// The step to a pose that was taken. lost: memory ran out, and the pose before with it. Throws an
/// Exception for a tick that is refused.
Step next_step(LiveMotion& live, std::vector<Transform> pose, double tick, InBetween in_between,
               bool& lost);
/// Throws a Failure if it was lost: no step may begin anywhere else.
void need_last_pose(bool lost);

}  // namespace tocsin::c
