// What a session has, and what is to be done for it.
#pragma once

#include <cstdint>
#include <string>

#include "service/metrics/metrics.h"
#include "service/session/delivery.h"
#include "service/session/frame_queue.h"
#include "service/session/lifecycle.h"
#include "service/session/problem.h"
#include "service/session/session_limits.h"

namespace tocsin::service {

/// Properties that a session keeps for its whole life.
struct SessionKind {
  bool meets = false;    ///< it takes steps only at the ticks of a meeting
  bool batches = false;  ///< a device may check its steps
  bool records = false;
  bool only_checks = false;    ///< steps read no files, ask no more questions, and meet nobody
  double first_seconds = 0.0;  ///< RunForecast::seconds before its first step
};

/// The state, the pending frames, the reports and the record of one session. It decides which work
/// is due, and does none.
///
/// Not thread-safe: the lock of SessionControl guards all of it.
class SessionWork {
 public:
  SessionWork(const SessionKind& kind, FrameQueue queue, const SessionLimits& limits);

  FrameQueue& queue() { return queue_; }
  [[nodiscard]] const FrameQueue& queue() const { return queue_; }
  Delivery& delivery() { return delivery_; }
  [[nodiscard]] const Delivery& delivery() const { return delivery_; }
  [[nodiscard]] SessionState state() const { return state_; }

  void move(SessionEvent event) { state_ = after(state_, event); }
  /// No more steps; the stream must end with this problem.
  void fail(Problem problem);
  /// Why it ends, for people, if that was not said yet. Does not throw.
  void say_cause(const std::string& cause);
  /// Empty: its client ends it, or it goes on.
  [[nodiscard]] const std::string& cause() const { return cause_; }
  /// Says in a report which frame was the first bad one, if no report said so yet.
  void tell_first_bad(TrackReport& report);
  void first_bad_was_told() { first_bad_told_ = true; }

  /// Adds what has become of frames since the last call.
  void count_frames(Metrics& metrics);
  /// What was counted so far was another server's.
  void count_from_here() { counted_ = queue_.counts(); }

  /// A step that was begun has spent its time, and goes on.
  void set_unfinished(bool unfinished) { unfinished_ = unfinished; }
  [[nodiscard]] bool unfinished() const { return unfinished_; }
  /// True if there is a frame for the next step, and room for its report.
  [[nodiscard]] bool may_step() const;
  /// True if the session can take part in a tick.
  [[nodiscard]] bool may_turn() const;
  /// True if the client has closed its side and no frame is pending.
  [[nodiscard]] bool all_checked() const;
  /// True if the record must be finished before the session can end.
  [[nodiscard]] bool must_record() const;
  /// True if there is a record that is not finished, or being finished. The caller must finish it.
  bool take_record();
  /// True if a worker has something to do.
  [[nodiscard]] bool is_due() const;

 private:
  enum class Record : std::uint8_t { kNone, kOpen, kFinished };  ///< finished, or being finished

  const bool meets_;
  SessionState state_ = SessionState::kOpen;
  Record record_;
  FrameQueue queue_;
  FrameCounts counted_;  ///< by count_frames()
  bool first_bad_told_ = false;
  bool unfinished_ = false;
  std::string cause_;
  Delivery delivery_;
};

}  // namespace tocsin::service
