// The end of the service: what is pending, who still reads, and what is left behind.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "service/engine.h"
#include "service/engine_fixture.h"

namespace tocsin::service::engine_close_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Clock;
using test::EngineTest;
using test::frame_of;
using test::WaitingOutlet;
using test::walk;

TEST_F(EngineTest, ClosesUnderLoad) {
  EngineOptions two_threads;
  two_threads.threads = 2;
  auto engine = std::make_unique<Engine>(two_threads, rooms_);
  std::vector<std::unique_ptr<test::EngineClient>> clients;
  for (std::size_t i = 0; i < 12; ++i) {
    clients.push_back(std::make_unique<test::EngineClient>(*engine, anyone_, take_[i % 2],
                                                           options(i % 2), 200 + i));
  }
  std::vector<std::thread> threads;
  threads.reserve(clients.size());
  for (auto& client : clients) threads.emplace_back([&client] { client->run(); });
  const auto end = Clock::now() + seconds(60);
  while (engine->counts().steps < 60 && Clock::now() < end) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(engine->close(seconds(120)), 0U) << "steps were left, and there was time";
  EXPECT_EQ(engine->counts().sessions, 0U);
  EXPECT_FALSE(
      engine->open(anyone_, options(), std::make_shared<WaitingOutlet>(), opened_, problem_));
  EXPECT_EQ(problem_.refusal, Refusal::kClosing);
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < clients.size(); ++i) {
    EXPECT_TRUE(clients[i]->closed_ || clients[i]->ended_);
    clients[i]->compare(*room("room" + std::to_string(i % 2)));
  }
  EXPECT_EQ(anyone_->used->sessions, 0U);
}

TEST_F(EngineTest, SessionsMayOutliveIt) {
  auto engine = std::make_unique<Engine>(EngineOptions{}, rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = engine->open(anyone_, options(), outlet, opened_, problem_);
  ASSERT_TRUE(session);
  for (std::int64_t k = 0; k < 10; ++k) {
    EXPECT_FALSE(session->offer(outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
  }
  engine.reset();
  ASSERT_TRUE(outlet->problem());
  EXPECT_EQ(outlet->problem()->refusal, Refusal::kClosing);
  EXPECT_LE(session->pull(outlet.get(), 100).size(), 9U);
  EXPECT_FALSE(session->offer(outlet.get(), frame_of(take_[0].motion, 11), Clock::now()));
  session->finish(outlet.get());
  EXPECT_FALSE(session->ended(outlet.get()));
  session->detach(outlet.get());
}

TEST_F(EngineTest, RecordsDoNotTellIds) {
  EngineOptions engine_options;
  engine_options.record = folder_.path() / "records";
  engine_options.record_rules.reserve = 0;  // however full the disk is
  Engine engine(engine_options, rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = engine.open(anyone_, options(), outlet, opened_, problem_);
  ASSERT_TRUE(session) << problem_.message;
  const std::string id = opened_.session_id;
  EXPECT_EQ(walk(*session, *outlet, take_[0], 9).size(), 9U);
  engine.close(seconds(1));
  std::set<std::string> kinds;
  for (const auto& entry : std::filesystem::directory_iterator(engine_options.record)) {
    EXPECT_EQ(entry.path().string().find(id), std::string::npos);
    kinds.insert(entry.path().extension().string());
  }
  EXPECT_TRUE(kinds.contains(".poses"));
  EXPECT_TRUE(kinds.contains(".jsonl"));
}

/// Until it is so; false if that takes a minute.
template <class Holds>
bool wait_until(const Holds& holds) {
  const auto end = Clock::now() + seconds(60);
  while (!holds()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

// What is checked but not pulled is the client's: it has the rest of the time limit for it.
TEST_F(EngineTest, ClosesOnlyWhenReportsAreTaken) {
  Engine engine({}, rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = engine.open(anyone_, options(), outlet, opened_, problem_);
  ASSERT_TRUE(session);
  for (std::int64_t k = 0; k < 10; ++k) {
    EXPECT_FALSE(session->offer(outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
  }
  ASSERT_TRUE(wait_until([&] { return session->counts().steps == 9; }));
  std::thread closer([&] { EXPECT_EQ(engine.close(seconds(120)), 0U); });
  const auto second = std::make_shared<WaitingOutlet>();
  EXPECT_TRUE(wait_until([&] {
    return !engine.resume(anyone_, "no session", 0, second, opened_, problem_) &&
           problem_.refusal == Refusal::kClosing;
  }));
  for (int i = 0; i < 9; ++i) {
    EXPECT_TRUE(session->counts().working);
    EXPECT_FALSE(outlet->problem()) << "told its end before it had report " << i;
    EXPECT_EQ(session->pull(outlet.get(), 1).size(), 1U);
  }
  closer.join();
  ASSERT_TRUE(outlet->problem());
  EXPECT_EQ(outlet->problem()->refusal, Refusal::kClosing);
}

TEST_F(EngineTest, WhoDoesNotReadIsNotWaitedForLongerThanItMay) {
  Engine engine({}, rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = engine.open(anyone_, options(), outlet, opened_, problem_);
  ASSERT_TRUE(session);
  for (std::int64_t k = 0; k < 10; ++k) {
    EXPECT_FALSE(session->offer(outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
  }
  ASSERT_TRUE(wait_until([&] { return session->counts().steps == 9; }));
  const auto begin = Clock::now();
  EXPECT_EQ(engine.close(milliseconds(50)), 0U);
  EXPECT_GE(Clock::now() - begin, milliseconds(50));
  ASSERT_TRUE(outlet->problem());
  EXPECT_EQ(session->pull(outlet.get(), 100).size(), 9U);
}

}  // namespace
}  // namespace tocsin::service::engine_close_test
