// Sessions whose steps go into batches of a device's queue, without an engine.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "service/engine_fixture.h"
#include "service/schedule/queue_scheduler.h"

namespace tocsin::test {

/// Each with a stream of its own, all of one client.
class QueueSessions {
 public:
  QueueSessions(std::shared_ptr<const service::Room> room, double most_seconds,
                std::size_t size = 4, std::chrono::microseconds delay = {})
      : room_(std::move(room)),
        scheduler_(std::make_shared<QueueScheduler>(most_seconds, size, delay)) {}
  QueueSessions(const QueueSessions&) = delete;
  QueueSessions& operator=(const QueueSessions&) = delete;
  /// Sessions keep the queue alive, and its workers sessions: it has to stop first.
  ~QueueSessions() {
    for (const auto& session : sessions_) session->close();
    scheduler_->stop();
    for (const auto& session : sessions_) session->settle();
  }

  void open(const TrackOptions& options, const service::SessionLimits& limits) {
    service::Problem problem;
    TrackOpened opened;
    auto session =
        service::Session::create({.id = "x",
                                  .options = options,
                                  .room = room_,
                                  .principal = principal_,
                                  .limits = limits,
                                  .scheduler = scheduler_,
                                  .slot = service::SessionSlot(room_, principal_, slots_)},
                                 problem);
    ASSERT_TRUE(session) << problem.message;
    auto outlet = std::make_shared<WaitingOutlet>();
    ASSERT_FALSE(session->attach(outlet, 0, opened));
    sessions_.push_back(std::move(session));
    outlets_.push_back(std::move(outlet));
  }
  [[nodiscard]] std::size_t size() const { return sessions_.size(); }
  [[nodiscard]] service::Session& operator[](std::size_t i) { return *sessions_[i]; }
  [[nodiscard]] WaitingOutlet& outlet(std::size_t i) { return *outlets_[i]; }
  [[nodiscard]] service::DeviceQueue& queue() { return scheduler_->queue(); }

 private:
  std::shared_ptr<const service::Room> room_;
  std::shared_ptr<QueueScheduler> scheduler_;
  std::shared_ptr<service::Principal> principal_ = std::make_shared<service::Principal>();
  std::shared_ptr<std::atomic<std::size_t>> slots_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::vector<std::shared_ptr<WaitingOutlet>> outlets_;
  std::vector<std::shared_ptr<service::Session>> sessions_;
};

}  // namespace tocsin::test
