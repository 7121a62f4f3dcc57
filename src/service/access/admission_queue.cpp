#include "service/access/admission_queue.h"

#include <mutex>
#include <new>
#include <utility>

namespace tocsin::service {

void AdmissionQueue::add(const Principal* principal, WorkerPool::Lane lane, Task task) {
  {
    const std::scoped_lock lock(mutex_);
    const auto [entry, first] = pending_.try_emplace(principal);
    try {
      entry->second.push_back({lane, std::move(task)});
    } catch (const std::bad_alloc&) {
      if (first) pending_.erase(entry);
      throw;
    }
    if (!first) return;  // the thread that runs the one before submits this one
    try {
      hand_out(principal, lane);
    } catch (const std::bad_alloc&) {
      pending_.erase(entry);
      throw;
    }
  }
}

std::size_t AdmissionQueue::waiting() const {
  std::size_t out = 0;
  const std::scoped_lock lock(mutex_);
  for (const auto& [principal, openings] : pending_) out += openings.size();
  return out;
}

void AdmissionQueue::hand_out(const Principal* principal, WorkerPool::Lane lane) {
  threads_.submit(lane, [this, principal] { run(principal); });
}

/// Runs the principal's first opening, and the next ones only if there is no memory to submit them.
void AdmissionQueue::run(const Principal* principal) {
  while (true) {
    Task task;
    {
      const std::scoped_lock lock(mutex_);
      std::deque<Opening>& mine = pending_.find(principal)->second;
      task = std::move(mine.front().task);
      mine.pop_front();
    }
    task();
    task = nullptr;  // its captures must not be destroyed under the lock
    const std::scoped_lock lock(mutex_);
    const auto mine = pending_.find(principal);
    if (mine->second.empty()) {
      pending_.erase(mine);
      return;
    }
    try {
      return hand_out(principal, mine->second.front().lane);
    } catch (const std::bad_alloc&) {  // then it runs on this thread
    }
  }
}

}  // namespace tocsin::service
