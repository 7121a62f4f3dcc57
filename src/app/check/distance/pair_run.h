// A pair that is in contact over consecutive steps: where both are, and how deep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
/// axes, or features. Metres.
struct PairDepth {
  double depth = 0.0;
  bool inside = false;
  bool through = false;  ///< io::Deepest::through
};

/// A link of an avatar over consecutive steps.
class LinkRun {
 public:
  /// steps: at least one. begin: the local time in the first at which the run begins, below 1 or 1.
  LinkRun(const JobTake& take, std::int32_t link, std::span<const Step> steps, double begin = 0.0);

  [[nodiscard]] const Avatar& avatar() const { return take_->member.avatar; }
  [[nodiscard]] std::int32_t link() const { return link_; }
  [[nodiscard]] bool shaped() const { return !source().shape.empty(); }
  [[nodiscard]] double radius() const {
    return shaped() ? source().shape.radius() : source().radius;
  }
  [[nodiscard]] std::span<const Step> steps() const { return steps_; }
  /// The moments where the run begins, at the start of each later step, and at the end of the last.
  [[nodiscard]] std::size_t frames() const { return steps_.size() + 1; }
  [[nodiscard]] RunMoment frame(std::size_t i) const {
    if (i == 0) return {0, begin_};
    return i < steps_.size() ? RunMoment{i, 0.0} : RunMoment{i - 1, 1.0};
  }
  /// The ends of the axis at a moment. Of a link with a shape: the corners of a box that holds it,
  /// two and two. World, metres.
  [[nodiscard]] std::vector<core::AxisEnds> at(const RunMoment& moment) const;
  /// No point of the link moves farther between two frames, metres, up to rounding.
  [[nodiscard]] double most_moved(std::size_t i, std::size_t j) const;
  /// Points of the link at a frame, one in each part of it that hangs together: visit(Vec3), world,
  /// metres, until it is true. True if it was.
  [[nodiscard]] bool any_start(std::size_t frame,
                               const std::function<bool(const Vec3&)>& visit) const;
  /// The joints from the root to the link's.
  [[nodiscard]] std::span<const std::int32_t> chain() const { return chain_; }
  /// No point of the link, but for its radius, is faster during a step, metres per step, up to
  /// rounding. Its joints from chain()[skipped] on alone count, as if the others stood still.
  [[nodiscard]] double most_speed(std::size_t step, std::size_t skipped = 0) const;

 private:
  [[nodiscard]] const Link& source() const {
    return avatar().links()[static_cast<std::size_t>(link_)];
  }
  [[nodiscard]] std::vector<core::AxisEnds> placed(std::span<const core::AxisEnds> ends,
                                                   const RunMoment& moment) const;
  [[nodiscard]] std::span<const core::AxisEnds> at_frame(std::size_t i) const {
    return std::span(at_frames_).subspan(i * ends_.size(), ends_.size());
  }

  const JobTake* take_;
  std::int32_t link_;
  std::span<const Step> steps_;
  double begin_;
  std::vector<std::int32_t> chain_;
  std::vector<core::AxisEnds> ends_;       ///< in the joint's frame: what at() places
  std::vector<core::AxisEnds> at_frames_;  ///< at() of each frame, one after the other
};

/// The pair of an episode. Refers to its arguments.
class PairRun {
 public:
  /// solid: of the job's room and the detector's options.
  PairRun(const Job& job, const Detector& detector, const detect::SolidObjects& solid,
          const io::Episode& episode);

  [[nodiscard]] std::span<const Step> steps() const { return own_.steps(); }
  [[nodiscard]] const io::Episode& episode() const { return *episode_; }
  /// The local time in the first step at which the pair is first proved touching; of a graze, at
  /// which it is last proved free.
  [[nodiscard]] double begin() const { return begin_; }
  /// Where the run begins, the start of each later step, and the end of the last.
  [[nodiscard]] std::size_t frames() const { return own_.frames(); }
  [[nodiscard]] RunMoment frame(std::size_t i) const { return own_.frame(i); }
  /// The radius, or the sum of both, margins included, metres: what touches is so near.
  [[nodiscard]] double reach() const { return reach_; }
  /// The pair is a link and a solid object.
  [[nodiscard]] bool solid() const;
  /// The link's start is in the object at a frame; of a shape, a corner of it.
  [[nodiscard]] bool may_be_inside(std::size_t i) const;
  /// The depth at a frame is no greater, metres: the radius, unless the link may be inside.
  [[nodiscard]] double most_depth(std::size_t i) const;
  /// The depths at two frames differ by no more, metres, up to rounding.
  [[nodiscard]] double most_change(std::size_t i, std::size_t j) const;
  /// The depth changes no faster during a step, metres per step, up to rounding.
  [[nodiscard]] double most_speed(std::size_t step) const;

  /// Errors: as Detector::depth.
  [[nodiscard]] Result<PairDepth> depth(const RunMoment& moment) const;

 private:
  const Detector* detector_;
  const detect::SolidObjects* solid_;
  const io::Episode* episode_;
  double begin_ = 0.0;
  LinkRun own_;
  std::optional<LinkRun> other_;  ///< of two links
  std::size_t shared_ = 0;        ///< joints of both chains that are the same
  double reach_ = 0.0;
};

}  // namespace tocsin::app
