// A device's queue without an engine: whatever may go into a batch does, however slow it is.
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "service/schedule/batcher.h"
#include "service/schedule/device_queue.h"
#include "service/schedule/worker_pool.h"
#include "service/session/session.h"

namespace tocsin::test {

/// Sessions on a pool with a device's queue, and no engine.
class QueueScheduler : public service::StepScheduler {
 public:
  explicit QueueScheduler(double most_seconds, std::size_t size = 4,
                          std::chrono::microseconds delay = {})
      : queue_(std::make_unique<service::DeviceQueue>(*pool_, size, delay, most_seconds)),
        batcher_(std::make_unique<service::Batcher>(*pool_, 1, std::chrono::microseconds(0),
                                                    kNobodyIsSlow, queue_.get())) {}
  void schedule(const std::shared_ptr<service::Session>& session) override {
    const std::lock_guard lock(mutex_);
    if (batcher_) batcher_->add(session);
  }
  void over(const std::shared_ptr<service::Session>& /*session*/) override {}
  service::DeviceQueue& queue() { return *queue_; }
  /// Sessions keep this alive, and workers sessions: they must go before it.
  void stop() {
    std::unique_ptr<service::Batcher> last;
    {
      const std::lock_guard lock(mutex_);
      last.swap(batcher_);
    }
    last.reset();
    queue_.reset();
    pool_.reset();
  }

 private:
  static constexpr double kNobodyIsSlow = std::numeric_limits<double>::infinity();

  std::mutex mutex_;
  std::unique_ptr<service::WorkerPool> pool_ = std::make_unique<service::WorkerPool>(2);
  std::unique_ptr<service::DeviceQueue> queue_;
  std::unique_ptr<service::Batcher> batcher_;
};

}  // namespace tocsin::test
