// What watchers of an engine are told, without a network: all of it, or how much they missed.
#include "service/watch/watch_hub.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "service/engine_fixture.h"

namespace tocsin::test::watch_hub_test {
namespace {

using service::EngineOptions;
using service::WatchedNow;
using service::WatchFilter;
using service::WatchHub;
using service::WatchItem;
using service::WatchStep;
using service::WatchTaken;

constexpr std::size_t kAll = SIZE_MAX;

WatchFilter filter_of(const Principal& who) { return {who.name, who.circle(), {}, {}}; }

class WatchHubTest : public EngineTest {
 protected:
  std::shared_ptr<Session> open(Engine& engine, const std::shared_ptr<Principal>& who,
                                const std::shared_ptr<Outlet>& outlet, TrackOptions what) {
    auto out = engine.open(who, what, outlet, opened_, problem_);
    EXPECT_TRUE(out) << problem_.message;
    return out;
  }
};

EngineOptions by_hand() {
  EngineOptions out;
  out.threads = service::WorkerPool::kByHand;
  return out;
}

/// What one was told of one session.
struct Heard {
  std::size_t begins = 0;
  std::vector<WatchStep> steps;
  std::vector<bool> streams;
  std::vector<WatchedEnd> ends;
};

void hear(WatchTaken taken, std::map<std::string, Heard>& out) {
  for (const auto& item : taken.items) {
    Heard& of = out[item->subject->name];
    EXPECT_TRUE(of.ends.empty()) << "something after the end";
    if (std::holds_alternative<WatchedNow>(item->what)) ++of.begins;
    if (const auto* step = std::get_if<WatchStep>(&item->what)) of.steps.push_back(*step);
    if (const auto* stream = std::get_if<WatchedStream>(&item->what)) {
      of.streams.push_back(stream->attached);
    }
    if (const auto* end = std::get_if<WatchedEnd>(&item->what)) of.ends.push_back(*end);
  }
}

void expect_same_report(const TrackReport& a, const TrackReport& b) {
  EXPECT_EQ(a.from, b.from);
  EXPECT_EQ(a.to, b.to);
  EXPECT_EQ(a.skipped, b.skipped);
  EXPECT_EQ(a.result.step, b.result.step);
  EXPECT_EQ(a.result.contacts, b.result.contacts);
  EXPECT_EQ(a.result.safe_until, b.result.safe_until);
  EXPECT_EQ(a.stale_frames, b.stale_frames);
  EXPECT_EQ(a.duplicate_frames, b.duplicate_frames);
  ASSERT_EQ(a.names.size(), b.names.size());
  for (std::size_t i = 0; i < a.names.size(); ++i) {
    EXPECT_EQ(a.names[i].link, b.names[i].link);
    EXPECT_EQ(a.names[i].object, b.names[i].object);
  }
}

TEST_F(WatchHubTest, TellsWhatTheSessionsOwnClientIsTold) {
  EngineOptions engine_options;
  engine_options.threads = service::WorkerPool::kByHand;
  Engine engine(engine_options, rooms_);
  const auto run = [&] {
    while (engine.run_one()) {
    }
  };
  EXPECT_FALSE(engine.watch().is_watched());
  auto outlet = std::make_shared<FakeOutlet>();
  const auto before = open(engine, anyone_, std::make_shared<FakeOutlet>(), options());
  std::atomic<int> wakes{0};
  auto watcher = engine.watch().watch(filter_of(*anyone_), [&] { ++wakes; });
  ASSERT_TRUE(watcher);
  EXPECT_TRUE(engine.watch().is_watched());
  const auto session = open(engine, anyone_, outlet, options());
  const std::string id = opened_.session_id;
  EXPECT_EQ(wakes, 1) << "it has begun";
  std::vector<TrackReport> own;
  for (std::int64_t k = 0; k < 20; ++k) {
    if (k % 5 == 4) continue;  // and an old one, and one twice
    ASSERT_FALSE(session->offer(outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
    if (k % 3 == 0) {
      ASSERT_FALSE(session->offer(outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
    }
    run();
    for (TrackReport& report : session->pull(outlet.get(), 100)) own.push_back(std::move(report));
  }
  session->detach(outlet.get());
  outlet = std::make_shared<FakeOutlet>();
  ASSERT_FALSE(session->attach(outlet, own.size(), opened_));
  session->finish(outlet.get());
  run();
  const auto ended = session->ended(outlet.get());
  ASSERT_TRUE(ended);

  std::map<std::string, Heard> heard;
  WatchTaken taken = watcher->take(kAll);
  EXPECT_EQ(taken.dropped, 0U);
  EXPECT_FALSE(taken.closed);
  hear(std::move(taken), heard);
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard.at(before->subject()->name).begins, 1U);
  const Heard& of = heard.at(session->subject()->name);
  EXPECT_EQ(session->subject()->name, session->identity().shown());
  EXPECT_EQ(of.begins, 1U);
  ASSERT_EQ(of.steps.size(), own.size());
  ASSERT_GT(own.size(), 10U);
  std::size_t contacts = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    expect_same_report(of.steps[i].report, own[i]);
    contacts += own[i].result.contacts.size();
    ASSERT_TRUE(of.steps[i].step);
    for (const bool last : {false, true}) {
      const auto frame = static_cast<std::int64_t>((last ? own[i].to : own[i].from).id);
      const auto pose = take_[0].motion.pose(frame);
      const auto told = last ? of.steps[i].step->pose1() : of.steps[i].step->pose0();
      EXPECT_TRUE(std::equal(pose.begin(), pose.end(), told.begin(), told.end()));
    }
  }
  EXPECT_GT(contacts, 0U);
  EXPECT_GT(own.back().stale_frames + own.back().duplicate_frames, 0U);
  EXPECT_EQ(of.streams, (std::vector<bool>{false, true}));
  ASSERT_EQ(of.ends.size(), 1U);
  EXPECT_TRUE(of.ends[0].reported);
  EXPECT_EQ(of.ends[0].cause, "");
  ASSERT_TRUE(of.ends[0].totals);
  EXPECT_EQ(of.ends[0].totals->steps, ended->steps);
  EXPECT_EQ(of.ends[0].totals->contacts, ended->contacts);
  EXPECT_EQ(of.ends[0].totals->duplicate_frames, ended->duplicate_frames);

  engine.close(milliseconds(0));
  taken = watcher->take(kAll);
  ASSERT_EQ(taken.items.size(), 1U);
  EXPECT_EQ(std::get<WatchedEnd>(taken.items[0]->what).cause, "the server is shutting down");
  EXPECT_TRUE(taken.closed);
  EXPECT_GT(wakes, 0);
}

TEST_F(WatchHubTest, TellsThoseWhoMaySee) {
  EngineOptions engine_options;
  engine_options.threads = service::WorkerPool::kByHand;
  engine_options.meet_rate = 0.0;
  Engine engine(engine_options, rooms_);
  const auto ann = somebody("ann");
  const auto bob = somebody("bob");
  const auto eve = somebody("eve");
  ann->shares = bob->shares = "film";
  TrackOptions meets = options();
  meets.meet = true;
  const auto alone = open(engine, ann, std::make_shared<FakeOutlet>(), options());
  const auto met = open(engine, ann, std::make_shared<FakeOutlet>(), meets);
  const auto there = open(engine, ann, std::make_shared<FakeOutlet>(), options(1));
  const auto names_for = [&](WatchFilter filter) {
    const auto watcher = engine.watch().watch(std::move(filter), [] {});
    std::vector<std::string> out;
    for (const auto& item : watcher->take(kAll).items) out.push_back(item->subject->name);
    std::sort(out.begin(), out.end());
    return out;
  };
  const auto sorted = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return names;
  };
  const auto name = [](const auto& session) { return session->subject()->name; };
  EXPECT_EQ(names_for(filter_of(*ann)), sorted({name(alone), name(met), name(there)}));
  EXPECT_EQ(names_for(filter_of(*bob)), sorted({name(met)})) << "that it could meet";
  EXPECT_TRUE(names_for(filter_of(*eve)).empty());
  WatchFilter of_room = filter_of(*ann);
  of_room.room = {"", "room1"};
  EXPECT_EQ(names_for(of_room), sorted({name(there)}));
  WatchFilter named = filter_of(*ann);
  named.sessions = {name(alone), "nobody"};
  EXPECT_EQ(names_for(named), sorted({name(alone)}));
  EXPECT_EQ(engine.watch().find(filter_of(*eve), name(met)), nullptr);
  EXPECT_EQ(engine.watch().find(filter_of(*bob), name(met)), met->subject());

  std::vector<std::unique_ptr<WatchHub::Watcher>> watchers;
  for (std::size_t i = 0; i < WatchHub::kMostOfOne; ++i) {
    watchers.push_back(engine.watch().watch(filter_of(*ann), [] {}));
    EXPECT_TRUE(watchers.back());
  }
  EXPECT_FALSE(engine.watch().watch(filter_of(*ann), [] {}));
  EXPECT_TRUE(engine.watch().watch(filter_of(*bob), [] {}));
  watchers.pop_back();
  EXPECT_TRUE(engine.watch().watch(filter_of(*ann), [] {}));
  EXPECT_EQ(engine.watch().watchers(), WatchHub::kMostOfOne - 1);
}

TEST_F(WatchHubTest, CountsWhatASlowWatcherMissesAndTellsHowItIsThen) {
  EngineOptions engine_options;
  engine_options.threads = service::WorkerPool::kByHand;
  Engine engine(engine_options, rooms_);
  WatchHub& hub = engine.watch();
  const auto session = open(engine, anyone_, std::make_shared<FakeOutlet>(), options());
  const auto gone = open(engine, anyone_, std::make_shared<FakeOutlet>(), options());
  const auto slow = hub.watch(filter_of(*anyone_), [] {});
  const auto quick = hub.watch(filter_of(*anyone_), [] {});
  ASSERT_EQ(slow->take(kAll).items.size(), 2U);
  WatchStep large;
  large.report.result.clearances.resize(WatchHub::kMostWaiting / 4 / sizeof(double));
  std::size_t got = 0;
  for (int i = 0; i < 6; ++i) {
    hub.publish(session->subject(), large);
    got += quick->take(kAll).items.size();
  }
  EXPECT_EQ(got, 2U + 6U);
  ASSERT_TRUE(engine.end_session(gone->subject()->name));
  const auto come = open(engine, anyone_, std::make_shared<FakeOutlet>(), options());

  WatchTaken taken = slow->take(1);
  EXPECT_EQ(taken.items.size(), 1U) << "one at least";
  EXPECT_EQ(taken.dropped, 0U) << "what waits comes before what is missing";
  hub.publish(session->subject(), WatchStep{});  // there is room for it, but not before
  taken = slow->take(kAll);
  EXPECT_EQ(taken.items.size(), 2U);
  EXPECT_EQ(taken.dropped, 3U + 1U + 1U + 1U) << "steps, an end, a beginning, a step";
  EXPECT_EQ(hub.dropped(), 6U);
  std::vector<std::string> now;
  for (const WatchedNow& one : taken.now) now.push_back(one.subject->name);
  std::sort(now.begin(), now.end());
  std::vector<std::string> want{session->subject()->name, come->subject()->name};
  std::sort(want.begin(), want.end());
  EXPECT_EQ(now, want);
  hub.publish(session->subject(), WatchStep{});
  taken = slow->take(kAll);
  EXPECT_EQ(taken.items.size(), 1U) << "it goes on";
  EXPECT_EQ(taken.dropped, 0U);
}

TEST_F(WatchHubTest, WhatIsMissedWakesToo) {
  Engine engine(by_hand(), rooms_);
  WatchHub& hub = engine.watch();
  const auto session = open(engine, anyone_, std::make_shared<FakeOutlet>(), options());
  int wakes = 0;
  const auto watcher = hub.watch(filter_of(*anyone_), [&] { ++wakes; });
  EXPECT_EQ(watcher->take(kAll).items.size(), 1U);
  hub.miss(*session->subject());
  EXPECT_EQ(wakes, 1) << "else it would sleep for ever: what comes is dropped, too";
  hub.publish(session->subject(), WatchStep{});
  EXPECT_EQ(wakes, 2) << "again: there may have been no memory for an alarm";
  WatchTaken taken = watcher->take(kAll);
  EXPECT_EQ(taken.items.size(), 0U);
  EXPECT_EQ(taken.dropped, 2U);
  hub.publish(session->subject(), WatchStep{});
  EXPECT_EQ(watcher->take(kAll).items.size(), 1U);
}

TEST_F(WatchHubTest, ASessionEndsOnlyItself) {
  Engine engine(by_hand(), rooms_);
  WatchHub& hub = engine.watch();
  const auto session = open(engine, anyone_, std::make_shared<FakeOutlet>(), options());
  // As if the session was taken over while its last owner has not let it go yet.
  const auto next = std::make_shared<const service::WatchSubject>(*session->subject());
  hub.begin(next, true);
  hub.attach(*session->subject(), false);
  hub.end(*session->subject(), {});
  EXPECT_EQ(hub.find(filter_of(*anyone_), next->name), next);
  const auto watcher = hub.watch(filter_of(*anyone_), [] {});
  const WatchTaken taken = watcher->take(kAll);
  ASSERT_EQ(taken.items.size(), 1U);
  EXPECT_TRUE(std::get<WatchedNow>(taken.items[0]->what).attached);
  hub.end(*next, {});
  EXPECT_EQ(hub.find(filter_of(*anyone_), next->name), nullptr);
}

TEST_F(WatchHubTest, OnlyWatchedSessionsTakeTheLock) {
  Engine engine(by_hand(), rooms_);
  WatchHub& hub = engine.watch();
  const auto one = open(engine, anyone_, std::make_shared<FakeOutlet>(), options());
  const auto other = open(engine, anyone_, std::make_shared<FakeOutlet>(), options());
  service::WatchMark of_one;
  service::WatchMark of_other;
  EXPECT_FALSE(hub.is_watched(*one->subject(), of_one));
  WatchFilter named = filter_of(*anyone_);
  named.sessions = {one->subject()->name};
  auto first = hub.watch(named, [] {});
  EXPECT_TRUE(hub.is_watched(*one->subject(), of_one));
  EXPECT_FALSE(hub.is_watched(*other->subject(), of_other));
  EXPECT_GT(of_other.change, 0U);
  const std::uint64_t seen = of_other.change;
  EXPECT_FALSE(hub.is_watched(*other->subject(), of_other));
  EXPECT_EQ(of_other.change, seen) << "it need not look again";
  named.sessions = {other->subject()->name};
  const auto second = hub.watch(named, [] {});
  EXPECT_TRUE(hub.is_watched(*one->subject(), of_one)) << "by one of two";
  EXPECT_TRUE(hub.is_watched(*other->subject(), of_other));
  first.reset();
  EXPECT_FALSE(hub.is_watched(*one->subject(), of_one));
  EXPECT_TRUE(hub.is_watched(*other->subject(), of_other));
}

TEST_F(WatchHubTest, WhatWaitsIsBoundedAndKeepsNoRoom) {
  Engine engine(by_hand(), rooms_);
  WatchHub& hub = engine.watch();
  const std::weak_ptr<const Room> there = room("room0");
  const auto owners = there.use_count();
  const auto deaf = hub.watch(filter_of(*anyone_), [] {});
  auto session = open(engine, anyone_, std::make_shared<FakeOutlet>(), options());
  EXPECT_GT(there.use_count(), owners);
  const auto subject = session->subject();
  ASSERT_TRUE(engine.end_session(subject->name));
  session.reset();
  while (engine.run_one()) {
  }
  EXPECT_EQ(there.use_count(), owners) << "its beginning and its end still wait";
  EXPECT_EQ(subject->room_info.name, "room0");
  EXPECT_EQ(deaf->take(kAll).items.size(), 2U);

  // A watcher that reads gets a step that is larger than all that may wait.
  const auto quick = hub.watch(filter_of(*anyone_), [] {});
  WatchStep huge;
  huge.report.result.clearances.resize(WatchHub::kMostWaiting / sizeof(double) + 1);
  hub.publish(subject, huge);
  EXPECT_EQ(quick->take(kAll).items.size(), 1U);
  hub.publish(subject, huge);
  hub.publish(subject, WatchStep{});
  const WatchTaken taken = quick->take(kAll);
  EXPECT_EQ(taken.items.size(), 1U) << "but nothing beside it";
  EXPECT_EQ(taken.dropped, 1U);
  // Beginnings keep avatars, and so count with them.
  std::size_t begun = 0;
  const std::uint64_t dropped = hub.dropped();
  while (hub.dropped() == dropped && begun < 100'000) {
    hub.begin(subject, true);
    hub.end(*subject, {});
    quick->take(kAll);
    ++begun;
  }
  EXPECT_LT(begun, WatchHub::kMostWaiting / 1000);
}

TEST_F(WatchHubTest, SessionsAndWatchersOnThreadsOfTheirOwn) {
  constexpr std::size_t kClients = 6;
  EngineOptions engine_options;
  engine_options.threads = 2;
  Engine engine(engine_options, rooms_);
  std::atomic<bool> over{false};
  std::vector<std::map<std::string, Heard>> heard(3);
  std::vector<std::thread> watchers;
  std::atomic<std::size_t> watching{0};
  for (auto& own : heard) {
    watchers.emplace_back([&] {
      std::atomic<bool> woken{true};
      const auto watcher = engine.watch().watch(filter_of(*anyone_), [&] { woken = true; });
      ++watching;
      while (true) {
        const bool last = over;
        WatchTaken taken = watcher->take(1U << 16U);
        EXPECT_EQ(taken.dropped, 0U);
        const bool nothing = taken.items.empty();
        hear(std::move(taken), own);
        if (nothing && last) break;
        if (nothing && !woken.exchange(false)) std::this_thread::sleep_for(milliseconds(1));
      }
    });
  }
  // Those come and go.
  std::thread visitor([&] {
    while (!over) {
      const auto watcher = engine.watch().watch(filter_of(*anyone_), [] {});
      if (watcher) watcher->take(1000);
    }
  });
  while (watching < heard.size()) std::this_thread::sleep_for(milliseconds(1));
  std::vector<std::unique_ptr<EngineClient>> clients;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kClients; ++i) {
    clients.push_back(
        std::make_unique<EngineClient>(engine, anyone_, take_[i % 2], options(i % 2), 40 + i));
    threads.emplace_back([client = clients.back().get()] { client->run(); });
  }
  for (std::thread& thread : threads) thread.join();
  clients.clear();
  over = true;
  for (std::thread& thread : watchers) thread.join();
  visitor.join();
  std::size_t steps = 0;
  for (const auto& own : heard) {
    EXPECT_EQ(own.size(), kClients);
    for (const auto& [name, of] : own) {
      EXPECT_EQ(of.begins, 1U);
      ASSERT_EQ(of.ends.size(), 1U) << name;
      ASSERT_TRUE(of.ends[0].totals);
      EXPECT_EQ(of.ends[0].totals->steps, of.steps.size());
      for (std::size_t i = 0; i < of.steps.size(); ++i) {
        EXPECT_EQ(of.steps[i].report.result.step, static_cast<std::int64_t>(i));
        if (i > 0) {
          EXPECT_EQ(of.steps[i].report.from, of.steps[i - 1].report.to);
        }
      }
      steps += of.steps.size();
    }
  }
  EXPECT_GT(steps, 60U) << "three watchers, and what a slow machine has not skipped";
  EXPECT_EQ(engine.watch().watchers(), 0U);
}

}  // namespace
}  // namespace tocsin::test::watch_hub_test
