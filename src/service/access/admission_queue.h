// The admission queue: sessions that are being opened. One client cannot block the others.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <unordered_map>

#include "service/access/access.h"
#include "service/schedule/worker_pool.h"

namespace tocsin::service {

/// Opens sessions on its own threads, one session of a principal after the other. So a slow opening
/// delays only its own principal. Large ones (slow lane) never occupy the last thread. Thread-safe.
class AdmissionQueue {
 public:
  using Task = WorkerPool::Task;

  /// The task is run after the principal's earlier ones. It must not throw, and should do nothing
  /// if its stream has ended meanwhile. Throws std::bad_alloc; then nothing was added.
  void add(const Principal* principal, WorkerPool::Lane lane, Task task);
  /// Openings that wait.
  [[nodiscard]] std::size_t waiting() const;

 private:
  struct Opening {
    WorkerPool::Lane lane = WorkerPool::Lane::kInteractive;
    Task task;
  };

  void hand_out(const Principal* principal, WorkerPool::Lane lane);
  void run(const Principal* principal);

  mutable std::mutex mutex_;
  /// Pending openings. A principal has an entry while one of its openings is pending or runs.
  std::unordered_map<const Principal*, std::deque<Opening>> pending_;
  WorkerPool threads_{2};  ///< last: destroyed first
};

}  // namespace tocsin::service
