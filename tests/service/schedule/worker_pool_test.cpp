// Two lanes of fair queues: nothing is lost, slow tasks leave workers to the quick ones, and many
// tasks of one key to those of others.
#include "service/schedule/worker_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <latch>
#include <memory>
#include <random>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tocsin::service::worker_pool_test {
namespace {

using Lane = WorkerPool::Lane;

TEST(WorkerPool, RunsEverythingBeforeItIsGone) {
  std::atomic<int> done{0};
  {
    WorkerPool pool(3);
    EXPECT_EQ(pool.threads(), 3);
    for (int i = 0; i < 500; ++i) {
      pool.submit(i % 3 == 0 ? Lane::kSlow : Lane::kInteractive, [&done] { ++done; });
    }
    TaskQueue::Tasks many(500, {[&done] { ++done; }});
    pool.submit_all(Lane::kInteractive, many);
    pool.submit_all(Lane::kSlow, std::move(many));
  }
  EXPECT_EQ(done, 1500);
}

TEST(WorkerPool, RunsWhatTasksSubmitWhileItGoes) {
  std::atomic<int> done{0};
  WorkerPool* to = nullptr;
  const std::function<void(int)> next = [&](int left) {
    ++done;
    if (left > 0) {
      to->submit(left % 2 == 0 ? Lane::kSlow : Lane::kInteractive,
                 [&next, left] { next(left - 1); });
    }
  };
  {
    WorkerPool pool(2);
    to = &pool;
    pool.submit(Lane::kInteractive, [&next] { next(100); });
    pool.submit(Lane::kSlow, [&next] { next(100); });
    // The pool goes away now, before most of these exist.
  }
  EXPECT_EQ(done, 202);
}

TEST(WorkerPool, MakesTwoThreadsAtLeast) {
  EXPECT_EQ(WorkerPool(1).threads(), 2);
  EXPECT_GE(WorkerPool(0).threads(), 2);
}

TEST(WorkerPool, ByHandRunsOneTaskAtATime) {
  std::string ran;
  {
    WorkerPool pool(WorkerPool::kByHand);
    EXPECT_EQ(pool.threads(), 0);
    EXPECT_FALSE(pool.run_one());
    pool.submit(Lane::kSlow, [&ran] { ran += 's'; });
    pool.submit(Lane::kInteractive, [&] {
      ran += 'q';
      pool.submit(Lane::kInteractive, [&ran] { ran += 'n'; });
    });
    EXPECT_EQ(ran, "");
    EXPECT_TRUE(pool.run_one());
    EXPECT_EQ(ran, "q");
    EXPECT_TRUE(pool.run_one());
    EXPECT_TRUE(pool.run_one());
    EXPECT_EQ(ran, "qns");
    EXPECT_FALSE(pool.run_one());
    pool.submit(Lane::kSlow, [&ran] { ran += 'e'; });
  }
  EXPECT_EQ(ran, "qnse");  // before it is gone
}

// With slow tasks that never end by themselves, quick ones still run: all of them.
TEST(WorkerPool, SlowTasksLeaveWorkersToQuickOnes) {
  for (const int threads : {2, 3, 4}) {
    std::counting_semaphore<> open(0);
    std::counting_semaphore<> quick(0);
    std::atomic<int> slow_now{0};
    std::atomic<int> most_slow{0};
    {
      WorkerPool pool(threads);
      for (int i = 0; i < 8; ++i) {
        pool.submit(Lane::kSlow, [&] {
          const int now = ++slow_now;
          int most = most_slow;
          while (now > most && !most_slow.compare_exchange_weak(most, now)) {
          }
          open.acquire();
          --slow_now;
        });
      }
      for (int i = 0; i < 300; ++i) pool.submit(Lane::kInteractive, [&quick] { quick.release(); });
      for (int i = 0; i < 300; ++i) {
        ASSERT_TRUE(quick.try_acquire_for(std::chrono::seconds(60))) << threads;
      }
      open.release(8);
    }
    EXPECT_LE(most_slow, threads / 2);
    EXPECT_EQ(slow_now, 0);
  }
}

// Quick tasks without end do not keep slow ones out.
TEST(WorkerPool, SlowTasksGetTheirTurn) {
  std::atomic<bool> stop{false};
  std::binary_semaphore done(0);
  WorkerPool* to = nullptr;
  const std::function<void()> again = [&] {
    if (!stop) to->submit(Lane::kInteractive, again);
  };
  {
    WorkerPool pool(2);
    to = &pool;
    for (int i = 0; i < 4; ++i) pool.submit(Lane::kInteractive, again);
    pool.submit(Lane::kSlow, [&done] { done.release(); });
    EXPECT_TRUE(done.try_acquire_for(std::chrono::seconds(60)));
    stop = true;
  }
}

// Keys in turn, and what is of one key in order: against a plain list of queues.
TEST(TaskQueue, ServesKeysInTurn) {
  const std::vector<int> whose(7);
  std::mt19937_64 random(17);
  TaskQueue queue;
  struct KeyTasks {
    std::size_t key = 0;
    std::deque<int> tasks;
  };
  std::deque<KeyTasks> model;
  int made = 0;
  int ran = -1;
  for (int round = 0; round < 20'000; ++round) {
    TaskQueue::Tasks tasks;
    for (std::uint64_t many = random() % 3 == 0 ? random() % 9 : 0; many > 0; --many) {
      const std::size_t key = random() % whose.size();
      tasks.push_back({[&ran, number = made] { ran = number; }, &whose[key]});
      auto found = std::find_if(model.begin(), model.end(),
                                [&](const KeyTasks& other) { return other.key == key; });
      if (found == model.end()) found = model.insert(found, {key, {}});
      found->tasks.push_back(made++);
    }
    queue.add(tasks);
    EXPECT_TRUE(tasks.empty());
    ASSERT_EQ(queue.empty(), model.empty());
    if (model.empty()) continue;
    KeyTasks next = model.front();
    model.pop_front();
    queue.take().front().task();
    ASSERT_EQ(ran, next.tasks.front());
    next.tasks.pop_front();
    if (!next.tasks.empty()) model.push_back(std::move(next));
  }
  EXPECT_GT(made, 20'000);
}

// A thousand tasks of one key wait, then come two of another: each is behind one only.
TEST(WorkerPool, ManyTasksOfOneKeyDelayNoOther) {
  const int crowd = 0;
  const int other = 0;
  for (const Lane lane : {Lane::kInteractive, Lane::kSlow}) {
    std::latch ready(lane == Lane::kInteractive ? 2 : 1);
    std::latch go(1);
    std::latch end(1);
    std::vector<char> order;  // by the one worker that is left
    {
      WorkerPool pool(2);
      if (lane == Lane::kInteractive) {
        pool.submit(Lane::kSlow, [&] { ready.count_down(), end.wait(); });
      }
      pool.submit(lane, [&] { ready.count_down(), go.wait(); });
      ready.wait();
      TaskQueue::Tasks many(1000, {[&order] { order.push_back('c'); }, &crowd});
      pool.submit_all(lane, std::move(many));
      for (int i = 0; i < 2; ++i)
        pool.submit(
            lane, [&order] { order.push_back('o'); }, &other);
      go.count_down();
      pool.submit(
          lane, [&end] { end.count_down(); }, &crowd);
    }
    ASSERT_EQ(order.size(), 1002U);
    EXPECT_EQ(std::string(order.begin(), order.begin() + 5), "cococ");
  }
}

TEST(WorkerPool, LetsGoOfATaskOnceItHasRun) {
  WorkerPool pool(2);
  auto held = std::make_shared<int>(1);
  const std::weak_ptr<int> watch = held;
  pool.submit(Lane::kInteractive, [held = std::move(held)] {});
  for (int i = 0; i < 2000 && !watch.expired(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(watch.expired());
}

// What a task holds may use the pool when it goes: no lock is held then.
TEST(WorkerPool, WhatATaskHoldsMaySubmit) {
  std::binary_semaphore done(0);
  WorkerPool pool(2);
  {
    std::shared_ptr<int> held(new int(1), [&pool, &done](const int* value) {
      delete value;
      pool.submit(Lane::kInteractive, [&done] { done.release(); });
    });
    pool.submit(Lane::kInteractive, [held = std::move(held)] {});
  }
  EXPECT_TRUE(done.try_acquire_for(std::chrono::seconds(60)));
}

}  // namespace
}  // namespace tocsin::service::worker_pool_test
