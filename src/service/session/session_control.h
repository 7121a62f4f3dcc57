// A session's lock, its state, and whose turn it is to work for it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

#include "service/session/delivery.h"
#include "service/session/frame_queue.h"
#include "service/session/lifecycle.h"

namespace tocsin::service {

class Session;

/// Asks for a session's next step to be run (run_step()) by some worker, soon. Called under no lock
/// of the session's, but maybe under a lock of an outlet's: must not block, or call into sessions.
class StepScheduler {
 public:
  virtual ~StepScheduler() = default;
  virtual void schedule(const std::shared_ptr<Session>& session) = 0;
  /// The session is over (ended, or failed): it can be forgotten.
  virtual void over(const std::shared_ptr<Session>& session) = 0;
};

/// What a worker is asked for.
enum class Run : std::uint8_t {
  kNone,    ///< no run is scheduled, and none is under way
  kStep,    ///< a step, and what follows from it
  kRecord,  ///< the end of the record, which may take long
};

/// What is known of a run before it begins.
struct RunForecast {
  double seconds = 0.0;      ///< how long it may take; infinite: nobody knows, or it is kRecord
  bool joins_batch = false;  ///< it is a step that the room's device may check
};

/// What a session is once and for all.
struct SessionKind {
  bool meets = false;    ///< it takes steps at the ticks of a meeting only
  bool batches = false;  ///< a device may check its steps
  bool records = false;
  double first_seconds = 0.0;  ///< RunForecast::seconds before its first step
};

/// At most one run is scheduled or under way, and it alone has what belongs to "whoever runs a
/// step": the lock hands that from run to run, as claim() and end_run() are called under it.
///
/// The lock guards the state, the run, the queue of frames and the delivery; every function needs
/// it but lock(), schedule() and forecast(). No function takes it for long, and none of outlets or
/// schedulers is called under it.
class SessionControl {
 public:
  using Lock = std::unique_lock<std::mutex>;

  SessionControl(SessionKind kind, FrameQueue queue, const SessionLimits& limits,
                 std::shared_ptr<StepScheduler> scheduler);

  [[nodiscard]] Lock lock() const { return Lock(mutex_); }
  FrameQueue& queue() { return queue_; }
  [[nodiscard]] const FrameQueue& queue() const { return queue_; }
  Delivery& delivery() { return delivery_; }
  [[nodiscard]] const Delivery& delivery() const { return delivery_; }
  [[nodiscard]] SessionState state() const { return state_; }

  void move(SessionEvent event) { state_ = after(state_, event); }
  /// No more steps; the stream must end so.
  void fail(Problem problem);

  /// True if there is a frame to go on to, by itself or at a tick.
  [[nodiscard]] bool may_step() const;
  [[nodiscard]] bool may_turn() const;
  /// True if the client has closed its side and nothing waits that is to be checked.
  [[nodiscard]] bool all_checked() const;
  [[nodiscard]] bool busy() const { return run_ != Run::kNone; }
  /// True if a run must finish the record before the session can go on to its end.
  [[nodiscard]] bool must_record() const;
  /// True if the record is no hindrance to the end: it is what this run is for, or need not be
  /// finished.
  [[nodiscard]] bool may_end() const { return run_ == Run::kRecord || !must_record(); }
  /// True if there is a record that nobody has begun to finish. The caller must do it then.
  bool take_record();

  /// Claims a run if there is work and no run is claimed: true if the caller must call schedule()
  /// once it has unlocked.
  bool claim_work();
  void claim();
  /// The run is over; it took so long, and did or did not check the motion to a pose. Claims the
  /// next: as claim_work().
  bool end_run(double seconds, bool checked);

  /// Has the run that was claimed done. Without the lock.
  void schedule();
  /// Before the session is used: whom to schedule.
  void serve(const std::shared_ptr<Session>& session) { session_ = session; }
  [[nodiscard]] RunForecast forecast() const { return {seconds_.load(), joins_batch_.load()}; }

 private:
  enum class Record : std::uint8_t { kNone, kOpen, kFinished };  ///< finished, or being finished
  [[nodiscard]] bool has_work() const;

  const SessionKind kind_;
  const std::shared_ptr<StepScheduler> scheduler_;
  std::weak_ptr<Session> session_;
  std::atomic<double> seconds_;  ///< these two: written by claim() only
  std::atomic<bool> joins_batch_{false};

  mutable std::mutex mutex_;
  SessionState state_ = SessionState::kOpen;
  Run run_ = Run::kNone;
  Record record_;
  double taken_seconds_;  ///< by runs so far, fading; infinite: not known yet
  FrameQueue queue_;
  Delivery delivery_;
};

}  // namespace tocsin::service
