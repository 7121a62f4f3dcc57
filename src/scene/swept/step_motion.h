// All links of an avatar over one step: coarse boxes of all of them at once, and exact motions on
// demand.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "core/motion/link_motion.h"
#include "core/motion/surroundings.h"
#include "scene/motion/avatar_tree.h"
#include "scene/motion/world_pose.h"
#include "scene/swept/swept_link.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"

namespace tocsin::scene {

/// A volume that holds a link over the step, from coarse bounds: the hull of four balls, radius
/// grow_a about from.a and to.a, grow_b about from.b and to.b. World, metres.
struct CoarseHull {
  AxisEnds from;
  AxisEnds to;
  double grow_a = 0.0;
  double grow_b = 0.0;
  double radius = 0.0;        ///< of the link, with the margin
  double speed = 0.0;         ///< bounds of both ends', metres per step
  double acceleration = 0.0;  ///< metres per step^2
  double reach = 0.0;         ///< of the axis from its ref
};

/// Owns memory that is reused from step to step; not shared between threads. Results depend neither
/// on earlier use nor on the order of calls.
class StepMotion {
 public:
  /// Starts on a step: world poses and coarse bounds of all links, no trigonometry. `margin`: added
  /// to every radius, metres. `bounds`: the box around all triangles that will be checked, metres.
  /// `others`: the box around the refs of all other avatars' links that will be checked, or null.
  /// It only makes coarse boxes larger. Precondition: the avatar's skeleton has as many joints as
  /// the step's.
  void begin(const Avatar& avatar, const Step& step, double margin, const core::Box& bounds,
             const core::Box* others = nullptr);

  /// Holds the boxes of all links.
  [[nodiscard]] const core::Box& coarse_box() const { return whole_; }
  /// Holds link(i).box, and what core::may_graze asks of a broadphase's box, for every pair with
  /// another link of this avatar or with one of `others`.
  [[nodiscard]] core::Box coarse_box(std::size_t i) const;
  /// Holds the same, without the rounding of boxes to floats, and is tighter.
  [[nodiscard]] CoarseHull coarse_hull(std::size_t i) const;
  /// Where end a of a link is at the step's start, world, metres: off by less than eta
  /// (core::rounding_margin) and the rounding of world coordinates.
  [[nodiscard]] Vec3 start(std::size_t i) const { return to_axis(worlds_.start()[i]).a; }
  [[nodiscard]] std::size_t link_count() const { return links_.size(); }
  /// The avatar's link, and what all radii are grown by.
  [[nodiscard]] const Link& source(std::size_t i) const { return avatar_.links()[i]; }
  [[nodiscard]] double margin() const { return margin_; }
  /// The point that a link's coordinates are relative to: motion(i).ref.
  [[nodiscard]] const Vec3& ref(std::size_t i) const {
    const auto joint = static_cast<std::size_t>(avatar_.links()[i].joint);
    return around_[static_cast<std::size_t>(tree_->root_of[joint])].ref;
  }

  /// A link with its exact motion (paper 004, eq. 6-10), bounds and swept boxes; made at the first
  /// call in a step.
  [[nodiscard]] const SweptLink& link(std::size_t i);
  /// link(i).motion, without the boxes.
  [[nodiscard]] const core::LinkMotion& motion(std::size_t i) {
    need_motion(i);
    return links_[i].motion;
  }

  /// Releases the step's motion; its memory stays.
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
  void take(const Avatar& avatar, const Step& step, double margin);
  [[nodiscard]] bool knows(const Avatar& avatar) const;
  void set_tree(std::shared_ptr<const AvatarTree> tree);
  void find_surroundings(const core::Box& bounds);
  /// What a link's capsule is grown by so that its shape is proved free wherever it is: see
  /// docs/exact.md, "Two trees". Metres; 0 for a line swept sphere. `padding`: of all boxes.
  [[nodiscard]] double room_for_shape(std::size_t link, double padding) const;
  [[nodiscard]] double radius_of(std::size_t link) const {
    return avatar_.links()[link].radius + margin_ + extra_[link];
  }
  /// The box of all refs, and of those of others.
  [[nodiscard]] core::Box refs_and(const core::Box* others) const;
  void find_coarse_bounds(const core::Box* others);
  void need_chain(std::size_t link);
  void need_motion(std::size_t link);
  void set_motion(std::size_t link);
  void set_boxes(std::size_t link);

  // The avatar, kept from step to step.
  Avatar avatar_;
  std::shared_ptr<const AvatarTree> tree_ = tree_of(Avatar());
  WorldPoses worlds_;

  // The step.
  Step step_;
  double margin_ = 0.0;
  std::vector<core::Surroundings> around_;  ///< per used root
  std::vector<core::ChainBounds> coarse_;
  std::vector<EndRadii> coarse_radii_;  ///< of balls about the links' ends at both poses
  std::vector<double> extra_;           ///< room_for_shape() of all links
  core::Box whole_;
  std::vector<core::JointMotion> joints_;
  std::vector<core::ChainBounds> chains_;
  std::vector<std::uint64_t> joint_step_;   ///< the step for which joints_[j] was made
  std::vector<std::uint64_t> motion_step_;  ///< the same for the motion, and for all of a link
  std::vector<std::uint64_t> link_step_;
  std::uint64_t now_ = 0;  ///< counts steps
  std::vector<SweptLink> links_;
};

}  // namespace tocsin::scene
