// A step that takes too long is checked in parts: its session is told what is proved, and goes on.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/engine.h"
#include "service/engine_fixture.h"
#include "service/schedule/queue_sessions.h"

namespace tocsin::service::step_budget_test {
namespace {

using test::Clock;
using test::EngineTest;
using test::QueueSessions;
using test::WaitingOutlet;
using test::walk;

/// So thick that it touches everything, and as many as a principal may have by default: seconds of
/// work a step, in the room below.
TrackOptions monster(int links = 1024, double radius = 1.0) {
  TrackOptions out;
  out.environment = "wall";
  out.skeleton = Skeleton::create({{"root", -1, {}}}).value();
  out.spec.clearance = true;
  out.model.emplace();
  for (int i = 0; i < links; ++i) {
    LinkModel link;
    link.name = "link" + std::to_string(i);
    link.joint = "root";
    link.b.offset = {0.0, 1.0, 0.0};
    link.radius = radius;
    out.model->links.push_back(std::move(link));
  }
  return out;
}

/// A wall of small triangles a little farther away than the links are thick.
Environment wall() {
  constexpr int kSide = 200;
  ObjectMesh mesh;
  mesh.name = "wall";
  for (int i = 0; i <= kSide; ++i) {
    for (int k = 0; k <= kSide; ++k) {
      mesh.vertices.push_back({1.5F, 0.02F * static_cast<float>(i), 0.02F * static_cast<float>(k)});
    }
  }
  const auto at = [](int i, int k) { return static_cast<std::uint32_t>(i * (kSide + 1) + k); };
  for (int i = 0; i < kSide; ++i) {
    for (int k = 0; k < kSide; ++k) {
      mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i, k + 1)});
    }
  }
  return Environment::create({mesh}).value();
}

class StepBudgetTest : public EngineTest {
 protected:
  explicit StepBudgetTest(RoomPolicy policy = {}) : EngineTest(std::move(policy)) {
    const auto file = folder_.path() / "wall.obj";
    EXPECT_TRUE(save_environment(wall(), file));
    std::vector<std::string> warnings;
    EXPECT_TRUE(rooms_->load("wall", std::vector{file}, {}, warnings).ok());
  }

  std::shared_ptr<Session> start_monster(Engine& engine, const std::shared_ptr<WaitingOutlet>& to) {
    auto session = engine.open(anyone_, monster(), to, opened_, problem_);
    EXPECT_TRUE(session) << problem_.message;
    if (!session) return session;
    for (std::uint64_t id = 0; id < 2; ++id) {
      const double x = 0.2 * static_cast<double>(id);
      EXPECT_FALSE(session->offer(to.get(), {id, x, {{{}, {x, 2.0, 2.0}}}}, Clock::now()));
    }
    return session;
  }
};

TEST_F(StepBudgetTest, TellsWhatIsProvedAndGoesOn) {
  EngineOptions hasty;
  hasty.threads = 2;
  hasty.limits.step_seconds = 0.02;
  Engine engine(hasty, rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = start_monster(engine, outlet);
  ASSERT_TRUE(session);
  std::vector<TrackReport> reports;
  std::vector<TrackReport> partials;
  for (int i = 0; i < 6000 && reports.empty() && !outlet->problem(); ++i) {
    outlet->wait(std::chrono::milliseconds(10));
    reports = session->pull(outlet.get(), 10);
    if (auto partial = session->pull_partial(outlet.get())) partials.push_back(*partial);
  }
  ASSERT_FALSE(outlet->problem()) << outlet->problem()->message;
  ASSERT_EQ(reports.size(), 1U) << "a minute has passed";
  ASSERT_FALSE(partials.empty());
  EXPECT_FALSE(partials.front().result.complete);
  EXPECT_TRUE(reports.front().result.complete);
  EXPECT_GT(reports.front().timing.parts, partials.back().timing.parts);
  EXPECT_EQ(partials.front().from, reports.front().from);
  EXPECT_EQ(partials.front().to, reports.front().to);
  EXPECT_EQ(engine.metrics().parted_steps.value(), 1U);
  EXPECT_GE(engine.metrics().partial_reports.value(), partials.size());
  session->finish(outlet.get());
  std::optional<TrackEnded> ended;
  for (int i = 0; i < 6000 && !ended; ++i) {
    outlet->wait(std::chrono::milliseconds(10));
    ended = session->ended(outlet.get());
  }
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->steps, 1U);
  EXPECT_EQ(ended->parted_steps, 1U);
}

/// Reading a stream takes no part in long steps, and tells nothing of them.
TEST(BriefStep, AWorkerDoesTheRest) {
  test::SessionRig rig(test::room_of(wall()));
  rig.limits.step_seconds = 1e6;
  rig.limits.brief_seconds = 0.0;  // a unit of work
  ASSERT_TRUE(rig.open(monster(32, 0.3))) << rig.problem.message;
  for (std::uint64_t id = 0; id < 3; ++id) {
    const double x = 1.0 + 0.2 * static_cast<double>(id);
    ASSERT_FALSE(rig.offer({id, x, {{{}, {x, 2.0, 2.0}}}}));
    const auto session = rig.scheduler->take();
    EXPECT_EQ(session->forecast().only_checks, id == 2) << "how long one takes is not known before";
    if (id < 2) {
      session->run_step(1);
    } else {
      session->run_briefly();
    }
    EXPECT_EQ(rig.session->counts().frames.covered, id + 1);
  }
  EXPECT_EQ(rig.pull().size(), 1U);
  EXPECT_EQ(rig.session->counts().steps, 1U);
  EXPECT_FALSE(rig.session->pull_partial(rig.outlet.get()));
  ASSERT_FALSE(rig.scheduler->idle());
  const auto session = rig.scheduler->take();
  EXPECT_FALSE(session->forecast().only_checks) << "what goes on is a worker's";
  session->run_step(1);
  const std::vector<TrackReport> reports = rig.pull();
  ASSERT_EQ(reports.size(), 1U);
  EXPECT_TRUE(reports[0].result.complete);
  EXPECT_EQ(reports[0].timing.parts, 1U);
  EXPECT_FALSE(reports[0].result.contacts.empty());
}

/// Whoever reads frames puts the next pose where the last one was, as long as it has no other
/// memory for it.
TEST(BriefStep, GivesBackTheMemoryOfAPose) {
  test::SessionRig rig(test::room_of(wall()));
  rig.limits.step_seconds = 1e6;
  rig.limits.brief_seconds = 1e6;
  ASSERT_TRUE(rig.open(monster(4, 0.01))) << rig.problem.message;
  std::vector<Transform> other(7);
  const Transform* const before = other.data();
  for (std::uint64_t id = 0; id < 6; ++id) {
    const double x = 5.0 + 0.01 * static_cast<double>(id);
    ASSERT_FALSE(rig.offer({id, x, {{{}, {x, 2.0, 2.0}}}}));
    const auto session = rig.scheduler->take();
    std::vector<Transform> memory;
    session->run_briefly(test::Clock::now(), id == 4 ? &other : &memory);
    // Checking keeps the step before: of the first few there may be none.
    if (id == 3 || id == 5) {
      EXPECT_GE(memory.capacity(), 1U) << id;
    }
  }
  EXPECT_EQ(other.data(), before);
  EXPECT_EQ(other.size(), 7U);
  EXPECT_EQ(rig.session->counts().steps, 5U);
}

/// Memory of poses goes from session to session. A small avatar must not keep a large one's.
TEST(BriefStep, GivesBackNoMoreMemoryThanAPoseTakes) {
  test::SessionRig rig(test::room_of(wall()));
  rig.limits.step_seconds = 1e6;
  rig.limits.brief_seconds = 1e6;
  ASSERT_TRUE(rig.open(monster(4, 0.01))) << rig.problem.message;
  std::size_t given = 0;
  for (std::uint64_t id = 0; id < 12; ++id) {
    const double x = 5.0 + 0.01 * static_cast<double>(id);
    TrackFrame frame{id, x, {}};
    frame.pose.reserve(1000);
    frame.pose.push_back({{}, {x, 2.0, 2.0}});
    ASSERT_FALSE(rig.offer(std::move(frame)));
    const auto session = rig.scheduler->take();
    std::vector<Transform> memory;
    session->run_briefly(test::Clock::now(), &memory);
    given += memory.capacity() > 0 ? 1 : 0;
    EXPECT_LE(memory.capacity(), 4U) << id;
  }
  EXPECT_GT(given, 4U);
}

/// What is checked again for a client that comes back is checked in as many parts as it takes.
TEST_F(StepBudgetTest, HoldsWhenASessionIsTakenOver) {
  EngineOptions patient;
  patient.threads = 2;
  patient.limits.step_seconds = 1e6;
  patient.record = folder_.path() / "records";
  patient.record_rules.reserve = 0;
  std::string id;
  {
    Engine engine(patient, rooms_);
    const auto outlet = std::make_shared<WaitingOutlet>();
    const auto session = engine.open(anyone_, monster(256), outlet, opened_, problem_);
    ASSERT_TRUE(session) << problem_.message;
    id = session->identity().id;
    for (std::uint64_t frame = 0; frame < 2; ++frame) {
      const double x = 0.2 * static_cast<double>(frame);
      EXPECT_FALSE(session->offer(outlet.get(), {frame, x, {{{}, {x, 2.0, 2.0}}}}, Clock::now()));
    }
    for (int i = 0; i < 1200 && session->counts().steps == 0; ++i) outlet->wait();
    ASSERT_EQ(session->counts().steps, 1U) << "a minute has passed";
  }
  EngineOptions hasty = patient;
  hasty.limits.step_seconds = 0.001;
  Engine engine(hasty, rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = engine.resume(anyone_, id, 0, outlet, opened_, problem_);
  ASSERT_TRUE(session) << problem_.message;
  const std::vector<TrackReport> again = session->pull(outlet.get(), 10);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_TRUE(again.front().result.complete);
  EXPECT_GT(again.front().timing.parts, 1U);
}

TEST_F(StepBudgetTest, IsNotWaitedForAtTheEnd) {
  EngineOptions patient;
  patient.threads = 2;
  patient.limits.step_seconds = 1e6;
  Engine engine(patient, rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  ASSERT_TRUE(start_monster(engine, outlet));
  engine.close(std::chrono::milliseconds(0));
  ASSERT_TRUE(outlet->problem());
  EXPECT_EQ(outlet->problem()->refusal, Refusal::kClosing);
}

// The same where a device checks: the batch is given up, and then it is seen whose step it was. No
// engine: it would keep a session out of batches whose first pose was slow on a busy machine.
TEST(BatchBudget, ASlowStepEndsItsSessionAndNoOtherOfItsBatch) {
  // By a clock that is far ahead, so that no time of this machine's decides: whatever is not done
  // when the watcher comes by has taken too long. The innocents have the usual clock, and a minute.
  constexpr std::chrono::hours kAhead(1);
  constexpr double kMost = 60.0;
  const auto room = test::room_with_device(wall(), {.backend = Backend::kCpu});
  QueueSessions sessions(room, kMost, 3, std::chrono::milliseconds(200));
  for (int i = 0; i < 3; ++i) {
    ASSERT_NO_FATAL_FAILURE(
        sessions.open(i == 0 ? monster() : monster(1, 0.1), {.step_seconds = kMost}));
  }
  for (std::uint64_t id = 0; id < 2; ++id) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double x = 0.2 * static_cast<double>(id);
      EXPECT_FALSE(
          sessions[i].offer(&sessions.outlet(i), {id, x, {{{}, {x, 2.0, 2.0}}}}, Clock::now()));
    }
  }
  std::array<std::size_t, 3> got{};
  const auto end = Clock::now() + std::chrono::minutes(1);
  while (Clock::now() < end && !(sessions.outlet(0).problem() && got[1] > 0 && got[2] > 0)) {
    sessions.outlet(0).wait(std::chrono::milliseconds(1));
    sessions.queue().watch(Clock::now() + kAhead);
    for (std::size_t i = 0; i < 3; ++i) {
      sessions[i].watch(i == 0 ? Clock::now() + kAhead : Clock::now());
      got[i] += sessions[i].pull(&sessions.outlet(i), 10).size();
    }
  }
  ASSERT_TRUE(sessions.outlet(0).problem()) << "a minute has passed";
  EXPECT_EQ(sessions.outlet(0).problem()->refusal, Refusal::kOverloaded);
  EXPECT_EQ(got, (std::array<std::size_t, 3>{0, 1, 1}));
  EXPECT_FALSE(sessions.outlet(1).problem());
  EXPECT_FALSE(sessions.outlet(2).problem());
  EXPECT_GE(sessions.queue().counts().given_up, 1U);
}

}  // namespace
}  // namespace tocsin::service::step_budget_test
