// What is known of a run: the deepest moment that was looked at, and the frames.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "app/check/distance/pair_run.h"
#include "io/report/episodes.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// Refers to the run. Keeps the first error of Detector::depth; depths after it count as 0.
class Deeper {
 public:
  explicit Deeper(const PairRun& run) : run_(&run), at_frames_(run.frames()) {}

  /// The depth at a moment, metres; kept if it is the greatest.
  double look(const RunMoment& moment) {
    const auto found = run_->depth(moment);
    if (!found) {
      if (!error_) error_ = found.error();
      return 0.0;
    }
    if (!any_ || found->depth > best_.depth) {
      best_ = found.value();
      at_ = moment;
      any_ = true;
    }
    return found->depth;
  }
  /// The depth at a frame of the run, which is remembered.
  double look_at_frame(std::size_t i) { return at_frames_[i].emplace(look(run_->frame(i))); }

  [[nodiscard]] bool any() const { return any_; }
  /// The greatest depth so far, metres, and its moment. Precondition: any().
  [[nodiscard]] double depth() const { return best_.depth; }
  [[nodiscard]] double depth_or(double none) const { return any_ ? best_.depth : none; }
  [[nodiscard]] const RunMoment& at() const { return at_; }
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  /// The depths of the run's frames that were looked at, metres.
  [[nodiscard]] std::span<const std::optional<double>> at_frames() const { return at_frames_; }

  [[nodiscard]] Result<io::Deepest> told() const;

 private:
  const PairRun* run_;
  std::vector<std::optional<double>> at_frames_;
  PairDepth best_;
  RunMoment at_;
  bool any_ = false;
  std::optional<Error> error_;
};

}  // namespace tocsin::app
