#include "service/openings.h"

#include <mutex>
#include <new>
#include <utility>

namespace tocsin::service {

void Openings::add(const Principal* principal, WorkerPool::Lane lane, Task task) {
  {
    const std::scoped_lock lock(mutex_);
    const auto [entry, first] = waiting_.try_emplace(principal);
    try {
      entry->second.push_back({lane, std::move(task)});
    } catch (const std::bad_alloc&) {
      if (first) waiting_.erase(entry);
      throw;
    }
    if (!first) return;  // who runs the one before hands this out
    try {
      hand_out(principal, lane);
    } catch (const std::bad_alloc&) {
      waiting_.erase(entry);
      throw;
    }
  }
}

void Openings::hand_out(const Principal* principal, WorkerPool::Lane lane) {
  threads_.submit(lane, [this, principal] { run(principal); });
}

/// The principal's first; and those after it only if there is no memory to hand them out.
void Openings::run(const Principal* principal) {
  while (true) {
    Task task;
    {
      const std::scoped_lock lock(mutex_);
      std::deque<Opening>& mine = waiting_.find(principal)->second;
      task = std::move(mine.front().task);
      mine.pop_front();
    }
    task();
    task = nullptr;  // what it holds must not die under the lock
    const std::scoped_lock lock(mutex_);
    const auto mine = waiting_.find(principal);
    if (mine->second.empty()) {
      waiting_.erase(mine);
      return;
    }
    try {
      return hand_out(principal, mine->second.front().lane);
    } catch (const std::bad_alloc&) {  // on this thread, then
    }
  }
}

}  // namespace tocsin::service
