// Rooms with a device: what goes into batches and what does not, and that nothing is lost when a
// batch takes too long or the device fails.
#include "service/schedule/device_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "service/engine_fixture.h"
#include "service/schedule/queue_sessions.h"
#include "service/session/session_fixture.h"
#include "support/environment_variable.h"

namespace tocsin::service::device_queue_test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Clock;
using test::EngineClient;
using test::EngineTest;
using test::EnvironmentVariable;
using test::frame_of;
using test::QueueSessions;
using test::SessionTest;

const DetectorOptions kInBatches{.backend = Backend::kCpu};
const DetectorOptions kEmulated{.backend = Backend::kCuda, .experiments = {.emulate = true}};

/// Contacts of an avatar with itself, each naming both links.
std::uint64_t own_contacts(const TrackReport& report) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < report.result.contacts.size(); ++i) {
    const Contact& contact = report.result.contacts[i];
    if (!contact.other()) continue;
    EXPECT_EQ(contact.other()->avatar, 0);
    EXPECT_FALSE(report.names[i].other_link.empty());
    EXPECT_TRUE(report.names[i].other_label.empty());
    ++out;
  }
  return out;
}

// ---- Groups ----

class RoomDeviceTest : public SessionTest {
 protected:
  std::shared_ptr<RoomDevice> device_ = std::make_shared<RoomDevice>(
      "room", Detector::make(room_->environment, kInBatches).value(), nullptr);

  std::shared_ptr<BatchGroup> group(double margin) const {
    DetectorOptions asked = device_->options();
    asked.margin = margin;
    return device_->group(asked);
  }
};

TEST_F(RoomDeviceTest, ThoseWhoAskTheSameAreOneGroup) {
  const auto plain = group(0.0);
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain, group(0.0));
  const auto wide = group(0.1);
  EXPECT_NE(wide, plain);
  EXPECT_EQ(wide->detector.options().margin, 0.1);
  DetectorOptions first = device_->options();
  first.contacts = Contacts::kFirst;
  EXPECT_NE(device_->group(first), plain);
  EXPECT_EQ(device_->group(first)->detector.options().contacts, Contacts::kFirst);
}

TEST_F(RoomDeviceTest, GroupsAreBoundedAndGoWithTheirSessions) {
  std::vector<std::shared_ptr<BatchGroup>> all;
  for (std::size_t i = 1; i <= RoomDevice::kMostGroups; ++i) {
    all.push_back(group(0.001 * static_cast<double>(i)));
    ASSERT_TRUE(all.back());
  }
  EXPECT_FALSE(group(1.0));
  EXPECT_TRUE(group(0.0)) << "who asks for nothing special";
  EXPECT_EQ(group(0.001), all.front());
  all.pop_back();
  EXPECT_TRUE(group(1.0));
}

TEST_F(RoomDeviceTest, OfSeveralDevicesThoseThatWorkGoOn) {
  const EnvironmentVariable fails("TOCSIN_CUDA_FAIL_AT", "1:5");
  DetectorOptions options = kEmulated;
  options.threads = 2;
  options.cuda.devices = {0, 1, 2};
  auto detector = Detector::make(room_->environment, options).value();
  std::vector<std::string> said;
  const auto device = std::make_shared<RoomDevice>(
      "room", detector, [&](const std::string& line) { said.push_back(line); });
  for (int again = 0; again < 2; ++again) {
    device->update(detector);
    EXPECT_TRUE(device->works());
    EXPECT_EQ(device->fallback(), "");
    EXPECT_EQ(detector.fallback(), "");
    EXPECT_EQ(device->name(), "0: emulated on 1 thread; 2: emulated on 1 thread");
    EXPECT_EQ(detector.device_name(), device->name());
  }
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said.front().rfind("room room: cuda (" + device->name() +
                                   ") checks from here on: CUDA device 1 failed: ",
                               0),
            0U)
      << said.front();
  const auto group = device->group(options);  // as its queue does after a batch
  ASSERT_TRUE(group);
  device->update(group->detector);
  EXPECT_EQ(group->detector.device_name(), device->name());
  EXPECT_EQ(said.size(), 1U);
}

TEST_F(RoomDeviceTest, OptionsThatMakeNoSenseHaveNoGroup) { EXPECT_FALSE(group(-1.0)); }

// ---- One session ----

class BatchedSessionTest : public SessionTest {
 protected:
  BatchedSessionTest() : rig_(test::room_with_device(room_->environment, kInBatches)) {}
  /// The step that is scheduled, taken into a batch.
  BatchPart begin(BatchedStep& step) const {
    EXPECT_EQ(rig_.scheduler->take(), rig_.session);
    return rig_.session->batch()->begin(step);
  }
  test::SessionRig rig_;
};

TEST_F(BatchedSessionTest, SaysWhatChecks) {
  ASSERT_TRUE(rig_.open(options_));
  EXPECT_EQ(rig_.opened.backend, "cpu");
  EXPECT_EQ(rig_.opened.environment.backend, "cpu");
  EXPECT_FALSE(rig_.opened.environment.device.empty());
  EXPECT_EQ(rig_.opened.environment.fallback, "");
}

TEST_F(BatchedSessionTest, StepsThatLeapAreCheckedAlone) {
  ASSERT_TRUE(rig_.open(options_));
  const auto leap_to = [&](std::uint64_t id, double x) {
    TrackFrame out = frame_of(take_.motion, static_cast<std::int64_t>(id));
    out.pose[0].translation.x += x;
    EXPECT_FALSE(rig_.offer(std::move(out)));
  };
  leap_to(0, 0.0);
  rig_.scheduler->run_all();
  leap_to(1, 0.0);
  EXPECT_TRUE(rig_.session->forecast().joins_batch);
  rig_.scheduler->run_all();
  EXPECT_EQ(rig_.scheduler->batched(), 1U);
  leap_to(2, 100.0);
  BatchedStep step;
  EXPECT_EQ(begin(step), BatchPart::kAloneSlowly);
  rig_.session->run_step(1);
  EXPECT_EQ(rig_.session->counts().steps, 2U);
}

TEST_F(BatchedSessionTest, TheFirstPoseIsNoStep) {
  ASSERT_TRUE(rig_.open(options_));
  EXPECT_FALSE(rig_.offer(frame_of(take_.motion, 0)));
  BatchedStep step;
  EXPECT_EQ(begin(step), BatchPart::kAlone);
  rig_.session->run_step(1);
  EXPECT_EQ(rig_.session->counts().steps, 0U);
}

TEST_F(BatchedSessionTest, WhatTheDeviceDoesNotKnowTheCpuFinds) {
  ASSERT_TRUE(rig_.open(options_));
  for (std::int64_t k = 0; k < 10; ++k) {
    EXPECT_FALSE(rig_.offer(frame_of(take_.motion, k)));
    BatchedStep step;
    const BatchPart part = begin(step);
    if (part == BatchPart::kJoins) rig_.session->batch()->end(std::move(step.member), {});
    rig_.session->run_step(1);
  }
  expect_same(rig_.pull(), wanted(9));
}

// The session ends between a step's two halves.
TEST_F(BatchedSessionTest, MayEndMeanwhile) {
  ASSERT_TRUE(rig_.open(options_));
  EXPECT_FALSE(rig_.offer(frame_of(take_.motion, 0)));
  rig_.scheduler->run_all();
  EXPECT_FALSE(rig_.offer(frame_of(take_.motion, 1)));
  BatchedStep step;
  ASSERT_EQ(begin(step), BatchPart::kJoins);
  rig_.session->close();
  rig_.session->batch()->end(std::move(step.member), {});
  rig_.session->run_step(1);
  EXPECT_TRUE(rig_.session->counts().state == SessionState::kOver);
  ASSERT_TRUE(rig_.outlet->problem());
  EXPECT_EQ(rig_.outlet->problem()->refusal, Refusal::kClosing);
}

// All in one batch, one after the other in it: each has its own contacts with itself.
TEST_F(BatchedSessionTest, WhoTouchesHimselfDoesInEveryPlaceOfABatch) {
  constexpr std::size_t kSessions = 3;
  for (const DetectorOptions& device : {kInBatches, kEmulated}) {
    const auto room = test::room_with_device(room_->environment, device);
    std::vector<std::unique_ptr<test::SessionRig>> rigs;
    std::array<std::vector<TrackReport>, kSessions> got;
    TrackOptions options = options_;
    options.spec.self = true;
    for (std::size_t i = 0; i < kSessions; ++i) {
      rigs.push_back(std::make_unique<test::SessionRig>(room));
      ASSERT_TRUE(rigs.back()->open(options));
    }
    for (std::int64_t k = 0; k < take_.motion.frame_count(); ++k) {
      std::vector<Member> members;
      std::vector<Step> steps;
      for (auto& rig : rigs) {
        ASSERT_FALSE(rig->offer(frame_of(take_.motion, k)));
        ASSERT_EQ(rig->scheduler->take(), rig->session);
        BatchedStep step;
        if (rig->session->batch()->begin(step) != BatchPart::kJoins) continue;
        members.push_back(std::move(step.member));
        steps.push_back(std::move(step.step));
      }
      ASSERT_EQ(members.size(), k == 0 ? 0 : kSessions);
      std::vector<StepReport> found =
          rigs.front()->session->batch()->group().detector.check_batch(members, steps);
      for (std::size_t i = 0; i < kSessions; ++i) {
        if (k > 0) {
          rigs[i]->session->batch()->end(std::move(members[i]), {.report = std::move(found[i])});
        }
        rigs[i]->session->run_step(kSessions);
        for (TrackReport& report : rigs[i]->pull()) got[i].push_back(std::move(report));
      }
    }
    const StepList steps = take_.motion.steps().value();
    const Detector alone = Detector::make(room_->environment).value();
    for (const std::vector<TrackReport>& reports : got) {
      ASSERT_EQ(reports.size(), steps.size());
      std::uint64_t own = 0;
      for (std::size_t k = 0; k < reports.size(); ++k) {
        const StepReport want =
            alone.check({take_.avatar, {}, LinkPairs::of(take_.avatar)}, steps[k]);
        EXPECT_EQ(reports[k].result.contacts, want.contacts);
        EXPECT_EQ(reports[k].result.avatar, 0);
        own += own_contacts(reports[k]);
      }
      EXPECT_GT(own, 2U);
    }
  }
}

// ---- Many sessions ----

struct Way {
  const char* name;
  Backend backend;
  milliseconds delay;
  const char* fail_at;  ///< call of the device; null: none
  bool recorded = false;
};

std::size_t finished_records(const std::filesystem::path& folder) {
  if (folder.empty()) return 0;
  const std::filesystem::directory_iterator all(folder);
  return static_cast<std::size_t>(std::count_if(begin(all), end(all), [](const auto& entry) {
    return entry.path().extension() == ".jsonl";
  }));
}

class ManyInBatchesTest : public EngineTest, public testing::WithParamInterface<Way> {
 protected:
  ManyInBatchesTest() : EngineTest(RoomPolicy{}) {}

  static RoomPolicy policy(const Log& log) {
    RoomPolicy out;
    const Backend backend = GetParam().backend;
    out.batches = {.backend = backend, .experiments = {.emulate = backend == Backend::kCuda}};
    out.log = log;
    return out;
  }
};

TEST_P(ManyInBatchesTest, DisturbEachOtherInNothing) {
  std::vector<std::string> logged;
  std::mutex mutex;
  {
    const EnvironmentVariable fails("TOCSIN_CUDA_FAIL_AT",
                                    GetParam().fail_at != nullptr
                                        ? std::optional<std::string>(GetParam().fail_at)
                                        : std::nullopt);
    rooms_ = std::make_shared<Environments>(policy([&](const std::string& line) {
      const std::lock_guard lock(mutex);
      logged.push_back(line);
    }));
    random_ = test::RandomLinks(82);
    add_room("room0");
    add_room("room1");
  }
  test::RandomLinks random(91);  // bodies large enough to touch themselves
  for (auto& take : take_) take = test::random_take(random, 12, 60, 0.3, 0.05);
  EngineOptions engine_options;
  engine_options.threads = 3;
  engine_options.batch_delay = GetParam().delay;
  engine_options.batch_size = 8;
  engine_options.limits.step_seconds = 60.0;  // a busy machine gives nothing up
  engine_options.slow_step = 60.0;            // nor does it take a session for a slow one
  if (GetParam().recorded) {
    engine_options.record = folder_.path() / "records";
    engine_options.record_rules.reserve = 0;  // however full the disk is
    std::filesystem::create_directory(engine_options.record);
  }
  Engine engine(engine_options, rooms_);
  std::vector<std::shared_ptr<Principal>> who{somebody("a"), somebody("b"), somebody("c")};
  std::vector<std::unique_ptr<EngineClient>> clients;
  for (std::size_t i = 0; i < 12; ++i) {
    TrackOptions asked = options(i % 2);
    asked.spec.self = i % 6 != 5;
    clients.push_back(
        std::make_unique<EngineClient>(engine, who[i % 3], take_[i % 2], asked, 200 + i));
  }
  std::vector<std::thread> threads;
  threads.reserve(clients.size());
  for (auto& client : clients) threads.emplace_back([&client] { client->run(); });
  for (std::thread& thread : threads) thread.join();
  std::size_t contacts = 0;
  std::uint64_t told = 0;
  std::uint64_t own = 0;  // contacts of two links, of steps in batches of several
  for (std::size_t i = 0; i < clients.size(); ++i) {
    const EngineClient& client = *clients[i];
    ASSERT_TRUE(client.ended_);
    const TrackEnded& ended = *client.ended_;
    EXPECT_EQ(ended.steps, client.reports_.size());
    EXPECT_EQ(client.offered_,
              ended.steps + 1 + ended.skipped_frames + ended.stale_frames + ended.duplicate_frames);
    contacts += client.compare(*room("room" + std::to_string(i % 2)));
    for (const TrackReport& report : client.reports_) {
      told += report.fallback.empty() ? 0 : 1;
      if (report.timing.batch > 1) own += own_contacts(report);
    }
  }
  EXPECT_GT(contacts, 20U);
  EXPECT_GT(own, 20U);
  const EngineCounts counts = engine.counts();
  EXPECT_GT(counts.batches.batches, 0U);
  EXPECT_GT(counts.batches.steps, 0U);
  EXPECT_LE(counts.batches.steps, counts.steps);
  EXPECT_EQ(counts.batches.given_up, 0U);
  EXPECT_EQ(engine.close(seconds(1)), 0U);
  EXPECT_EQ(engine.counts().batches.steps, counts.batches.steps);
  EXPECT_EQ(finished_records(engine_options.record), GetParam().recorded ? clients.size() : 0U);
  if (GetParam().fail_at == nullptr) {
    EXPECT_TRUE(logged.empty()) << logged.front();
    EXPECT_EQ(told, 0U);
  } else {
    EXPECT_EQ(logged.size(), 2U) << "once a room";
    EXPECT_GT(told, 0U);
    EXPECT_FALSE(room("room0")->info().fallback.empty());
    EXPECT_EQ(room("room0")->info().backend, "cpu");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, ManyInBatchesTest,
    testing::Values(Way{"cpu", Backend::kCpu, milliseconds(0), nullptr},
                    Way{"cpu_delay", Backend::kCpu, milliseconds(2), nullptr},
                    Way{"cpu_recorded", Backend::kCpu, milliseconds(2), nullptr, true},
                    Way{"cuda", Backend::kCuda, milliseconds(0), nullptr},
                    Way{"cuda_recorded", Backend::kCuda, milliseconds(1), nullptr, true},
                    Way{"cuda_fails_recorded", Backend::kCuda, milliseconds(1), "200", true},
                    Way{"cuda_fails", Backend::kCuda, milliseconds(1), "200"}),
    [](const auto& way) { return std::string(way.param.name); });

// Everything is given up: the workers do it then.
TEST_F(SessionTest, BatchesThatTakeTooLongLoseNothing) {
  const auto room = test::room_with_device(room_->environment, kInBatches);
  QueueSessions sessions(room, 0.0);
  for (int i = 0; i < 6; ++i) {
    ASSERT_NO_FATAL_FAILURE(sessions.open(options_, {.pending_frames = 64}));
  }
  const std::int64_t last = take_.motion.frame_count() - 1;
  for (std::int64_t k = 0; k <= last; ++k) {
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      ASSERT_FALSE(sessions[i].offer(&sessions.outlet(i), frame_of(take_.motion, k), Clock::now()));
    }
  }
  const std::vector<StepReport> want = wanted(last);
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    std::vector<TrackReport> got;
    const auto end = Clock::now() + seconds(60);
    while (got.size() < want.size() && Clock::now() < end) {
      sessions.outlet(i).wait();
      for (TrackReport& report : sessions[i].pull(&sessions.outlet(i), 100)) {
        got.push_back(std::move(report));
      }
    }
    expect_same(got, want);
  }
  const BatchCounts counts = sessions.queue().counts();
  EXPECT_GT(counts.given_up, 0U);
  EXPECT_EQ(counts.given_up, counts.batches);
  EXPECT_EQ(counts.steps, 0U);
}

}  // namespace
}  // namespace tocsin::service::device_queue_test
