// Sessions without a network or threads: steps run when a test says so, reports go where it looks.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/engine.h"
#include "service/session/session.h"
#include "support/scenes/random_scene.h"
#include "tocsin/tocsin.h"

namespace tocsin::test {

using service::Problem;
using service::Refusal;
using service::Session;
using Clock = std::chrono::steady_clock;

/// Remembers what it was told.
class FakeOutlet : public service::Outlet {
 public:
  void ready() override {
    const std::lock_guard lock(mutex_);
    EXPECT_FALSE(problem_) << "told to pull after its end";
    ++ready_;
  }
  void refuse(const Problem& problem) override {
    const std::lock_guard lock(mutex_);
    EXPECT_FALSE(problem_) << "refused twice";
    problem_ = problem;
  }
  int ready_calls() const {
    const std::lock_guard lock(mutex_);
    return ready_;
  }
  std::optional<Problem> problem() const {
    const std::lock_guard lock(mutex_);
    return problem_;
  }

 private:
  mutable std::mutex mutex_;
  int ready_ = 0;
  std::optional<Problem> problem_;
};

/// A step as a device's line has it: begun, checked in a batch if it may be, left to a worker. It
/// is the batch's second: the first is its twin.
inline void run_in_batch(Session& session, std::uint64_t& steps) {
  service::BatchParticipant* const batch = session.batch();
  if (batch != nullptr && session.forecast().joins_batch && batch->group().device->works()) {
    service::BatchGroup* const group = &batch->group();
    service::BatchedStep step;
    if (batch->begin(step) == service::BatchPart::kJoins) {
      const std::array<Member, 2> members{step.member, step.member};
      std::vector<StepReport> reports =
          group->detector.check_batch(members, std::array<Step, 2>{step.step, step.step});
      group->device->update(group->detector);
      service::BatchedAnswer answer;
      if (!reports[1].error) answer.report = std::move(reports[1]);
      steps += answer.report ? 1 : 0;
      batch->end(std::move(step.member), std::move(answer));
    }
  }
  session.run_step(1);
}

/// Steps run when asked; at most one is scheduled for each session.
class ManualScheduler : public service::StepScheduler {
 public:
  void schedule(const std::shared_ptr<Session>& session) override {
    for (const auto& pending : pending_) EXPECT_NE(pending, session) << "scheduled twice";
    pending_.push_back(session);
  }
  void over(const std::shared_ptr<Session>& session) override {
    over_.push_back(session->identity().id);
  }

  /// Runs the first that waits; false if none does.
  bool run_one() {
    if (pending_.empty()) return false;
    const std::shared_ptr<Session> session = take();
    if (session->forecast().only_checks && ++brief_ % 2 == 0) {
      run_briefly(*session);
    } else {
      run_in_batch(*session, batched_);
    }
    return true;
  }
  void run_all() {
    while (run_one()) {
    }
  }
  /// The first that waits, to be run by the test. There must be one.
  std::shared_ptr<Session> take() {
    std::shared_ptr<Session> out = pending_.front();
    pending_.pop_front();
    return out;
  }
  [[nodiscard]] bool idle() const { return pending_.empty(); }
  [[nodiscard]] const std::vector<std::string>& ended() const { return over_; }
  /// Steps that a room's device checked.
  [[nodiscard]] std::uint64_t batched() const { return batched_; }
  /// Steps that were begun where a stream is read, and left to a worker.
  [[nodiscard]] std::uint64_t put_off() const { return put_off_; }

 private:
  /// As on a thread that reads the session's stream.
  void run_briefly(Session& session) {
    const std::uint64_t covered = session.counts().frames.covered;
    const std::uint64_t steps = session.counts().steps;
    session.run_briefly();
    const service::SessionCounts now = session.counts();
    const bool is_step = covered > 0 && now.frames.covered > covered;
    put_off_ += is_step && now.steps == steps && goes_on(now.state) ? 1 : 0;
  }

  std::deque<std::shared_ptr<Session>> pending_;
  std::vector<std::string> over_;
  std::uint64_t batched_ = 0;
  std::uint64_t brief_ = 0;
  std::uint64_t put_off_ = 0;
};

inline std::shared_ptr<const service::Room> room_of(Environment environment,
                                                    std::string name = "room") {
  Detector detector = Detector::make(environment).value();
  return std::make_shared<const service::Room>(std::move(name), std::move(environment),
                                               std::move(detector));
}

/// The same with a device that checks batches; it must be there.
inline std::shared_ptr<const service::Room> room_with_device(const Environment& environment,
                                                             const DetectorOptions& device,
                                                             service::Log log = nullptr) {
  Detector on_device = Detector::make(environment, device).value();
  auto out =
      std::make_shared<service::Room>("room", environment, Detector::make(environment).value());
  out->device = std::make_shared<service::RoomDevice>("room", std::move(on_device), std::move(log));
  return out;
}

/// An avatar's links as a client sends them.
inline AvatarModel model_of(const Avatar& avatar) {
  AvatarModel model;
  model.name = avatar.name();
  const auto joints = avatar.skeleton().joints();
  for (const Link& link : avatar.links()) {
    LinkModel out;
    out.name = link.name;
    out.joint = joints[static_cast<std::size_t>(link.joint)].name;
    out.a.offset = link.a;
    out.b.offset = link.b;
    out.radius = link.radius;
    model.links.push_back(std::move(out));
  }
  return model;
}

inline TrackOptions options_of(const RandomTake& take) {
  TrackOptions options;
  options.skeleton = take.motion.skeleton();
  options.model = model_of(take.avatar);
  return options;
}

/// Frame `k` of a motion, with id `k` at its time.
inline TrackFrame frame_of(const Motion& motion, std::int64_t k) {
  const auto pose = motion.pose(k);
  return {static_cast<std::uint64_t>(k), motion.seconds(k), {pose.begin(), pose.end()}};
}

/// One session, its stream and its worker.
struct SessionRig {
  std::shared_ptr<ManualScheduler> scheduler = std::make_shared<ManualScheduler>();
  std::shared_ptr<service::Principal> principal = std::make_shared<service::Principal>();
  std::shared_ptr<std::atomic<std::size_t>> slots = std::make_shared<std::atomic<std::size_t>>(0);
  std::shared_ptr<const service::Room> room;
  service::SessionLimits limits;
  bool record_required = false;
  std::shared_ptr<FakeOutlet> outlet = std::make_shared<FakeOutlet>();
  std::shared_ptr<Session> session;
  TrackOpened opened;
  Problem problem;
  std::vector<std::string> log;

  explicit SessionRig(std::shared_ptr<const service::Room> in) : room(std::move(in)) {
    principal->name = "tester";
  }
  SessionRig(const SessionRig&) = delete;
  SessionRig& operator=(const SessionRig&) = delete;
  /// What is still scheduled holds its session, which holds the scheduler.
  ~SessionRig() {
    if (session) session->close();
    scheduler->run_all();
  }

  bool open(const TrackOptions& options, service::MakeRecorder record = nullptr) {
    session = Session::create({.id = "0123456789abcdef0123456789abcdef",
                               .options = options,
                               .room = room,
                               .principal = principal,
                               .limits = limits,
                               .scheduler = scheduler,
                               .slot = service::SessionSlot(room, principal, slots),
                               .record = std::move(record),
                               .record_required = record_required,
                               .log = [this](const std::string& line) { log.push_back(line); }},
                              problem);
    if (!session) return false;
    const auto refused = session->attach(outlet, 0, opened);
    EXPECT_FALSE(refused);
    return !refused;
  }
  std::optional<Problem> offer(TrackFrame frame) {
    return session->offer(outlet.get(), std::move(frame), Clock::now());
  }
  std::vector<TrackReport> pull(std::size_t most = 1000) {
    return session->pull(outlet.get(), most);
  }
  /// Another stream, after so many reports.
  std::optional<Problem> attach(std::uint64_t received) {
    outlet = std::make_shared<FakeOutlet>();
    return session->attach(outlet, received, opened);
  }
  std::optional<TrackEnded> ended() { return session->ended(outlet.get()); }
};

}  // namespace tocsin::test
