// Sessions in a room that changes while they run: their reports are those of a scene that is built
// anew for every step.
#include "service/session/changing_room.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace tocsin::changing_room_test {
namespace {

using test::ChangingRoom;
using test::SeenChanges;
using test::SessionRig;

TEST(ChangingRoom, ReportsAreThoseOfTheSceneThatEachNames) {
  SeenChanges seen;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    ChangingRoom room(seed);
    test::RandomLinks random(70 + seed);
    std::vector<test::RandomTake> takes;
    std::vector<std::unique_ptr<SessionRig>> rigs;
    std::vector<std::int64_t> next(3, 0);
    for (std::size_t i = 0; i < next.size(); ++i) {
      takes.push_back(test::random_take(random, 5, 40, 0.3, 0.05));
      rigs.push_back(std::make_unique<SessionRig>(room.room()));
    }
    std::vector<std::vector<TrackReport>> reports(rigs.size());
    for (int turn = 0; turn < 150; ++turn) {
      const std::size_t who = random.below(rigs.size() + 2);
      if (who >= rigs.size()) {
        ASSERT_NO_FATAL_FAILURE(room.change());
        continue;
      }
      SessionRig& rig = *rigs[who];
      if (!rig.session) {
        ASSERT_TRUE(rig.open(test::near_options_of(takes[who]))) << rig.problem.message;
      }
      if (next[who] >= takes[who].motion.frame_count()) continue;
      const auto refused = rig.offer(test::frame_of(takes[who].motion, next[who]++));
      ASSERT_FALSE(refused) << refused->message;
      rig.scheduler->run_all();
      for (TrackReport& report : rig.pull()) reports[who].push_back(std::move(report));
    }
    for (std::size_t i = 0; i < rigs.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(test::compare(room, takes[i], reports[i], seen, true));
    }
  }
  EXPECT_GT(seen.steps, 250U);
  EXPECT_GT(5 * seen.with_contacts, seen.steps);       // a fifth
  EXPECT_GT(5 * seen.with_motions, seen.steps);        // a fifth
  EXPECT_GT(10 * seen.straight, seen.steps);           // a tenth
  EXPECT_GT(10 * seen.joined, seen.steps);             // a tenth saw several changes at once
  EXPECT_GT(10 * seen.touched_in_motion, seen.steps);  // a tenth
  EXPECT_GT(seen.near_in_motion, seen.steps);          // several in each that has motions
  EXPECT_GT(5 * seen.ahead_of_motion, seen.steps);     // one in five
}

TEST(ChangingRoom, OneWriterAndSeveralSessionsOnThreadsOfTheirOwn) {
  ChangingRoom room(9);
  test::RandomLinks random(90);
  constexpr std::size_t kSessions = 3;
  std::vector<test::RandomTake> takes;
  for (std::size_t i = 0; i < kSessions; ++i) {
    takes.push_back(test::random_take(random, 5, 60, 0.3, 0.05));
  }
  std::vector<std::vector<TrackReport>> reports(kSessions);
  std::atomic<std::size_t> running{kSessions};
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kSessions; ++i) {
    threads.emplace_back([&, i] {
      SessionRig rig(room.room());
      EXPECT_TRUE(rig.open(test::options_of(takes[i]))) << rig.problem.message;
      for (std::int64_t k = 0; rig.session && k < takes[i].motion.frame_count(); ++k) {
        EXPECT_FALSE(rig.offer(test::frame_of(takes[i].motion, k)));
        rig.scheduler->run_all();
        for (TrackReport& report : rig.pull()) reports[i].push_back(std::move(report));
      }
      --running;
    });
  }
  while (running > 0 && room.changes() < 2000) room.change();
  for (std::thread& thread : threads) thread.join();
  SeenChanges seen;
  for (std::size_t i = 0; i < kSessions; ++i) {
    EXPECT_EQ(reports[i].size() + 1, static_cast<std::size_t>(takes[i].motion.frame_count()));
    ASSERT_NO_FATAL_FAILURE(test::compare(room, takes[i], reports[i], seen));
  }
  EXPECT_GT(seen.with_contacts, 10U);
}

}  // namespace
}  // namespace tocsin::changing_room_test
