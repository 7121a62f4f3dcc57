// All links of an avatar over one step: quick boxes of all of them at once, the exact motion of
// those that are asked for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/box.h"
#include "core/link_motion.h"
#include "scene/swept_link.h"
#include "scene/world_pose.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"

namespace tocsin::scene {

/// Owns memory that is used again from step to step; not shared between threads. Neither what it
/// was used for before nor the order of the questions ever shows in an answer.
class StepMotion {
 public:
  /// Starts on a step: world poses and quick bounds of all links, no trigonometry. `margin`: added
  /// to every radius, metres. `bounds`: the box around everything that will be asked about, metres.
  /// Precondition: the avatar's skeleton has as many joints as the step's.
  void begin(const Avatar& avatar, const Step& step, double margin, const core::Box& bounds);

  /// Holds the boxes of all links.
  [[nodiscard]] const core::Box& quick_box() const { return whole_; }
  /// Holds link(i).box.
  [[nodiscard]] core::Box quick_box(std::size_t i) const;
  [[nodiscard]] std::size_t link_count() const { return links_.size(); }

  /// A link with its exact motion (paper 004, eq. 6-10), bounds and swept boxes; made when first
  /// asked for in a step.
  [[nodiscard]] const SweptLink& link(std::size_t i);

  /// Keeps no step's motion alive any more; its memory stays.
  void let_go() {
    step_ = {};
    worlds_.let_go();
  }

  /// begin(), and all links at once.
  void set(const Avatar& avatar, const Step& step, double margin, const core::Box& bounds);
  /// Only the motions and their bounds, no boxes: what certify needs.
  void set_motions(const Avatar& avatar, const Step& step, double margin);
  /// All links. Precondition: set() or set_motions() was last.
  [[nodiscard]] std::span<const SweptLink> links() const { return links_; }
  /// Motions of all joints; entries of joints above no link are not set. Precondition: as links().
  [[nodiscard]] std::span<const core::JointMotion> joints() const { return joints_; }

 private:
  /// What a joint's chain has in common: its reference point, and the margin that every box of
  /// links with one reference point needs beyond their own.
  struct Surroundings {
    Vec3 ref;
    double reach = 0.0;     ///< from ref to the farthest corner of what will be asked about, metres
    double distance = 0.0;  ///< |ref|, metres
  };
  void take(const Avatar& avatar, const Step& step, double margin);
  [[nodiscard]] bool knows(const Avatar& avatar) const;
  void find_chains(const Avatar& avatar);
  void find_surroundings(const core::Box& bounds);
  void find_quick_bounds();
  void need_chain(std::size_t link);
  void set_motion(std::size_t link);
  void set_boxes(std::size_t link);
  /// What every box needs beyond radius and sag: room for rounding.
  [[nodiscard]] double pad(const core::LinkMotion& m, const Surroundings& around) const;

  // The avatar's tree, kept from step to step.
  Avatar avatar_;
  WorldPoses worlds_;
  std::vector<std::int32_t> used_;          ///< joints that some link hangs on, parents first
  std::vector<std::int32_t> parents_;       ///< of all joints
  std::vector<std::int32_t> chain_joints_;  ///< all links' chains, root first, one after another
  std::vector<std::size_t> chain_begin_;    ///< per link, and the end of the last
  std::vector<std::int32_t> root_of_;       ///< per joint: index into around_
  std::vector<std::int32_t> roots_;         ///< joints without a parent that are used
  std::vector<double> far_a_;               ///< |a| and |b| of all links, metres
  std::vector<double> far_b_;
  double farthest_ = 0.0;  ///< the greatest of these
  std::int32_t longest_chain_ = 0;

  // The step.
  Step step_;
  double margin_ = 0.0;
  std::vector<Surroundings> around_;  ///< per used root
  std::vector<core::ChainBounds> quick_;
  std::vector<EndRadii> quick_radii_;  ///< of balls about the links' ends at both poses
  core::Box whole_;
  std::vector<core::JointMotion> joints_;
  std::vector<core::ChainBounds> chains_;
  std::vector<std::uint64_t> joint_step_;  ///< the step for which joints_[j] was made
  std::vector<std::uint64_t> link_step_;
  std::uint64_t now_ = 0;  ///< counts steps
  std::vector<SweptLink> links_;
};

}  // namespace tocsin::scene
