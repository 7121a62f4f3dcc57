// A link over one step, as cullers and certify see it; and the workspace that makes them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/box.h"
#include "core/link_motion.h"
#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::scene {

/// Most pieces a step is cut into for its swept bound. More would tighten the box of very fast
/// turns only, where certify's own steps are short anyway.
inline constexpr int kMaxPieces = 8;

/// One link over one step: its motion, and boxes that hold its surface throughout.
struct SweptLink {
  core::LinkMotion motion;
  core::Box box;                              ///< over the whole step; world, metres
  std::array<core::Box, kMaxPieces> piece{};  ///< over equal parts of the step
  std::int32_t pieces = 1;
};

/// All links of an avatar over one step. Owns memory that is used again from step to step; not
/// shared between threads.
class StepMotion {
 public:
  /// Computes joint motions (paper 004, eq. 6-10), bounds and swept boxes. `margin`: added to every
  /// radius, metres. `bounds`: the box around everything that will be asked about, metres.
  /// Precondition: the avatar's skeleton has as many joints as the step's.
  void set(const Avatar& avatar, const Step& step, double margin, const core::Box& bounds);

  /// The first half of set(): joint motions and the links' motions with their bounds, no boxes.
  void set_motions(const Avatar& avatar, const Step& step, double margin);

  [[nodiscard]] std::span<const SweptLink> links() const { return links_; }
  /// Motions of all joints; entries of joints above no link are not set.
  [[nodiscard]] std::span<const core::JointMotion> joints() const { return joints_; }

 private:
  /// World positions and rotations of the joints in one pose.
  struct WorldPose {
    std::vector<core::Mat3> rotation;
    std::vector<Vec3> position;
  };

  /// The margin that every box of links with one reference point needs beyond their own.
  struct Surroundings {
    Vec3 ref;
    double reach = 0.0;     ///< from ref to the farthest corner of what will be asked about, metres
    double distance = 0.0;  ///< |ref|, metres
  };

  [[nodiscard]] bool knows(const Avatar& avatar) const;
  void find_chains(const Avatar& avatar);
  void set_joints(const Step& step);
  void set_link(const Link& link, std::size_t index, double margin);
  void set_worlds(const Step& step);
  void set_world(std::span<const Transform> pose, WorldPose& world) const;
  void set_boxes(SweptLink& swept, std::size_t joint, const Surroundings& around) const;

  // The avatar's tree, kept from step to step.
  std::vector<std::int32_t> parents_;       ///< of all joints
  std::vector<std::int32_t> link_joints_;   ///< of all links
  std::vector<std::int32_t> used_;          ///< joints that some link hangs on, parents first
  std::vector<std::int32_t> chain_joints_;  ///< all links' chains, root first, one after another
  std::vector<std::size_t> chain_begin_;    ///< per link, and the end of the last

  // The step.
  std::vector<SweptLink> links_;
  std::vector<core::JointMotion> joints_;
  std::vector<core::ChainBounds> chains_;
  std::vector<Vec3> refs_;  ///< per joint: its chain's reference point
  WorldPose start_;
  WorldPose end_;
  std::vector<Transform> end_pose_;  ///< what end_ was computed from
};

}  // namespace tocsin::scene
