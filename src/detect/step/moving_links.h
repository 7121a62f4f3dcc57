// All links of one avatar over one step, as a step's check and questions about pairs of links need
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "core/motion/link_motion.h"
#include "scene/swept/step_motion.h"
#include "tocsin/avatar.h"
#include "tocsin/motion.h"

namespace tocsin::detect {

/// scene::StepMotion, and where the axes are at the start of the step. Owns memory that is used
/// again from step to step. Not shared between threads, but for links that were asked for before
/// (see need()).
class MovingLinks {
 public:
  /// scene::StepMotion::begin.
  void begin(const Avatar& avatar, const Step& step, double margin, const core::Box& bounds,
             const core::Box* others = nullptr) {
    motion_.begin(avatar, step, margin, bounds, others);
    ++now_;
  }

  [[nodiscard]] std::size_t count() const { return motion_.link_count(); }
  [[nodiscard]] const core::Box& coarse_box() const { return motion_.coarse_box(); }
  [[nodiscard]] core::Box coarse_box(std::size_t i) const { return motion_.coarse_box(i); }
  [[nodiscard]] scene::CoarseHull coarse_hull(std::size_t i) const {
    return motion_.coarse_hull(i);
  }
  [[nodiscard]] Vec3 start(std::size_t i) const { return motion_.start(i); }
  [[nodiscard]] const Vec3& ref(std::size_t i) const { return motion_.ref(i); }
  [[nodiscard]] const Link& source(std::size_t i) const { return motion_.source(i); }
  /// Of a link that has one; else motion(i) is all there is to know.
  [[nodiscard]] const Shape& shape(std::size_t i) const { return motion_.source(i).shape; }
  [[nodiscard]] double margin() const { return motion_.margin(); }
  /// The coarse boxes of all links. Precondition: need_boxes().
  [[nodiscard]] std::span<const core::Box> boxes() const { return boxes_; }
  [[nodiscard]] const scene::SweptLink& swept(std::size_t i) { return motion_.link(i); }
  [[nodiscard]] const core::LinkMotion& motion(std::size_t i) { return motion_.motion(i); }
  /// evaluate(motion(i), 0).
  [[nodiscard]] const core::AxisState& at0(std::size_t i);

  /// Makes boxes().
  void need_boxes();
  /// Makes motion(i) and at0(i), which several threads may then ask for at once.
  void need(std::size_t i) { static_cast<void>(at0(i)); }

 private:
  scene::StepMotion motion_;
  std::vector<core::AxisState> at0_;
  std::vector<std::uint64_t> at0_step_;  ///< the step for which at0_[i] was made
  std::vector<core::Box> boxes_;
  std::uint64_t boxes_step_ = 0;  ///< the step for which boxes_ was made
  std::uint64_t now_ = 0;         ///< counts steps
};

}  // namespace tocsin::detect
