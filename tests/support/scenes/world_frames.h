// Where a motion's joints are in the world, by Eigen.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "tocsin/motion.h"

namespace tocsin::test {

inline Eigen::Isometry3d isometry(const Transform& t) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.translate(Eigen::Vector3d(t.translation.x, t.translation.y, t.translation.z));
  out.rotate(Eigen::Quaterniond(t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z));
  return out;
}

/// World frames of all joints, given their transforms to their parents.
inline std::vector<Eigen::Isometry3d> world_frames(const Skeleton& skeleton,
                                                   std::span<const Transform> pose) {
  std::vector<Eigen::Isometry3d> world;
  const auto joints = skeleton.joints();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    Eigen::Isometry3d at = Eigen::Isometry3d::Identity();
    if (joints[i].parent >= 0) at = world[static_cast<std::size_t>(joints[i].parent)];
    world.push_back(at * isometry(pose[i]));
  }
  return world;
}

inline std::vector<Eigen::Isometry3d> world_frames(const Motion& motion, std::int64_t frame) {
  return world_frames(motion.skeleton(), motion.pose(frame));
}

inline std::vector<Eigen::Vector3d> world_positions(const Motion& motion, std::int64_t frame) {
  std::vector<Eigen::Vector3d> out;
  for (const Eigen::Isometry3d& at : world_frames(motion, frame)) {
    out.emplace_back(at.translation());
  }
  return out;
}

}  // namespace tocsin::test
