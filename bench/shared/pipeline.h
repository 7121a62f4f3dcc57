// The stages of Detector::check taken apart, so that each can run alone over a batch of steps.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cpu/tree/tree_culler.h"
#include "detect/step/triage.h"
#include "scene/motion/world_pose.h"
#include "scene/swept/step_motion.h"
#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::bench {

/// Not timed itself. Its contacts are checked to be those of Detector::check, bit for bit, so that
/// what is timed is what the detector does.
class Pipeline {
 public:
  Pipeline(Avatar avatar, Environment environment);

  // Of one step; successive calls see successive steps, as in the detector, which share a pose.

  /// Forward kinematics of the step's new pose: world positions of all links.
  void position(const Step& step);
  /// The same, and coarse boxes of all links.
  void coarse(const Step& step) { coarse_motion_.begin(avatar_, step, 0.0, tree_->bounds()); }
  /// The same, and exact motions and boxes of the links near something. Precondition: `index` is
  /// the step's among those made ready.
  void near(const Step& step, std::size_t index);
  /// Exact joint motions and bounds of all links.
  void motion(const Step& step) { sequence_.set_motions(avatar_, step, 0.0); }
  /// The same, with forward kinematics, coarse and swept boxes of all links.
  void motion_and_bounds(const Step& step) { whole_.set(avatar_, step, 0.0, tree_->bounds()); }

  // Of several steps at a time.

  /// Makes steps ready for near() and for the stages below.
  void prepare(std::span<const Step> steps);
  /// What the tree is asked: candidates of every link near something.
  void cull();
  /// Contacts from these candidates.
  void certify();
  /// Boxes by interval matrices of every link.
  void interval_boxes();

  [[nodiscard]] const std::vector<Contact>& contacts(std::size_t step) const {
    return ready_[step].contacts;
  }

 private:
  /// A step made ready, and what stages found about it.
  struct Ready {
    scene::StepMotion motion;
    core::Box whole;                            ///< coarse box of the avatar
    std::vector<core::Box> coarse;              ///< per link
    std::vector<std::uint8_t> near;             ///< per link: something is in its coarse box
    std::vector<scene::Candidates> candidates;  ///< per link
    std::vector<Contact> contacts;
  };

  void certify_link(const core::LinkMotion& link, std::int32_t index,
                    const scene::Candidates& candidates, std::vector<Contact>& out);
  void find_near(Ready& ready) const;

  Avatar avatar_;
  Environment environment_;
  std::unique_ptr<cpu::TreeCuller> tree_;
  double tolerance_ = DetectorOptions{}.tolerance;
  scene::WorldPoses worlds_;
  scene::StepMotion coarse_motion_;
  scene::StepMotion near_motion_;
  scene::StepMotion sequence_;
  scene::StepMotion whole_;
  detect::Triage triage_;
  std::size_t count_ = 0;
  std::vector<Ready> ready_;
};

}  // namespace tocsin::bench
