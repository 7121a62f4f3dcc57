// Sessions that are being opened: nobody can keep the others from it.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "service/access.h"
#include "service/worker_pool.h"

namespace tocsin::service {

/// Opens one session of a principal after the other, on threads of its own: whoever opens what
/// takes long delays none but himself, and what is large (slow lane) never takes the last thread.
/// Thread-safe.
class Openings {
 public:
  using Task = WorkerPool::Task;

  /// The task is run after the principal's earlier ones; it must not throw. Whose stream has ended
  /// meanwhile should do nothing then. Throws std::bad_alloc: nothing was added.
  void add(const Principal* principal, WorkerPool::Lane lane, Task task);

 private:
  struct Opening {
    WorkerPool::Lane lane = WorkerPool::Lane::kQuick;
    Task task;
  };

  void hand_out(const Principal* principal, WorkerPool::Lane lane);
  void run(const Principal* principal);

  std::mutex mutex_;
  /// Those that wait; an entry is there as long as one waits or runs.
  std::unordered_map<const Principal*, std::deque<Opening>> waiting_;
  WorkerPool threads_{2};  ///< last: destroyed first
};

}  // namespace tocsin::service
