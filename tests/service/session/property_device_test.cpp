// The gapless promise where a device checks the steps: also when it fails in the midst.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "service/session/gapless_life.h"
#include "support/environment_variable.h"

namespace tocsin::test::gapless::property_device_test {
namespace {

const DetectorOptions kEmulated{.backend = Backend::kCuda, .experiments = {.emulate = true}};

/// So many sessions in rooms with such a device.
Totals live(std::uint64_t sessions, const std::vector<Stage>& all) {
  Totals out;
  for (std::uint64_t seed = 1; seed <= sessions && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Life(seed, all[seed % all.size()], out).run();
  }
  std::cout << out << "\n";
  EXPECT_EQ(out.sessions, sessions);
  EXPECT_GT(out.contacts, sessions);
  EXPECT_GT(out.own_contacts, sessions / 2);
  return out;
}

// The way of batches by itself: what comes out of it is what a session finds alone.
TEST(GaplessOnADevice, InBatchesOnTheCpu) {
  const Totals t = live(600, stages([](const Environment& room) {
                          return room_with_device(room, {.backend = Backend::kCpu});
                        }));
  EXPECT_GT(t.batched, t.steps / 2);
  EXPECT_EQ(t.fallbacks, 0U);
}

TEST(GaplessOnADevice, EmulatedCuda) {
  const Totals t =
      live(100, stages([](const Environment& room) { return room_with_device(room, kEmulated); }));
  EXPECT_GT(t.batched, t.steps / 2);
  EXPECT_EQ(t.fallbacks, 0U);
}

// Every session has a room, and the room's device fails at some call.
TEST(GaplessOnADevice, EmulatedCudaThatFails) {
  constexpr std::uint64_t kSessions = 60;
  std::mt19937_64 random(5);
  std::uint64_t logged = 0;
  Totals t;
  const std::vector<Stage> all = stages();
  for (std::uint64_t seed = 1; seed <= kSessions && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Stage stage = all[seed % all.size()];
    const EnvironmentVariable fails("TOCSIN_CUDA_FAIL_AT", std::to_string(20 + random() % 800));
    stage.room = room_with_device(stage.room->environment, kEmulated, [&](const std::string& line) {
      ++logged;
      EXPECT_NE(line.find("the CPU checks from here on"), std::string::npos) << line;
    });
    Life(seed, stage, t).run();
    EXPECT_EQ(stage.room->device->works(), stage.room->info().fallback.empty());
  }
  std::cout << t << "\n";
  EXPECT_EQ(t.sessions, kSessions);
  EXPECT_GT(t.contacts, kSessions);
  EXPECT_GT(t.own_contacts, kSessions / 2);
  EXPECT_GT(t.batched, 0U);
  EXPECT_LT(t.batched, t.steps);
  EXPECT_GT(logged, kSessions / 2) << "hardly any device has failed";
  EXPECT_GE(logged, t.fallbacks);
  EXPECT_GT(t.fallbacks, kSessions / 3);
}

}  // namespace
}  // namespace tocsin::test::gapless::property_device_test
