#include "service/schedule/worker_pool.h"

#include <algorithm>
#include <utility>

namespace tocsin::service {
namespace {

/// How many interactive tasks may run before a slow task that could run. Larger: under overload
/// interactive tasks wait less, and slow tasks may wait for longer.
constexpr int kMostPreferred = 64;

}  // namespace

WorkerPool::WorkerPool(int threads) {
  if (threads == kByHand) return;
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
  if (threads_.empty()) {
    while (run_one()) {
    }
  }
}

void WorkerPool::submit(Lane lane, Task task, Key key) {
  TaskQueue::Tasks one;  // made without the lock
  one.push_back({std::move(task), key});
  {
    const std::lock_guard lock(mutex_);
    lane_of(lane).add(one);
  }
  wake_.notify_one();
}

void WorkerPool::submit_all(Lane lane, TaskQueue::Tasks tasks) {
  {
    const std::lock_guard lock(mutex_);
    lane_of(lane).add(tasks);
  }
  wake_.notify_all();
}

std::size_t WorkerPool::waiting(Lane lane) const {
  const std::lock_guard lock(mutex_);
  return lane == Lane::kInteractive ? interactive_.size() : slow_.size();
}

std::optional<WorkerPool::Lane> WorkerPool::next_lane() {
  const bool slow = !slow_.empty() && slow_running_ < most_slow_;
  if (!interactive_.empty() && !(slow && preferred_ >= kMostPreferred)) {
    if (slow) ++preferred_;
    return Lane::kInteractive;
  }
  if (!slow) return std::nullopt;
  preferred_ = 0;
  return Lane::kSlow;
}

bool WorkerPool::run_next(std::unique_lock<std::mutex>& lock) {
  const std::optional<Lane> lane = next_lane();
  if (!lane) return false;
  TaskQueue::Tasks next = lane_of(*lane).take();
  slow_running_ += *lane == Lane::kSlow ? 1 : 0;
  lock.unlock();
  next.front().task();
  next.clear();  // its captures must not be destroyed under the lock
  lock.lock();
  slow_running_ -= *lane == Lane::kSlow ? 1 : 0;
  return true;
}

bool WorkerPool::run_one() {
  std::unique_lock lock(mutex_);
  return run_next(lock);
}

void WorkerPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (run_next(lock)) continue;
    // Slow tasks that are left wait for other slow ones. The workers that run those take them.
    if (over_) return;
    wake_.wait(lock);
  }
}

}  // namespace tocsin::service
