// World positions of an avatar's links at a step's two poses.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "scene/motion/avatar_tree.h"
#include "scene/motion/pose_kernels.h"
#include "scene/swept/swept_link.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"

namespace tocsin::scene {

/// Forward kinematics, once per joint and pose: steps that follow each other share a pose.
class WorldPoses {
 public:
  void set_avatar(std::shared_ptr<const AvatarTree> tree);
  void set_step(const Step& step);

  /// The ends of all links at the step's start and end; world, metres.
  [[nodiscard]] std::span<const LinkEnds> start() const { return start_; }
  [[nodiscard]] std::span<const LinkEnds> end() const { return end_; }
  /// Forgets the step before.
  void let_go() { last_ = {}; }

 private:
  void set_pose(std::span<const Transform> local, std::vector<LinkEnds>& ends);

  std::shared_ptr<const AvatarTree> tree_ = tree_of(Avatar());
  std::vector<LinkEnds> start_;
  std::vector<LinkEnds> end_;
  Step last_;  ///< the step before: end_ was computed from its second pose, and it keeps that alive
};

/// A link's ends as plain vectors.
inline AxisEnds to_axis(const LinkEnds& e) {
  return {{e.a.at[0], e.a.at[1], e.a.at[2]}, {e.b.at[0], e.b.at[1], e.b.at[2]}};
}

}  // namespace tocsin::scene
