#include "service/worker_pool.h"

#include <algorithm>
#include <utility>

namespace tocsin::service {
namespace {

/// Quick tasks that may be preferred to a slow one that waits and could run. Larger: quick ones
/// wait less while there is more than the workers can do; slow ones may stand still for longer.
constexpr int kMostPreferred = 64;

}  // namespace

WorkerPool::WorkerPool(int threads) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const int count = std::max(2, threads > 0 ? threads : cores);
  most_slow_ = count / 2;
  threads_.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::submit(Lane lane, Task task, Key key) {
  TaskLines::Tasks one;  // made without the lock
  one.push_back({std::move(task), key});
  {
    const std::lock_guard lock(mutex_);
    lane_of(lane).add(one);
  }
  wake_.notify_one();
}

void WorkerPool::submit_all(Lane lane, TaskLines::Tasks tasks) {
  {
    const std::lock_guard lock(mutex_);
    lane_of(lane).add(tasks);
  }
  wake_.notify_all();
}

std::optional<WorkerPool::Lane> WorkerPool::next_lane() {
  const bool slow = !slow_.empty() && slow_running_ < most_slow_;
  if (!quick_.empty() && !(slow && preferred_ >= kMostPreferred)) {
    if (slow) ++preferred_;
    return Lane::kQuick;
  }
  if (!slow) return std::nullopt;
  preferred_ = 0;
  return Lane::kSlow;
}

void WorkerPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    const std::optional<Lane> lane = next_lane();
    if (!lane) {
      // Slow tasks that must wait for other slow ones are theirs to run: who runs them looks again.
      if (over_) return;
      wake_.wait(lock);
      continue;
    }
    TaskLines::Tasks next = lane_of(*lane).take();
    slow_running_ += *lane == Lane::kSlow ? 1 : 0;
    lock.unlock();
    next.front().task();
    next.clear();  // what it holds must not die under the lock
    lock.lock();
    slow_running_ -= *lane == Lane::kSlow ? 1 : 0;
  }
}

}  // namespace tocsin::service
