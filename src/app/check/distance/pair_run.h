// A pair that is in contact over consecutive steps: where both are, and how deep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/check/job.h"
#include "core/motion/swept_link.h"
#include "detect/step/solid_objects.h"
#include "io/report/episodes.h"
#include "tocsin/detector.h"

namespace tocsin::app {

/// A moment of a run: a step, from 0 in the run, and its local time.
struct RunMoment {
  std::size_t step = 0;
  double time = 0.0;
};

/// Detector::depth, or the same of two links: the sum of their radii less the distance of their
/// axes. Metres.
struct PairDepth {
  double depth = 0.0;
  bool inside = false;
  bool through = false;  ///< io::Deepest::through
};

/// A link of an avatar over consecutive steps.
class LinkRun {
 public:
  /// steps: at least one.
  LinkRun(const JobTake& take, std::int32_t link, std::span<const Step> steps);

  [[nodiscard]] const Avatar& avatar() const { return take_->member.avatar; }
  [[nodiscard]] std::int32_t link() const { return link_; }
  [[nodiscard]] double radius() const {
    return avatar().links()[static_cast<std::size_t>(link_)].radius;
  }
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }
  /// The axis at the start of each step, and at the end of the last; world, metres.
  [[nodiscard]] std::span<const core::AxisEnds> at_frames() const { return at_frames_; }
  [[nodiscard]] core::AxisEnds at(const RunMoment& moment) const;

 private:
  const JobTake* take_;
  std::int32_t link_;
  std::span<const Step> steps_;
  std::vector<core::AxisEnds> at_frames_;
};

/// The pair of an episode. Refers to its arguments.
class PairRun {
 public:
  /// solid: of the job's room and the detector's options.
  PairRun(const Job& job, const Detector& detector, const detect::SolidObjects& solid,
          const io::Episode& episode);

  [[nodiscard]] std::span<const Step> steps() const { return own_.steps(); }
  [[nodiscard]] const io::Episode& episode() const { return *episode_; }
  /// The start of each step, and the end of the last.
  [[nodiscard]] std::size_t frames() const { return own_.at_frames().size(); }
  [[nodiscard]] RunMoment frame(std::size_t i) const {
    return i < steps().size() ? RunMoment{i, 0.0} : RunMoment{i - 1, 1.0};
  }
  /// The depth at a frame is no greater, metres: the radius, unless the link may be inside.
  [[nodiscard]] double most_depth(std::size_t i) const;
  /// The depths at two frames differ by no more, metres, up to rounding.
  [[nodiscard]] double most_change(std::size_t i, std::size_t j) const;

  /// Errors: as Detector::depth.
  [[nodiscard]] Result<PairDepth> depth(const RunMoment& moment) const;

 private:
  const Detector* detector_;
  const detect::SolidObjects* solid_;
  const io::Episode* episode_;
  LinkRun own_;
  std::optional<LinkRun> other_;  ///< of two links
  double reach_ = 0.0;            ///< the radius, or both: what touches is so near
};

}  // namespace tocsin::app
