// Submits the sessions' steps to the workers or the device, those of one room together.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "service/metrics/metrics.h"
#include "service/schedule/worker_pool.h"
#include "service/session/session_limits.h"

namespace tocsin::service {

class DeviceQueue;
class Session;
struct Room;

/// A room's sessions are collected until `size` of them are ready or the first has waited for
/// `delay`. With no delay (or a size of 1) each is submitted at once. Thread-safe. add() runs no
/// step on the caller's thread. Principals have turns (WorkerPool).
class Batcher {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Seconds: a frame at 50 Hz. A session whose steps take longer is not live. It moves to the slow
  /// queue. Smaller: large avatars of honest clients get there. Larger: a slow session keeps a
  /// worker busy for so long before it is known.
  static constexpr double kSlowStep = 0.020;

  /// `pool`, and `device`, must live longer. Sessions that expect a step to take longer than
  /// `slow_step` go to the slow lane. `device`: gets the steps that it may check, but no slow
  /// ones; null: there is none. `metrics`: counts the batches; lives longer; null: nobody does.
  /// `brief_step`: may_run_here() leaves sessions that expect longer steps to workers.
  Batcher(WorkerPool& pool, std::size_t size, std::chrono::microseconds delay,
          double slow_step = kSlowStep, DeviceQueue* device = nullptr, Metrics* metrics = nullptr,
          double brief_step = kBriefStep);
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;
  /// Submits the pending sessions.
  ~Batcher();

  /// A turn of a principal's crowd. Shorter: handing out turns costs more than steps. Longer:
  /// others wait longer for theirs.
  static constexpr std::chrono::microseconds kTurn{200};

  /// For so long a thread checks steps that does not wait for frames, divided by the number of
  /// workers: of two 10 ms, a frame at 100 Hz. Shorter: more is handed over, which costs both
  /// threads more. Longer: frames wait for each other where workers are idle, and a server that is
  /// behind skips them later.
  static constexpr std::chrono::milliseconds kHere{20};

  /// While fewer tasks wait for each worker, threads that read streams check steps: at some 20 us a
  /// task, a worker is half a millisecond behind. Fewer: one task more makes all threads hand over,
  /// which costs a step a quarter more, so that more come to wait. More: principals wait longer for
  /// turns that others do without.
  static constexpr std::size_t kMostWaiting = 32;

  void add(const std::shared_ptr<Session>& session);
  /// The same for many sessions of one principal, none of them slow: workers are woken once, and a
  /// turn runs one session after the other for kTurn. `then` runs once the last of them has begun.
  /// False, and nothing was added: they need add(), because steps are collected or one goes to a
  /// device, or there is no memory. Does not throw.
  bool add_all(std::span<const std::shared_ptr<Session>> sessions,
               const std::function<void()>& then);
  /// True if the session's run may be done on a thread that reads streams, because workers have
  /// little to do: it is a step that is short by experience, and is neither collected nor goes to a
  /// device. It counts as handed out then. `waited`: Engine::run_here(). `now`: the time.
  [[nodiscard]] bool may_run_here(const Session& session, Time waited, Time now) const;
  /// Sessions of add_all() whose run has not begun.
  [[nodiscard]] std::size_t waiting() const { return *waiting_; }

 private:
  struct Crowd;
  using Sessions = std::vector<std::shared_ptr<Session>>;
  struct Batch {
    Time due;
    Sessions sessions;
  };
  [[nodiscard]] WorkerPool::Lane lane_of(const Session& session) const;
  [[nodiscard]] bool is_for_device(const Session& session) const;
  static void take_turn(const std::shared_ptr<Crowd>& crowd);
  void hand_out(const Sessions& sessions);
  void hand_out(WorkerPool::Lane lane, const Sessions& sessions, std::uint32_t count);
  static void run_here(const Sessions& sessions);
  void count(std::size_t batch) const;
  void watch();

  WorkerPool& pool_;
  std::size_t size_;
  std::chrono::microseconds delay_;
  double slow_step_;
  double brief_step_;
  DeviceQueue* device_;
  Metrics* metrics_;
  const std::shared_ptr<std::atomic<std::size_t>> waiting_;  ///< outlives this, in tasks
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<const Room*, Batch> pending_;
  bool over_ = false;
  std::thread watcher_;  ///< only where there is a delay
};

}  // namespace tocsin::service
