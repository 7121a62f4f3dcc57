// A server goes on with sessions from the records that another one left. A crash is a copy of the
// folder: what the kernel has of it at that moment, and no lock.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "service/engine_fixture.h"

namespace tocsin::test {

namespace fs = std::filesystem;

inline constexpr std::int64_t kLast = 40;  // frame

/// Sessions of one engine that another goes on with.
class TakeOverTest : public EngineTest {
 protected:
  service::EngineOptions engine_options(const fs::path& records) const {
    service::EngineOptions out;
    out.threads = 2;
    out.limits.pending_frames = 64;  // none is skipped
    out.record = records;
    out.record_rules.reserve = 0;
    return out;
  }
  fs::path records(const std::string& name) const { return folder_.path() / name; }
  /// What a crash leaves.
  fs::path crashed(const fs::path& of) {
    const fs::path to = folder_.path() / ("crash" + std::to_string(crashes_++));
    fs::copy(of, to, fs::copy_options::recursive);
    return to;
  }
  std::shared_ptr<Session> resume(Engine& engine, std::uint64_t received,
                                  const std::shared_ptr<Outlet>& outlet,
                                  const std::string& who = "anyone") {
    return engine.resume(somebody(who), id_, received, outlet, opened_, problem_);
  }
  std::shared_ptr<Principal> member_of(const std::string& group, const std::string& name) const {
    auto out = somebody(name);
    out->shares = group;
    return out;
  }
  /// Rooms that are kept below a folder of records.
  static std::shared_ptr<Environments> rooms_of(const fs::path& folder) {
    RoomPolicy policy;
    policy.keep = folder / "rooms";
    return std::make_shared<Environments>(policy);
  }
  void upload(Environments& rooms, const Principal& owner, const service::RoomRequest& request) {
    const fs::path copy = folder_.path() / "upload.obj";
    fs::copy_file(folder_.path() / "room0.obj", copy, fs::copy_options::overwrite_existing);
    std::vector<std::string> warnings;
    const auto loaded = rooms.load_upload(owner, request, copy, "house.obj", {}, warnings);
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  }
  /// A session in an uploaded room.
  std::vector<TrackReport> begin_in(Engine& engine, const std::shared_ptr<Principal>& who,
                                    const std::string& name, std::int64_t last) {
    TrackOptions wanted = options();
    wanted.environment = name;
    wanted.frame_seconds = take_[0].motion.frame_time();
    outlet_ = std::make_shared<WaitingOutlet>();
    session_ = engine.open(who, wanted, outlet_, opened_, problem_);
    EXPECT_TRUE(session_) << problem_.message;
    id_ = opened_.session_id;
    return walk(*session_, *outlet_, take_[0], last);
  }
  /// Opens a session, and covers the frames to `last`.
  std::vector<TrackReport> begin(Engine& engine, std::int64_t last, bool even = true) {
    TrackOptions wanted = options();
    wanted.lookahead = 0.1;
    if (even) wanted.frame_seconds = take_[0].motion.frame_time();
    session_ = engine.open(anyone_, wanted, outlet_, opened_, problem_);
    EXPECT_TRUE(session_) << problem_.message;
    id_ = opened_.session_id;
    return walk(*session_, *outlet_, take_[0], last);
  }
  /// Offers the frames after `after`, and takes the reports until that of the last one.
  std::vector<TrackReport> go_on(Session& session, WaitingOutlet& outlet, std::uint64_t after) {
    std::vector<TrackReport> out;
    for (auto k = static_cast<std::int64_t>(after) + 1; k <= kLast; ++k) {
      EXPECT_FALSE(session.offer(&outlet, frame_of(take_[0].motion, k), Clock::now()));
    }
    const auto end = Clock::now() + seconds(60);
    while (Clock::now() < end && (out.empty() || out.back().to.id != kLast)) {
      for (TrackReport& report : session.pull(&outlet, 100)) out.push_back(std::move(report));
      if (out.empty() || out.back().to.id != kLast) outlet.wait();
    }
    return out;
  }
  /// They join from the first frame to the last, and hold what a check finds of their poses.
  void expect_whole(const std::vector<TrackReport>& reports, bool even = true) const {
    ASSERT_FALSE(reports.empty());
    EXPECT_EQ(reports.front().from.id, 0U);
    EXPECT_EQ(reports.back().to.id, static_cast<std::uint64_t>(kLast));
    std::vector<Transform> poses;
    std::vector<double> ticks;
    for (std::size_t i = 0; i <= reports.size(); ++i) {
      const FrameStamp at = i == 0 ? reports[0].from : reports[i - 1].to;
      if (i < reports.size()) {
        EXPECT_EQ(reports[i].from, at) << "a hole";
        EXPECT_EQ(reports[i].result.step, static_cast<std::int64_t>(i));
      }
      const auto pose = take_[0].motion.pose(static_cast<std::int64_t>(at.id));
      poses.insert(poses.end(), pose.begin(), pose.end());
      ticks.push_back(even ? static_cast<double>(at.id) : at.capture_time);
    }
    const auto motion = Motion::create_timed(take_[0].motion.skeleton(), 1.0, ticks, poses);
    ASSERT_TRUE(motion.ok());
    std::size_t i = 0;
    std::size_t contacts = 0;
    const Detector detector = Detector::make(room("room0")->environment).value();
    ASSERT_TRUE(detector
                    .run(take_[0].avatar, motion->steps().value(), {.threads = 1},
                         [&](const StepReport& want) {
                           EXPECT_EQ(reports[i].result.contacts, want.contacts) << i;
                           EXPECT_EQ(reports[i].result.safe_until, want.safe_until) << i;
                           contacts += want.contacts.size();
                           ++i;
                           return true;
                         })
                    .ok());
    EXPECT_EQ(i, reports.size());
    EXPECT_GT(contacts, 0U);
  }

  std::shared_ptr<WaitingOutlet> outlet_ = std::make_shared<WaitingOutlet>();
  std::shared_ptr<Session> session_;
  std::string id_;
  int crashes_ = 0;
};

/// The reports of a session that its server lost, continued by another.
inline void append(std::vector<TrackReport>& to, std::vector<TrackReport> more) {
  for (TrackReport& report : more) to.push_back(std::move(report));
}

}  // namespace tocsin::test
