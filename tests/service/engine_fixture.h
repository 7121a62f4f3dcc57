// An engine's rooms, and clients that run on threads of their own.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "service/engine.h"
#include "service/session/session_rig.h"
#include "support/test_folder.h"

namespace tocsin::test {

using service::Engine;
using service::Environments;
using service::Outlet;
using service::Principal;
using service::Room;
using service::RoomPolicy;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// Waits for what a session says. Told by any thread.
class WaitingOutlet : public Outlet {
 public:
  void ready() override {
    const std::lock_guard lock(mutex_);
    EXPECT_FALSE(calling_.exchange(true)) << "two calls at a time";
    EXPECT_FALSE(problem_) << "told to pull after its end";
    ready_ = true;
    wake_.notify_all();
    calling_ = false;
  }
  void refuse(const Problem& problem) override {
    EXPECT_FALSE(calling_.exchange(true)) << "two calls at a time";
    const std::lock_guard lock(mutex_);
    EXPECT_FALSE(problem_) << "refused twice";
    problem_ = problem;
    wake_.notify_all();
    calling_ = false;
  }
  /// Until it is told something, or a while has passed.
  void wait(milliseconds most = milliseconds(50)) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, most, [this] { return ready_ || problem_; });
    ready_ = false;
  }
  std::optional<Problem> problem() {
    const std::lock_guard lock(mutex_);
    return problem_;
  }

 private:
  std::atomic<bool> calling_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ready_ = false;
  std::optional<Problem> problem_;
};

class EngineTest : public testing::Test {
 protected:
  explicit EngineTest(RoomPolicy policy = {})
      : random_(81), rooms_(std::make_shared<Environments>(std::move(policy))) {
    for (int i = 0; i < 2; ++i) {
      take_.push_back(random_take(random_, 6, 60, 0.3, 0.05));
      add_room("room" + std::to_string(i));
    }
    anyone_ = somebody("anyone");
  }

  void add_room(const std::string& name) {
    const auto file = folder_.path() / (name + ".obj");
    const Status saved = save_environment(random_room(random_, 5, 40, 1.5), file);
    ASSERT_TRUE(saved) << saved.error().message;
    std::vector<std::string> warnings;
    const std::vector<std::filesystem::path> files{file};
    const auto loaded = rooms_->load(name, files, {}, warnings);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  }
  static std::shared_ptr<Principal> somebody(const std::string& name) {
    auto out = std::make_shared<Principal>();
    out->name = name;
    return out;
  }
  TrackOptions options(std::size_t room = 0) const {
    TrackOptions out = options_of(take_[room]);
    out.environment = "room" + std::to_string(room);
    return out;
  }
  std::shared_ptr<const Room> room(const std::string& name) const {
    std::string problem;
    return rooms_->find(*anyone_, name, problem);
  }

  TestFolder folder_;
  RandomLinks random_;
  std::vector<RandomTake> take_;
  std::shared_ptr<Environments> rooms_;
  std::shared_ptr<Principal> anyone_;
  TrackOpened opened_;
  Problem problem_;
};

/// Sends all of a take's frames that a session takes at once, and reads the reports.
inline std::vector<TrackReport> walk(Session& session, WaitingOutlet& outlet,
                                     const RandomTake& take, std::int64_t last) {
  for (std::int64_t k = 0; k <= last; ++k) {
    EXPECT_FALSE(session.offer(&outlet, frame_of(take.motion, k), Clock::now()));
  }
  std::vector<TrackReport> out;
  const auto end = Clock::now() + seconds(60);
  while (Clock::now() < end &&
         (out.empty() || out.back().to.id != static_cast<std::uint64_t>(last))) {
    outlet.wait();
    for (TrackReport& report : session.pull(&outlet, 100)) out.push_back(std::move(report));
  }
  return out;
}

/// A client with one session, on its own thread: sends a take, loses its stream now and then, reads
/// slowly now and then, and checks what comes back.
class EngineClient {
 public:
  EngineClient(Engine& engine, std::shared_ptr<Principal> principal, const RandomTake& take,
               TrackOptions options, std::uint64_t seed)
      : engine_(engine),
        principal_(std::move(principal)),
        take_(take),
        options_(std::move(options)),
        random_(seed) {}

  /// Until its end, or until the service closes.
  void run() {
    TrackOpened opened;
    Problem problem;
    session_ = engine_.open(principal_, options_, outlet_, opened, problem);
    if (!session_) {
      EXPECT_EQ(problem.refusal, Refusal::kClosing) << problem.message;
      closed_ = true;
      return;
    }
    id_ = opened.session_id;
    for (std::int64_t k = 0; k < take_.motion.frame_count() && !closed_; ++k) {
      if (random_() % 8 == 0) continue;  // lost
      if (random_() % 24 == 0) reconnect();
      if (closed_) break;
      send(k);
      if (random_() % 3 != 0) read();
      if (random_() % 8 == 0) std::this_thread::sleep_for(milliseconds(1));
    }
    session_->finish(outlet_.get());
    const auto end = Clock::now() + seconds(60);
    while (!closed_ && !ended_ && Clock::now() < end) {
      outlet_->wait();
      read();
      ended_ = session_->ended(outlet_.get());
      closed_ = closed_ || outlet_->problem();
    }
    read();
    session_->detach(outlet_.get());
  }

  /// Joined without a hole, and bit for bit what a check finds; returns the contacts.
  std::size_t compare(const Room& room) const {
    std::vector<Transform> poses;
    std::vector<double> ticks;
    for (std::size_t i = 0; i <= reports_.size() && !reports_.empty(); ++i) {
      const FrameStamp at = i == 0 ? reports_[0].from : reports_[i - 1].to;
      EXPECT_TRUE(i == 0 || i == reports_.size() || reports_[i].from == at);
      const auto pose = take_.motion.pose(static_cast<std::int64_t>(at.id));
      poses.insert(poses.end(), pose.begin(), pose.end());
      ticks.push_back(at.capture_time);
    }
    if (reports_.empty()) return 0;
    const auto motion = Motion::create_timed(take_.motion.skeleton(), 1.0, ticks, poses);
    EXPECT_TRUE(motion.ok());
    std::size_t i = 0;
    std::size_t contacts = 0;
    const Detector detector = Detector::make(room.environment).value();
    const Member member{
        take_.avatar, {}, options_.spec.self ? LinkPairs::of(take_.avatar) : LinkPairs()};
    EXPECT_TRUE(
        detector.run(member, motion->steps().value(), {.threads = 1}, [&](const StepReport& want) {
          EXPECT_EQ(reports_[i].result.contacts, want.contacts);
          EXPECT_EQ(reports_[i].result.safe_until, want.safe_until);
          EXPECT_EQ(reports_[i].result.step, want.step);
          contacts += want.contacts.size();
          ++i;
          return true;
        }));
    EXPECT_EQ(i, reports_.size());
    return contacts;
  }

  std::vector<TrackReport> reports_;
  std::optional<TrackEnded> ended_;
  std::uint64_t offered_ = 0;
  int resumes_ = 0;
  bool closed_ = false;

 private:
  void send(std::int64_t k) {
    // As for a crowd, while workers run it.
    Session::prefetch_it(session_.get());
    session_->prefetch_behind();
    const auto problem = session_->offer(outlet_.get(), frame_of(take_.motion, k), Clock::now());
    EXPECT_FALSE(problem) << problem->message;
    ++offered_;
    closed_ = closed_ || outlet_->problem();
  }
  void read() {
    for (TrackReport& report : session_->pull(outlet_.get(), 1 + random_() % 8)) {
      reports_.push_back(std::move(report));
    }
  }
  void reconnect() {
    if (random_() % 2 == 0) session_->detach(outlet_.get());
    // What the client has read it has; some of it is lost on its way.
    for (auto lost = random_() % 3; lost > 0 && !reports_.empty(); --lost) reports_.pop_back();
    const auto next = std::make_shared<WaitingOutlet>();
    TrackOpened opened;
    Problem problem;
    const auto session = engine_.resume(principal_, id_, reports_.size(), next, opened, problem);
    if (!session) {
      EXPECT_EQ(problem.refusal, Refusal::kClosing) << problem.message;
      session_->detach(outlet_.get());  // what was lost cannot come again
      closed_ = true;
      return;
    }
    EXPECT_EQ(session, session_);
    EXPECT_EQ(opened.next_step, reports_.size());
    outlet_ = next;
    ++resumes_;
  }

  Engine& engine_;
  std::shared_ptr<Principal> principal_;
  const RandomTake& take_;
  TrackOptions options_;
  std::mt19937_64 random_;
  std::shared_ptr<WaitingOutlet> outlet_ = std::make_shared<WaitingOutlet>();
  std::shared_ptr<Session> session_;
  std::string id_;
};

}  // namespace tocsin::test
