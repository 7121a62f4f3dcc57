// An avatar's links at one time.
#pragma once

#include <span>
#include <vector>

#include "scene/swept/swept_link.h"
#include "tocsin/types.h"

namespace tocsin::view {

/// A link in the world, metres.
struct PosedLink {
  Vec3 a;
  Vec3 b;
  double radius = 0.0;
};

using Pose = std::vector<PosedLink>;

/// All links at local time t of a step. Precondition: motions are set (scene/swept/step_motion.h).
Pose pose_at(std::span<const scene::SweptLink> links, double t);

/// Distance between the axes of two links, metres.
double axis_distance(const PosedLink& p, const PosedLink& q);

}  // namespace tocsin::view
