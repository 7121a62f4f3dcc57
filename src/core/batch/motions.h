// Bodies of a batch's first stage: the step of each link and joint, motions of joints, boxes of all
// links, swept links of the near ones. docs/cuda.md, "What a batch is".
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/batch/layout.h"
#include "core/bounds/box.h"
#include "core/bounds/swept_boxes.h"
#include "core/motion/joint_motion.h"
#include "core/motion/link_motion.h"
#include "core/motion/surroundings.h"
#include "core/motion/swept_link.h"
#include "core/motion/world_pose.h"
#include "core/vector/hd.h"

namespace tocsin::core::batch {

/// Step i: writes its number to its links and joints.
struct NumberStep {
  const BatchStep* steps;
  const Model* models;
  std::uint32_t* step_of_link;   ///< per link of the batch
  std::uint32_t* step_of_joint;  ///< per joint of the batch
  TOCSIN_HD void operator()(std::size_t i) const {
    const BatchStep& step = steps[i];
    const Model& model = models[step.model];
    const auto number = static_cast<std::uint32_t>(i);
    for (std::uint32_t k = 0; k < model.link_count; ++k) {
      step_of_link[static_cast<std::size_t>(step.first_link) + k] = number;
    }
    for (std::uint32_t k = 0; k < model.joint_count; ++k) {
      step_of_joint[static_cast<std::size_t>(step.first_joint) + k] = number;
    }
  }
};

/// Computes the motion of joint i of the batch.
struct MakeMotion {
  View view;
  JointMotion* motions;  ///< per joint of the batch: what view.motions points to
  TOCSIN_HD void operator()(std::size_t i) const {
    const BatchStep& step = view.steps[view.step_of_joint[i]];
    const std::size_t joint = i - step.first_joint;
    motions[i] = joint_motion(view.poses[step.pose0 + joint], view.poses[step.pose1 + joint],
                              step.in_between);
  }
};

/// The ends of a link's axis in a pose of its avatar, world.
TOCSIN_HD inline AxisEnds ends_at(const View& v, const LinkMotion& m, std::uint32_t pose) {
  return ends_in_world(v.poses + pose, m.chain, m.chain_length, m.a, m.b);
}

/// The box of link i of the batch. It holds SweptLink::box, and what may_graze asks of a
/// broadphase's box for every pair of links of one group (core/query/link_pair.h): it is that very
/// box with a reach that is no less than the distance to the room's farthest corner and to the
/// farthest ref of the group, and room_for_rounding, paddings and boxes only grow with the reach,
/// rounding included.
struct MakeBox {
  View view;
  Box bounds;  ///< of the room
  Box* boxes;  ///< per link of the batch
  TOCSIN_HD void operator()(std::size_t i) const {
    const auto link = static_cast<std::uint32_t>(i);
    const BatchStep& step = view.steps[view.step_of_link[link]];
    const LinkMotion m = link_motion(view, link);
    Surroundings around = surroundings_of(m.ref, bounds);
    around.reach = max_of(around.reach, farthest_corner(m.ref, view.groups[step.group].refs));
    boxes[i] = swept_box(m, around, ends_at(view, m, step.pose0), ends_at(view, m, step.pose1));
  }
};

/// Near link i: its swept link, and its axis at t = 0.
struct MakeSwept {
  View view;
  Box bounds;                 ///< of the room
  const std::uint32_t* near;  ///< links of the batch
  SweptLink* swept;
  AxisState* at0;
  TOCSIN_HD void operator()(std::size_t i) const {
    const std::uint32_t link = near[i];
    const BatchStep& step = view.steps[view.step_of_link[link]];
    SweptLink& out = swept[i];
    out = SweptLink{};
    out.motion = link_motion(view, link);
    const LinkMotion& m = out.motion;
    set_boxes(out, surroundings_of(m.ref, bounds), ends_at(view, m, step.pose0),
              ends_at(view, m, step.pose1));
    at0[i] = evaluate(m, 0.0);
  }
};

}  // namespace tocsin::core::batch
