// The steps of one session, from a frame to a report.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "service/meeting/turn.h"
#include "service/session/session_limits.h"
#include "service/session/session_problems.h"
#include "service/session/session_record.h"
#include "service/session/session_setup.h"
#include "service/session/step_checker.h"
#include "service/session/step_parts.h"
#include "tocsin/live_motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// What is checked: the step to a frame, or none to the first pose.
struct FrameStep {
  NextFrame& next;
  const Step* step;
  double tick;
  std::chrono::steady_clock::time_point start;
  const Met* met = nullptr;  ///< what a meeting has found besides
};

/// Turns frames into steps, has them checked, records and reports them. Steps follow each other
/// without a hole: each begins where the one before ended, and a step that was begun is ended
/// before the next begins.
///
/// It has no lock: it belongs to whoever runs a step, and SessionControl hands it on. Any thread
/// may call accept(), and watch() and give_up() of the checker.
class StepPipeline {
 public:
  /// Takes what it needs out of `setup`.
  StepPipeline(const TrackOptions& options, const SessionLimits& limits, SessionSetup& setup,
               std::unique_ptr<Recorder> recorder, Log log);

  /// A frame that has come: looks at it, and normalises and places its pose.
  std::optional<Problem> accept(PendingFrame& pending) const;

  /// Begins the step to a frame.
  void begin(NextFrame next);
  /// Null: no step has begun that is not ended. A step that has a problem, or is none, is left to
  /// check().
  [[nodiscard]] const BegunStep* begun() const { return begun_ ? &*begun_ : nullptr; }
  /// Ends the step that was begun. `batch`: how many were handed out together.
  StepOutcome check(std::uint32_t batch);

  // For turns of a meeting, whose steps have ticks of their own.
  /// True if there is a pose to go on from.
  [[nodiscard]] bool has_pose() const { return live_.frame_count() > 0; }
  /// The last covered frame; its pose only where stop poses are asked for.
  [[nodiscard]] const TrackFrame& last() const { return last_; }
  Result<Step> next_step(std::vector<Transform> taken, double tick);
  /// Standing still until `tick`.
  StepOutcome check_absence(const Absence& absence, double tick, std::uint32_t batch);
  StepOutcome check(const FrameStep& frame, std::uint32_t batch);

  [[nodiscard]] StepChecker& checker() { return checker_; }
  [[nodiscard]] SessionRecord& record() { return record_; }
  /// True if poses are kept as they came: for the record and for stop poses.
  [[nodiscard]] bool keeps_poses() const { return keeps_poses_; }
  [[nodiscard]] const Log& log() const { return log_; }

 private:
  TrackReport report_on(const NextFrame& next, StepReport result) const;
  void remember(TrackFrame frame);

  const std::optional<double> frame_seconds_;
  const InBetween in_between_;
  const Contacts contacts_;
  const bool stop_pose_;
  const bool keeps_poses_;
  const Log log_;
  const LiveMotion plain_;
  LiveMotion live_;
  StepChecker checker_;
  SessionRecord record_;
  std::optional<BegunStep> begun_;
  TrackFrame last_;
};

}  // namespace tocsin::service
