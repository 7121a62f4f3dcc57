// Many sessions on real threads: limits, ids, batches, expiry.
#include "service/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "service/engine_fixture.h"

namespace tocsin::service::engine_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Clock;
using test::EngineTest;
using test::frame_of;
using test::RandomTake;
using test::WaitingOutlet;
using test::walk;

TEST_F(EngineTest, ManySessionsDisturbEachOtherInNothing) {
  for (const milliseconds delay : {milliseconds(0), milliseconds(2)}) {
    EngineOptions engine_options;
    engine_options.threads = 3;
    engine_options.batch_delay = delay;
    engine_options.batch_size = 8;
    Engine engine(engine_options, rooms_);
    std::vector<std::unique_ptr<test::EngineClient>> clients;
    for (std::size_t i = 0; i < 24; ++i) {
      clients.push_back(std::make_unique<test::EngineClient>(engine, anyone_, take_[i % 2],
                                                             options(i % 2), 100 + i));
    }
    std::vector<std::thread> threads;
    threads.reserve(clients.size());
    for (auto& client : clients) threads.emplace_back([&client] { client->run(); });
    EngineCounts now;
    for (int i = 0; i < 20; ++i) now = engine.counts();
    for (std::thread& thread : threads) thread.join();
    std::size_t contacts = 0;
    std::uint64_t steps = 0;
    std::uint64_t skipped = 0;
    int resumes = 0;
    for (std::size_t i = 0; i < clients.size(); ++i) {
      const test::EngineClient& client = *clients[i];
      ASSERT_TRUE(client.ended_);
      const TrackEnded& ended = *client.ended_;
      EXPECT_EQ(ended.steps, client.reports_.size());
      EXPECT_EQ(client.offered_, ended.steps + 1 + ended.skipped_frames + ended.stale_frames +
                                     ended.duplicate_frames);
      contacts += client.compare(*room("room" + std::to_string(i % 2)));
      resumes += client.resumes_;
      steps += ended.steps;
      skipped += ended.skipped_frames;
    }
    EXPECT_GT(contacts, 50U);
    EXPECT_GT(resumes, 20);
    const EngineCounts counts = engine.counts();
    EXPECT_EQ(counts.sessions, 0U);
    EXPECT_EQ(counts.opened, clients.size());
    EXPECT_EQ(counts.steps, steps);
    EXPECT_EQ(counts.skipped_frames, skipped);
    EXPECT_EQ(counts.contacts, contacts);
    EXPECT_EQ(anyone_->used->sessions, 0U);
    EXPECT_EQ(engine.close(seconds(1)), 0U);
  }
}

/// Of a crowd whose avatars are equal there is one; those that differ in anything have their own.
TEST_F(EngineTest, EqualAvatarsAreOne) {
  Engine engine({}, rooms_);
  WaitingOutlet outlet;
  const std::shared_ptr<Outlet> stream(&outlet, [](Outlet*) {});
  std::vector<std::shared_ptr<Session>> sessions;
  const auto open = [&](const TrackOptions& asked) {
    auto session = engine.open(anyone_, asked, stream, opened_, problem_);
    EXPECT_NE(session, nullptr) << problem_.message;
    if (session) sessions.push_back(session);
    return session ? session->identity().avatar.links().data() : nullptr;
  };
  const Link* const first = open(options());
  EXPECT_EQ(open(options()), first);
  TrackOptions other = options();
  ASSERT_TRUE(other.model);
  other.model->links.back().radius += 1e-12;
  EXPECT_NE(open(other), first);
  other = options();
  std::vector<Joint> joints(other.skeleton.joints().begin(), other.skeleton.joints().end());
  joints.back().rest.translation.x += 1e-12;
  const Link* const before = open(options());
  other.skeleton = *Skeleton::create(joints);
  EXPECT_NE(open(other), before);
  EXPECT_NE(open(options(1)), before);
  EXPECT_EQ(sessions.size(), 6U);
  for (const auto& session : sessions) session->detach(&outlet, Detach::kForGood);
  sessions.clear();
  EXPECT_EQ(engine.close(seconds(1)), 0U);
}

/// Sessions that are scheduled together: each once, and then what is behind them.
TEST_F(EngineTest, WhatIsBehindAGroupRunsAfterIt) {
  EngineOptions engine_options;
  engine_options.threads = WorkerPool::kByHand;
  Engine engine(engine_options, rooms_);
  std::vector<std::shared_ptr<WaitingOutlet>> outlets;
  std::vector<std::shared_ptr<Session>> sessions;
  for (int i = 0; i < 3; ++i) {
    outlets.push_back(std::make_shared<WaitingOutlet>());
    sessions.push_back(engine.open(anyone_, options(), outlets.back(), opened_, problem_));
    ASSERT_TRUE(sessions.back()) << problem_.message;
  }
  int behind = 0;
  const auto offer = [&](std::int64_t k) {
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      bool due = false;
      ASSERT_FALSE(
          sessions[i]->offer(outlets[i].get(), frame_of(take_[0].motion, k), Clock::now(), due));
      EXPECT_TRUE(due);
    }
    engine.schedule(sessions, [&] { ++behind; });
  };
  const auto covered = [&](std::size_t i) { return sessions[i]->counts().frames.covered; };
  for (std::int64_t k = 0; k < 4; ++k) {
    offer(k);
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      EXPECT_EQ(behind, static_cast<int>(k));
      EXPECT_EQ(covered(i), static_cast<std::uint64_t>(k));
      EXPECT_TRUE(engine.run_one());
      EXPECT_EQ(covered(i), static_cast<std::uint64_t>(k + 1));
    }
    EXPECT_TRUE(engine.run_one());
    EXPECT_EQ(behind, static_cast<int>(k + 1));
    EXPECT_FALSE(engine.run_one());
  }
  engine.close(milliseconds(0));
  engine.schedule({}, [&] { ++behind; });
  EXPECT_EQ(behind, 5);
}

TEST_F(EngineTest, LimitsAreNamed) {
  EngineOptions engine_options;
  engine_options.most_sessions = 3;
  Engine engine(engine_options, rooms_);
  const auto open = [&](const std::shared_ptr<Principal>& who, const TrackOptions& what) {
    return engine.open(who, what, std::make_shared<WaitingOutlet>(), opened_, problem_);
  };
  const auto refused_with = [&](Refusal refusal, const char* part) {
    EXPECT_EQ(problem_.refusal, refusal) << problem_.message;
    EXPECT_NE(problem_.message.find(part), std::string::npos) << problem_.message;
  };
  TrackOptions elsewhere = options();
  elsewhere.environment = "cellar";
  EXPECT_FALSE(open(anyone_, elsewhere));
  refused_with(Refusal::kNotFound, "cellar");

  const auto modest = somebody("modest");
  modest->limits.sessions = 1;
  modest->limits.links = 5;
  const auto first = open(modest, options());
  ASSERT_TRUE(first);
  EXPECT_FALSE(open(modest, options()));
  refused_with(Refusal::kOverloaded, "\"modest\" has 1 sessions");
  EXPECT_EQ(room("room0")->sessions, 1U);

  const auto small = somebody("small");
  small->limits.links = 4;
  EXPECT_FALSE(open(small, options()));
  refused_with(Refusal::kOverloaded, "5 links; the limit is 4");
  EXPECT_EQ(small->used->sessions, 0U);

  ASSERT_TRUE(open(anyone_, options(1)));
  ASSERT_TRUE(open(anyone_, options(1)));
  EXPECT_FALSE(open(anyone_, options(1)));
  refused_with(Refusal::kOverloaded, "3 sessions already");
  EXPECT_EQ(room("room1")->sessions, 2U);
  EXPECT_EQ(engine.counts().sessions, 3U);
  EXPECT_EQ(engine.counts().attached, 3U);
}

TEST_F(EngineTest, IdsAreSecretsOfTheirOwners) {
  Engine engine({}, rooms_);
  std::set<std::string> ids;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(
        engine.open(anyone_, options(), std::make_shared<WaitingOutlet>(), opened_, problem_));
    EXPECT_EQ(opened_.session_id.size(), 32U);
    EXPECT_EQ(opened_.session_id.find_first_not_of("0123456789abcdef"), std::string::npos);
    ids.insert(opened_.session_id);
  }
  EXPECT_EQ(ids.size(), 20U);
  const auto resume = [&](const std::shared_ptr<Principal>& who, const std::string& id) {
    return engine.resume(who, id, 0, std::make_shared<WaitingOutlet>(), opened_, problem_);
  };
  const auto thief = somebody("thief");
  EXPECT_FALSE(resume(thief, *ids.begin()));
  const Problem stolen = problem_;
  EXPECT_FALSE(resume(anyone_, std::string(32, '0')));
  EXPECT_EQ(stolen.refusal, Refusal::kNotFound);
  EXPECT_EQ(stolen.refusal, problem_.refusal);
  EXPECT_EQ(stolen.message, problem_.message) << "tells that the session is there";
  EXPECT_FALSE(resume(anyone_, ""));
  EXPECT_TRUE(resume(anyone_, *ids.begin()));
}

TEST_F(EngineTest, HandsOutARoomsSessionsTogether) {
  EngineOptions engine_options;
  engine_options.batch_size = 4;
  engine_options.batch_delay = seconds(20);  // that it is full counts, not the time
  Engine engine(engine_options, rooms_);
  struct Walker {
    std::shared_ptr<WaitingOutlet> outlet = std::make_shared<WaitingOutlet>();
    std::shared_ptr<Session> session;
  };
  std::vector<Walker> walkers(7);
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    const std::size_t in = i < 4 ? 0 : 1;
    Walker& walker = walkers[i];
    walker.session = engine.open(anyone_, options(in), walker.outlet, opened_, problem_);
    ASSERT_TRUE(walker.session);
  }
  for (std::int64_t k = 0; k < 2; ++k) {
    for (std::size_t i = 0; i < walkers.size(); ++i) {
      const RandomTake& take = take_[i < 4 ? 0 : 1];
      EXPECT_FALSE(walkers[i].session->offer(walkers[i].outlet.get(), frame_of(take.motion, k),
                                             Clock::now()));
    }
    // The first pose makes no report: it is checked once the session is idle again.
    const auto end = Clock::now() + seconds(60);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto steps = static_cast<std::uint64_t>(k);
      const auto is_through = [&, &session = *walkers[i].session] {
        return session.counts().steps == steps && session.counts().pending_frames == 0 &&
               (steps > 0 || !session.counts().working);
      };
      while (!is_through() && Clock::now() < end) {
        std::this_thread::sleep_for(milliseconds(1));
      }
    }
  }
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    const auto reports = walkers[i].session->pull(walkers[i].outlet.get(), 10);
    ASSERT_EQ(reports.size(), i < 4 ? 1U : 0U) << "three sessions are no batch of four";
    if (i < 4) {
      EXPECT_EQ(reports[0].timing.batch, 4U);
    }
  }
  EXPECT_EQ(engine.close(seconds(0)), 6U) << "two frames of each of the three";
}

TEST_F(EngineTest, ABatchWaitsNoLongerThanItMay) {
  EngineOptions engine_options;
  engine_options.batch_size = 100;
  engine_options.batch_delay = milliseconds(5);
  Engine engine(engine_options, rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = engine.open(anyone_, options(), outlet, opened_, problem_);
  ASSERT_TRUE(session);
  const auto reports = walk(*session, *outlet, take_[0], 5);
  ASSERT_EQ(reports.size(), 5U);
  for (const TrackReport& report : reports) {
    EXPECT_EQ(report.timing.batch, 1U);
    EXPECT_GE(report.timing.waited, 5000.0);
  }
}

TEST_F(EngineTest, SessionsWithoutAStreamExpire) {
  EngineOptions engine_options;
  engine_options.limits.ttl = 0.05;
  Engine engine(engine_options, rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto kept = std::make_shared<WaitingOutlet>();
  const auto session = engine.open(anyone_, options(), outlet, opened_, problem_);
  const std::string id = opened_.session_id;
  const auto other = engine.open(anyone_, options(), kept, opened_, problem_);
  ASSERT_TRUE(session && other);
  session->detach(outlet.get());
  const auto end = Clock::now() + seconds(60);
  while (engine.counts().expired == 0 && Clock::now() < end) {
    std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_EQ(engine.counts().expired, 1U);
  EXPECT_EQ(engine.counts().sessions, 1U);
  EXPECT_EQ(anyone_->used->sessions, 1U);
  EXPECT_FALSE(engine.resume(anyone_, id, 0, outlet, opened_, problem_));
  EXPECT_EQ(problem_.refusal, Refusal::kNotFound);
  EXPECT_FALSE(kept->problem());
  EXPECT_EQ(walk(*other, *kept, take_[0], 5).size(), 5U);
}

}  // namespace
}  // namespace tocsin::service::engine_test
