// An avatar's links at one time.
#pragma once

#include <vector>

#include "core/motion/frame_motion.h"
#include "scene/swept/step_motion.h"
#include "tocsin/shape.h"
#include "tocsin/types.h"
#include "view/mesh.h"

namespace tocsin::view {

/// A link in the world, metres.
struct PosedLink {
  Vec3 a;
  Vec3 b;
  double radius = 0.0;
  Shape shape = {};             ///< empty: that is all; else its capsule
  core::FrameState frame = {};  ///< of the shape, relative to the world's origin
  double rounding = 0.0;        ///< of the shape's features, with the margin
};

using Pose = std::vector<PosedLink>;

/// All links at local time t of a step. Precondition: motions are set (scene/swept/step_motion.h).
Pose pose_at(const scene::StepMotion& motion, double t);

/// Appends a link as it is at that time: a line swept sphere, or its shape. Of rounded triangles
/// the surface at the radius beyond their outer sides.
void add_link(Mesh& mesh, const PosedLink& link, const Paint& paint);

/// Distance between the axes of two links, metres.
double axis_distance(const PosedLink& p, const PosedLink& q);

}  // namespace tocsin::view
