// A device's line without an engine: whatever may go into a batch does, however slow it is.
#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

#include "service/schedule/batcher.h"
#include "service/schedule/device_line.h"
#include "service/schedule/worker_pool.h"
#include "service/session/session.h"

namespace tocsin::test {

/// Sessions on a pool with a device's line, and no engine.
class LineScheduler : public service::StepScheduler {
 public:
  explicit LineScheduler(double most_seconds, std::size_t size = 4,
                         std::chrono::microseconds delay = {})
      : line_(std::make_unique<service::DeviceLine>(*pool_, size, delay, most_seconds)),
        batcher_(std::make_unique<service::Batcher>(*pool_, 1, std::chrono::microseconds(0),
                                                    kNobodyIsSlow, line_.get())) {}
  void schedule(const std::shared_ptr<service::Session>& session) override {
    const std::lock_guard lock(mutex_);
    if (batcher_) batcher_->add(session);
  }
  void over(const std::shared_ptr<service::Session>& /*session*/) override {}
  service::DeviceLine& line() { return *line_; }
  /// Sessions keep this alive, and workers sessions: they must go before it.
  void stop() {
    std::unique_ptr<service::Batcher> last;
    {
      const std::lock_guard lock(mutex_);
      last.swap(batcher_);
    }
    last.reset();
    line_.reset();
    pool_.reset();
  }

 private:
  static constexpr double kNobodyIsSlow = std::numeric_limits<double>::infinity();

  std::mutex mutex_;
  std::unique_ptr<service::WorkerPool> pool_ = std::make_unique<service::WorkerPool>(2);
  std::unique_ptr<service::DeviceLine> line_;
  std::unique_ptr<service::Batcher> batcher_;
};

}  // namespace tocsin::test
