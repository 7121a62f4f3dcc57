// A session's lock, and the one run that works for it at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

#include "service/session/session_work.h"

namespace tocsin::service {

class Session;

/// Gets Session::run_step() called by a worker, soon. Called without a lock of the session, but
/// maybe under the lock of an outlet. So its functions must not block, or call sessions.
class StepScheduler {
 public:
  virtual ~StepScheduler() = default;
  virtual void schedule(const std::shared_ptr<Session>& session) = 0;
  /// The session is over: it has ended or failed, and need not be referenced any more.
  virtual void over(const std::shared_ptr<Session>& session) = 0;
};

/// What a run is for.
enum class Run : std::uint8_t {
  kNone,    ///< no run is scheduled, and none is under way
  kStep,    ///< a step and its consequences
  kRecord,  ///< the end of the record, which may take long
};

/// What is known about a run before it begins.
struct RunForecast {
  double seconds = 0.0;      ///< how long it may take; infinite: unknown, or it is kRecord
  bool joins_batch = false;  ///< it is a step that the room's device may check
  bool only_checks =
      false;  ///< it is a step that begins, not the first, of SessionKind::only_checks
};

/// At most one run is scheduled or under way. Only that run uses the parts of a session that belong
/// to "the run": claim() and end_run() are called under the lock, which passes them from run to
/// run.
///
/// Every function needs the lock, but lock(), try_lock(), schedule(), serve() and forecast(). No
/// function holds it for long. Outlets and schedulers are called without it.
class SessionControl {
 public:
  using Lock = std::unique_lock<std::mutex>;

  SessionControl(SessionKind kind, FrameQueue queue, const SessionLimits& limits,
                 std::shared_ptr<StepScheduler> scheduler);

  [[nodiscard]] Lock lock() const { return Lock(mutex_); }
  /// Not locked, if another thread has it.
  [[nodiscard]] Lock try_lock() const { return {mutex_, std::try_to_lock}; }
  SessionWork& work() { return work_; }
  [[nodiscard]] const SessionWork& work() const { return work_; }

  [[nodiscard]] bool busy() const { return run_ != Run::kNone; }
  /// True if the session can take part in a tick now: no turn or other run is under way.
  [[nodiscard]] bool may_turn() const { return !busy() && work_.may_turn(); }
  /// True if no record delays the end: this run is for it, or it need not be finished.
  [[nodiscard]] bool may_end() const { return run_ == Run::kRecord || !work_.must_record(); }

  /// Claims a run if there is work and no run is claimed. True: the caller must call schedule()
  /// after it has released the lock.
  bool claim_work();
  void claim();
  /// The run is over. `seconds`: how long it took. `checked`: it checked a step. Claims the next
  /// run, as claim_work() does.
  bool end_run(double seconds, bool checked);

  /// Schedules the run that was claimed. Call without the lock.
  void schedule();
  /// Sets the session that is scheduled. Call before the session is used.
  void serve(const std::shared_ptr<Session>& session) { session_ = session; }
  [[nodiscard]] RunForecast forecast() const {
    return {seconds_.load(kRelaxed), joins_batch_.load(kRelaxed), only_checks_.load(kRelaxed)};
  }

 private:
  const SessionKind kind_;
  const std::shared_ptr<StepScheduler> scheduler_;
  std::weak_ptr<Session> session_;
  /// Relaxed: a scheduler asks after claim(), and what another run has changed since is as good.
  static constexpr std::memory_order kRelaxed = std::memory_order_relaxed;
  std::atomic<double> seconds_;  ///< claim() alone writes these three
  std::atomic<bool> joins_batch_{false};
  std::atomic<bool> only_checks_{false};

  mutable std::mutex mutex_;
  Run run_ = Run::kNone;
  bool has_checked_ = false;  ///< a step: how long one takes is known by experience
  double taken_seconds_;      ///< decaying maximum over the runs so far; infinite: unknown
  SessionWork work_;
};

}  // namespace tocsin::service
