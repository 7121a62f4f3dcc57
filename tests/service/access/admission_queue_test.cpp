// Whose turn it is to open a session. Tasks wait for each other here: a wrong order is a hang,
// which the latches' time limit makes a failure.
#include "service/access/admission_queue.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

namespace tocsin::service::admission_queue_test {
namespace {

using Lane = WorkerPool::Lane;

constexpr std::chrono::minutes kTimeLimit{2};

/// Something that a task waits for, or a test.
class Signal {
 public:
  void give() { promise_.set_value(); }
  void await() { EXPECT_EQ(future_.wait_for(kTimeLimit), std::future_status::ready); }

 private:
  std::promise<void> promise_;
  std::shared_future<void> future_ = promise_.get_future();
};

class AdmissionQueueTest : public testing::Test {
 protected:
  const Principal* a = std::make_unique<Principal>().release();
  const Principal* b = std::make_unique<Principal>().release();
  const Principal* c = std::make_unique<Principal>().release();
  std::unique_ptr<const Principal> hold_a{a};
  std::unique_ptr<const Principal> hold_b{b};
  std::unique_ptr<const Principal> hold_c{c};
};

TEST_F(AdmissionQueueTest, OneAfterTheOtherInOrder) {
  std::vector<int> order;  // no lock: never two at once
  {
    AdmissionQueue queue;
    for (int i = 0; i < 1000; ++i) {
      queue.add(a, i % 3 == 0 ? Lane::kSlow : Lane::kInteractive,
                [&order, i] { order.push_back(i); });
    }
    Signal last;
    queue.add(a, Lane::kInteractive, [&] { last.give(); });
    last.await();
  }
  ASSERT_EQ(order.size(), 1000U);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST_F(AdmissionQueueTest, WhoTakesLongDelaysNobodyElse) {
  Signal go_on;
  Signal other;
  AdmissionQueue queue;
  queue.add(a, Lane::kInteractive, [&] { go_on.await(); });
  for (int i = 0; i < 50; ++i) queue.add(a, Lane::kInteractive, [] {});
  queue.add(b, Lane::kInteractive, [&] { other.give(); });
  other.await();  // while a's first is still at it
  go_on.give();
}

TEST_F(AdmissionQueueTest, LargeOnesLeaveAThread) {
  Signal go_on;
  Signal other;
  AdmissionQueue queue;
  queue.add(a, Lane::kSlow, [&] { go_on.await(); });
  queue.add(b, Lane::kSlow, [&] { go_on.await(); });
  queue.add(c, Lane::kInteractive, [&] { other.give(); });
  other.await();
  go_on.give();
}

TEST_F(AdmissionQueueTest, WhatWaitsIsRunBeforeTheEnd) {
  int done = 0;
  {
    AdmissionQueue queue;
    for (int i = 0; i < 100; ++i) queue.add(a, Lane::kInteractive, [&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

}  // namespace
}  // namespace tocsin::service::admission_queue_test
