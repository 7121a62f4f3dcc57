// The steps of one session, from a frame to a report.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "service/meeting/turn.h"
#include "service/schedule/prefetch.h"
#include "service/session/session_limits.h"
#include "service/session/session_problems.h"
#include "service/session/session_record.h"
#include "service/session/session_setup.h"
#include "service/step/lookahead.h"
#include "service/step/near_objects.h"
#include "service/step/step_checker.h"
#include "service/step/step_parts.h"
#include "service/step/tracker_space.h"
#include "tocsin/live_motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// The step to a frame. The first pose has no step.
struct FrameStep {
  NextFrame& next;
  const Step* step;
  double tick;
  std::chrono::steady_clock::time_point start;
  std::chrono::steady_clock::time_point now;  ///< of a step that goes on: later than `start`
  const TickResult* meeting = nullptr;        ///< the meeting's contacts; null: none
};

/// Turns frames into steps, gets them checked, and makes records and reports. Steps leave no gap:
/// each begins where the one before ended. A step that was begun is ended before the next begins.
///
/// It has no lock: only the run of the session uses it (SessionControl). But any thread may call
/// accept(), and watch() and give_up() of the checker.
class StepPipeline {
 public:
  /// Moves its parts out of `setup`. `log`: for unforeseen errors.
  StepPipeline(const TrackOptions& options, const SessionLimits& limits, SessionSetup& setup,
               SessionRecord record, Log log);

  /// Validates a received frame, and normalises and places its pose. Problems: kInvalid: an id, or
  /// a number of joints, that no frame has; kBadFrame: a capture time or a pose that cannot be
  /// used.
  std::optional<Problem> accept(PendingFrame& pending) const;

  /// The session's first step here has this number: those before were another server's, with so
  /// many contacts.
  void begin_at(std::uint64_t step, std::uint64_t contacts) {
    first_step_ = static_cast<std::int64_t>(step);
    contacts_so_far_ = contacts;
  }
  /// Takes the memory of the step that begins next. Throws std::bad_alloc.
  void make_room() {
    if (!begun_) begun_ = std::make_unique<BegunStep>();
  }
  /// Begins the step to a frame. `now`: the time. Call make_room() before.
  void begin(NextFrame&& next, std::chrono::steady_clock::time_point now);
  /// The step that was begun and is not ended. Null: there is none. check() must also be called if
  /// it has a problem, or is the first pose.
  [[nodiscard]] const BegunStep* begun() const { return is_begun_ ? begun_.get() : nullptr; }
  /// Checks the step that was begun, and ends it, unless the outcome is a part of its report: then
  /// the next call goes on with it. `batch`: number of steps submitted together. `now`: the time.
  StepOutcome check(std::uint32_t batch, std::chrono::steady_clock::time_point now);

  // For turns of a meeting, whose steps have ticks of their own.
  /// True if a pose was covered.
  [[nodiscard]] bool has_pose() const { return live_.frame_count() > 0; }
  /// The last covered frame. It has its pose only if stop poses are wanted.
  [[nodiscard]] const TrackFrame& last() const { return last_; }
  Result<Step> next_step(std::vector<Transform> taken, double tick);
  /// Memory of a pose that is not needed any more, to be used again; of the run.
  [[nodiscard]] std::vector<Transform>& spare() { return spare_; }
  /// Fills in what a tracker had lost. Call once for each frame that is covered, in their order,
  /// before its pose is used. Problems: kInvalid: the pose leaves the world.
  std::optional<Problem> settle(PendingFrame& pending);
  /// Checks the step that stands still until `tick`.
  StepOutcome check_absence(const Absence& absence, double tick, std::uint32_t batch);
  StepOutcome check(const FrameStep& frame, std::uint32_t batch);

  [[nodiscard]] const Skeleton& skeleton() const { return plain_.skeleton(); }
  [[nodiscard]] StepChecker& checker() { return checker_; }
  [[nodiscard]] SessionRecord& record() { return record_; }
  [[nodiscard]] const SessionRecord& record() const { return record_; }
  /// True if poses are kept as received: for the record or for stop poses.
  [[nodiscard]] bool keeps_poses() const { return keeps_poses_; }
  [[nodiscard]] const Log& log() const { return log_; }
  /// Asks for what the next frame and its step need beside this object (prefetch.h). Call while no
  /// run is under way.
  void prefetch_behind() const {
    for (const std::span<const std::byte> part : behind_) prefetch(part.data(), part.size());
  }

 private:
  [[nodiscard]] PassedOver passed_by(const NextFrame& next) const;
  /// Fills in a new report.
  void report_on(const NextFrame& next, StepReport&& result, TrackReport& out) const;
  StepOutcome check_begun(BegunStep& begun, std::uint32_t batch,
                          std::chrono::steady_clock::time_point now);
  /// Notes for prefetch_behind() where that is.
  void note_memory();
  void check(const FrameStep& what, std::uint32_t batch, StepOutcome& out);
  /// What is proved of the step to a frame so far.
  TrackReport partial_on(const NextFrame& next, StepReport&& result,
                         std::chrono::steady_clock::time_point start, std::uint32_t batch) const;
  void remember(TrackFrame&& frame);
  std::optional<Problem> record_room();
  /// What is near where the checked step ends; nothing if that was not asked for. None: `problem`.
  std::optional<NearAnswer> near_end_of(const Step& step, std::optional<Problem>& problem);
  /// What is predicted after the step to a frame; `out` stays empty if nothing is.
  std::optional<Problem> look_ahead(const Step& step, PendingFrame& frame,
                                    std::optional<TrackAhead>& out);
  /// Takes TrackFrame::ahead. Problems: kInvalid: another number of joints, or nobody asked.
  std::optional<Problem> accept_ahead(PendingFrame& pending) const;
  /// Makes a tracker's pose local, but for what is missing. Returns its fault, or an empty string.
  std::string accept_tracker(PendingFrame& pending) const;

  const std::optional<double> frame_seconds_;
  const InBetween in_between_;
  const Contacts contacts_;
  const bool stop_pose_;
  const bool keeps_poses_;
  const Log log_;
  const LiveMotion plain_;
  LiveMotion live_;
  TrackerSpace tracker_;                           ///< only settle() changes it
  const std::unique_ptr<const NearObjects> near_;  ///< null: not asked for
  const std::unique_ptr<Lookahead> ahead_;         ///< the same
  StepChecker checker_;
  SessionRecord record_;
  std::int64_t first_step_ = 0;
  std::uint64_t contacts_so_far_ = 0;  ///< of all steps
  /// While a step is begun, or is to be: a run mostly finds it in its thread's caches, where the
  /// last session's was.
  std::unique_ptr<BegunStep> begun_;
  bool is_begun_ = false;
  TrackFrame last_;
  std::vector<Transform> spare_;
  static constexpr std::size_t kParts =
      std::tuple_size_v<LiveMotion::Memory> + std::tuple_size_v<Stream::Memory>;
  std::array<std::span<const std::byte>, kParts> behind_ = {};  ///< read by nobody: only asked for
};

}  // namespace tocsin::service
