// The threads that check steps. Neither slow work nor one principal's work can occupy all of them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "service/schedule/fair_queue.h"

namespace tocsin::service {

/// Pending tasks of the workers.
using TaskQueue = FairQueue<std::function<void()>>;

/// There are two lanes, each a fair queue. At most half of the workers (one at least) serve the
/// slow lane at once. So an avatar whose steps take seconds delays no other. Interactive tasks go
/// first. A slow task that could run gets a turn at the latest after 64 interactive ones.
///
/// Workers are handed out per key (a principal) in turn, one task a turn. A principal with many
/// sessions does not wait less.
class WorkerPool {
 public:
  using Task = TaskQueue::Task;
  using Key = TaskQueue::Key;
  enum class Lane : std::uint8_t { kInteractive, kSlow };

  /// Instead of a number of threads: there are none, and run_one() runs the tasks.
  static constexpr int kByHand = -1;

  /// `threads`: 0: as many as there are cores. At least 2 are made: with one, a slow step would
  /// stop all others. kByHand: none.
  explicit WorkerPool(int threads);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  /// Runs all submitted tasks to their end, and the tasks that these submit.
  ~WorkerPool();

  /// Tasks of one key start in their order, keys of a lane in turn. Tasks must not throw.
  void submit(Lane lane, Task task, Key key = nullptr);
  /// The same for many tasks, waking the workers once. Without memory none is submitted.
  void submit_all(Lane lane, TaskQueue::Tasks tasks);
  /// Runs the next task on this thread. False: none may run now. For pools without threads.
  bool run_one();
  [[nodiscard]] int threads() const { return static_cast<int>(threads_.size()); }
  /// Tasks of a lane that wait.
  [[nodiscard]] std::size_t waiting(Lane lane) const;

 private:
  void work();
  /// Under the lock, which is released while the task runs. False: none may run now.
  bool run_next(std::unique_lock<std::mutex>& lock);
  /// The lane of the next task; none: no task may run now.
  std::optional<Lane> next_lane();
  TaskQueue& lane_of(Lane lane) { return lane == Lane::kInteractive ? interactive_ : slow_; }

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  TaskQueue interactive_;
  TaskQueue slow_;
  int slow_running_ = 0;
  int most_slow_ = 1;
  int preferred_ = 0;  ///< interactive tasks in a row while a slow task could have run
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tocsin::service
