// The threads that check. Neither slow work nor one principal's can take all of them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "service/task_lines.h"

namespace tocsin::service {

/// Two lanes: what was slow of late waits in a lane of its own, which at most half of the
/// workers (one at least) serve at once; so one avatar whose steps take seconds delays no other.
/// Quick tasks go first; slow ones that could run get a turn at the latest after 64 of them.
///
/// In a lane tasks wait in a line for each key (a principal): lines have a turn each, and a task a
/// turn, so that who has a thousand sessions is as far from a worker as who has one.
class WorkerPool {
 public:
  using Task = TaskLines::Task;
  using Key = TaskLines::Key;
  enum class Lane : std::uint8_t { kQuick, kSlow };

  /// `threads`: 0: as many as there are cores; at least 2 are made, or a slow step would stop
  /// everything on a single core.
  explicit WorkerPool(int threads);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  /// Runs what was submitted to its end, and what that submits.
  ~WorkerPool();

  /// Tasks of one key are started in their order, keys of a lane in turn; tasks must not throw.
  void submit(Lane lane, Task task, Key key = nullptr);
  /// The same for many, waking workers once. All are submitted or, where there is no memory, none.
  void submit_all(Lane lane, TaskLines::Tasks tasks);
  [[nodiscard]] int threads() const { return static_cast<int>(threads_.size()); }

 private:
  void work();
  /// Where the next task comes from; none: nothing may run now.
  std::optional<Lane> next_lane();
  TaskLines& lane_of(Lane lane) { return lane == Lane::kQuick ? quick_ : slow_; }

  std::mutex mutex_;
  std::condition_variable wake_;
  TaskLines quick_;
  TaskLines slow_;
  int slow_running_ = 0;
  int most_slow_ = 1;
  int preferred_ = 0;  ///< quick tasks in a row while a slow one could have run
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace tocsin::service
