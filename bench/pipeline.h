// The stages of Detector::check taken apart, so that each can run alone over a batch of steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cpu/aabb_tree.h"
#include "scene/swept_link.h"
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

  /// World positions and orientations of all joints of a pose, as the swept bounds need them.
  void position(std::span<const Transform> pose);
  /// Joint motions and bounds of one step.
  void motion(const Step& step) { sequence_.set_motions(avatar_, step, 0.0); }
  /// The same, and swept boxes. Successive calls see successive steps, as in the detector.
  void motion_and_bounds(const Step& step) { whole_.set(avatar_, step, 0.0, tree_.bounds()); }

  /// Makes steps ready for the stages below.
  void prepare(std::span<const Step> steps);
  /// Candidates of every link of every prepared step.
  void cull();
  /// Contacts from these candidates.
  void certify();
  /// Boxes by interval matrices of every link of every prepared step.
  void interval_boxes();

  [[nodiscard]] const std::vector<Contact>& contacts(std::size_t step) const {
    return contacts_[step];
  }
  [[nodiscard]] std::span<const scene::SweptLink> links(std::size_t step) const {
    return motions_[step].links();
  }

 private:
  void certify_link(const core::LinkMotion& link, std::int32_t index,
                    std::span<const std::uint32_t> candidates, std::vector<Contact>& out) const;

  Avatar avatar_;
  Environment environment_;
  cpu::AabbTree tree_;
  std::vector<std::uint8_t> needed_;  ///< joints that some link hangs on
  std::vector<core::Mat3> rotation_;
  std::vector<Vec3> position_;
  scene::StepMotion sequence_;
  scene::StepMotion whole_;
  std::size_t count_ = 0;
  std::vector<scene::StepMotion> motions_;              ///< per prepared step
  std::vector<std::vector<std::uint32_t>> candidates_;  ///< per prepared step and link
  std::vector<std::vector<Contact>> contacts_;          ///< per prepared step
};

}  // namespace tocsin::bench
