// A server goes on with the sessions of another one (take_over_rig.h): what the client gets, and
// who.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "service/records/take_over_rig.h"
#include "service/session/session_id.h"

namespace tocsin::test::take_over_test {
namespace {

TEST_F(TakeOverTest, AfterACrashTheClientGoesOnWithoutAHole) {
  std::size_t foreseen = 0;
  for (const bool even : {true, false}) {
    for (const std::uint64_t lost : {0U, 1U, 7U, 20U}) {
      SCOPED_TRACE(lost);
      outlet_ = std::make_shared<WaitingOutlet>();
      const fs::path folder = records(even ? "even" : "uneven") / std::to_string(lost);
      Engine first(engine_options(folder), rooms_);
      std::vector<TrackReport> reports = begin(first, 20, even);
      const std::vector<TrackReport> told = reports;
      const fs::path left = crashed(folder);
      // The last of the reports were on their way.
      reports.resize(reports.size() - std::min<std::size_t>(lost, reports.size()));
      Engine second(engine_options(left), rooms_);
      auto outlet = std::make_shared<WaitingOutlet>();
      const auto session = resume(second, reports.size(), outlet);
      ASSERT_TRUE(session) << problem_.message;
      EXPECT_EQ(opened_.session_id, id_);
      EXPECT_EQ(opened_.next_step, reports.size());
      ASSERT_TRUE(opened_.covered);
      EXPECT_EQ(opened_.covered->id, 20U);
      EXPECT_EQ(opened_.environment.name, "room0");
      append(reports, go_on(*session, *outlet, opened_.covered->id));
      for (std::size_t i = 0; i < told.size(); ++i) {
        EXPECT_EQ(reports[i].result.contacts, told[i].result.contacts) << i;
        EXPECT_EQ(reports[i].to, told[i].to) << i;
        // Of capture times a session that begins later has other rounding.
        EXPECT_TRUE(!even || reports[i].ahead == told[i].ahead) << i;
      }
      foreseen += static_cast<std::size_t>(
          std::count_if(reports.begin(), reports.end(),
                        [](const TrackReport& report) { return report.ahead.has_value(); }));
      expect_whole(reports, even);
      EXPECT_EQ(second.metrics().taken_over.value(), 1U);
    }
  }
  EXPECT_GT(foreseen, 20U);
}

/// A tracker's session: the next server holds what is lost as the first one would have.
TEST_F(TakeOverTest, JointsThatATrackerLostAreHeldOn) {
  TrackOptions wanted = options();
  wanted.frame_seconds = take_[0].motion.frame_time();
  wanted.tracker = {.axes = kUnityAxes, .hold_missing = true};
  const auto frame = [&](std::int64_t k) {
    TrackFrame out = frame_of(take_[0].motion, k);
    // The first frame that the next server gets lacks a joint, and one before did.
    if (k % 4 == 1) out.pose[1].rotation = {0, 0, 0, 0};
    if (k == 21) out.pose[2].rotation = {0, 0, 0, 0};
    return out;
  };
  const auto send = [&](Session& session, WaitingOutlet& outlet, std::int64_t first,
                        std::int64_t last) {
    std::vector<TrackReport> out;
    for (std::int64_t k = first; k <= last; ++k) {
      EXPECT_FALSE(session.offer(&outlet, frame(k), Clock::now()));
    }
    const auto end = Clock::now() + seconds(60);
    while (Clock::now() < end && (out.empty() || out.back().to.id != std::uint64_t(last))) {
      append(out, session.pull(&outlet, 100));
      if (out.empty() || out.back().to.id != std::uint64_t(last)) outlet.wait();
    }
    return out;
  };
  const fs::path folder = records("tracker");
  Engine first(engine_options(folder), rooms_);
  session_ = first.open(anyone_, wanted, outlet_, opened_, problem_);
  ASSERT_TRUE(session_) << problem_.message;
  id_ = opened_.session_id;
  std::vector<TrackReport> reports = send(*session_, *outlet_, 0, 20);
  Engine second(engine_options(crashed(folder)), rooms_);
  auto outlet = std::make_shared<WaitingOutlet>();
  // Without the last four reports, of which one has a joint that was held.
  reports.resize(reports.size() - 4);
  const auto on = resume(second, reports.size(), outlet);
  ASSERT_TRUE(on) << problem_.message;
  EXPECT_EQ(on->identity().tracker, wanted.tracker);
  append(reports, send(*on, *outlet, 21, kLast));
  // As if there had been one server.
  Engine whole(engine_options(records("whole")), rooms_);
  auto other = std::make_shared<WaitingOutlet>();
  const auto alone = whole.open(anyone_, wanted, other, opened_, problem_);
  ASSERT_TRUE(alone) << problem_.message;
  const auto want = send(*alone, *other, 0, kLast);
  ASSERT_EQ(reports.size(), want.size());
  std::size_t held = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(reports[i].result.contacts, want[i].result.contacts) << i;
    EXPECT_EQ(reports[i].held, want[i].held) << i;
    held += want[i].held.size();
  }
  EXPECT_GT(held, 8U);
}

TEST_F(TakeOverTest, AServerThatEndsInOrderLeavesItsSessions) {
  const fs::path folder = records("one");
  std::vector<TrackReport> reports;
  {
    Engine first(engine_options(folder), rooms_);
    reports = begin(first, 20);
    auto other = std::make_shared<WaitingOutlet>();
    Engine early(engine_options(folder), rooms_);
    EXPECT_FALSE(resume(early, reports.size(), other));
    EXPECT_EQ(problem_.refusal, Refusal::kClosing) << "the first still has it";
    first.close(milliseconds(1000));
    session_.reset();
  }
  std::vector<std::string> parts;
  for (int server = 0; server < 3; ++server) {  // each takes it over from the one before
    Engine next(engine_options(folder), rooms_);
    auto outlet = std::make_shared<WaitingOutlet>();
    const auto session = resume(next, reports.size(), outlet);
    ASSERT_TRUE(session) << problem_.message;
    if (server == 2) append(reports, go_on(*session, *outlet, opened_.covered->id));
    next.close(milliseconds(1000));
  }
  expect_whole(reports);
  std::size_t verified = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl") continue;
    const CommandResult result = run_tocsin({"verify", entry.path().string()});
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    ++verified;
  }
  EXPECT_EQ(verified, 4U) << "a record for each server";
}

TEST_F(TakeOverTest, NobodyElseGetsIt) {
  const fs::path folder = records("one");
  Engine first(engine_options(folder), rooms_);
  const std::size_t told = begin(first, 10).size();
  Engine second(engine_options(crashed(folder)), rooms_);
  auto outlet = std::make_shared<WaitingOutlet>();
  EXPECT_FALSE(resume(second, told, outlet, "mallory"));
  EXPECT_EQ(problem_.refusal, Refusal::kNotFound);
  const std::string of_other = problem_.message;
  const std::string own = std::exchange(id_, std::string(32, '0'));
  EXPECT_FALSE(resume(second, told, outlet));
  EXPECT_EQ(problem_.message, of_other) << "as if there were none";
  id_ = "../" + own;
  EXPECT_FALSE(resume(second, told, outlet));
  // Nobody learns an id from the folder.
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    EXPECT_EQ(entry.path().string().find(own), std::string::npos);
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_EQ(bytes.find(own), std::string::npos) << entry.path();
  }
  id_ = own;
  EXPECT_TRUE(resume(second, told, outlet)) << problem_.message;
}

TEST_F(TakeOverTest, WhatIsOverStaysOver) {
  const fs::path folder = records("one");
  {
    Engine first(engine_options(folder), rooms_);
    const std::size_t told = begin(first, 10).size();
    EXPECT_EQ(told, 10U);
    session_->finish(outlet_.get());
    const auto end = Clock::now() + seconds(60);
    while (Clock::now() < end && !session_->ended(outlet_.get())) outlet_->wait();
    session_->detach(outlet_.get());
    session_.reset();
  }
  Engine second(engine_options(folder), rooms_);
  auto outlet = std::make_shared<WaitingOutlet>();
  EXPECT_FALSE(resume(second, 10, outlet));
  EXPECT_EQ(problem_.refusal, Refusal::kNotFound);
  EXPECT_TRUE(fs::is_empty(folder / "sessions"));
}

TEST_F(TakeOverTest, FramesThatWerePassedOverAreNamedAgain) {
  const fs::path folder = records("one");
  Engine first(engine_options(folder), rooms_);
  session_ = first.open(anyone_, options(), outlet_, opened_, problem_);
  ASSERT_TRUE(session_) << problem_.message;
  id_ = opened_.session_id;
  std::vector<TrackReport> told;
  for (std::int64_t k = 0; k <= 8; ++k) {
    TrackFrame frame = frame_of(take_[0].motion, k);
    if (k == 3 || k == 4) frame.pose[0].rotation.w = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(session_->offer(outlet_.get(), std::move(frame), Clock::now()));
  }
  while (told.empty() || told.back().to.id != 8) {
    outlet_->wait();
    for (TrackReport& report : session_->pull(outlet_.get(), 100)) told.push_back(report);
  }
  Engine second(engine_options(crashed(folder)), rooms_);
  auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = resume(second, 0, outlet);
  ASSERT_TRUE(session) << problem_.message;
  const std::vector<TrackReport> again = session->pull(outlet.get(), 100);
  ASSERT_EQ(again.size(), told.size());
  std::size_t bad = 0;
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(again[i].bad, told[i].bad) << i;
    EXPECT_EQ(again[i].skipped, told[i].skipped) << i;
    EXPECT_EQ(again[i].from, told[i].from) << i;
    bad += told[i].bad.size();
  }
  EXPECT_EQ(bad, 1U);
  // The report that names the first of them may be an earlier one: a server reads ahead.
  for (const auto& reports : {told, again}) {
    std::vector<std::string> named;
    for (const TrackReport& report : reports) {
      if (!report.first_bad_frame.empty()) named.push_back(report.first_bad_frame);
    }
    ASSERT_EQ(named.size(), 1U);
    EXPECT_TRUE(named[0].starts_with("frame 3: ")) << named[0];
  }
}

/// What the end says is about the whole session, whoever served it.
TEST_F(TakeOverTest, CountsGoOn) {
  const fs::path folder = records("one");
  Engine first(engine_options(folder), rooms_);
  std::vector<TrackReport> reports = begin(first, 20);
  const auto offer_again = [&](Session& session, WaitingOutlet& outlet, std::int64_t k) {
    EXPECT_FALSE(session.offer(&outlet, frame_of(take_[0].motion, k), Clock::now()));
  };
  for (const std::int64_t k : {3, 4, 20}) offer_again(*session_, *outlet_, k);  // 2 stale, 1 twice
  TrackFrame bad = frame_of(take_[0].motion, 21);
  bad.pose[0].rotation.w = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(session_->offer(outlet_.get(), std::move(bad), Clock::now()));
  offer_again(*session_, *outlet_, 22);
  while (reports.back().to.id != 22) {
    outlet_->wait();
    for (TrackReport& report : session_->pull(outlet_.get(), 100)) reports.push_back(report);
  }
  reports.resize(15);  // the others are on their way when the server dies
  Engine second(engine_options(crashed(folder)), rooms_);
  auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = resume(second, reports.size(), outlet);
  ASSERT_TRUE(session) << problem_.message;
  offer_again(*session, *outlet, 5);  // stale here
  append(reports, go_on(*session, *outlet, opened_.covered->id));
  EXPECT_EQ(reports[20].stale_frames, 2U) << "of the step to frame 22, which is made again";
  EXPECT_EQ(reports.back().stale_frames, 3U);
  EXPECT_EQ(reports.back().duplicate_frames, 1U);
  EXPECT_EQ(reports.back().bad_frames, 1U);
  EXPECT_EQ(std::count_if(reports.begin(), reports.end(),
                          [](const TrackReport& r) { return !r.first_bad_frame.empty(); }),
            1);
  session->finish(outlet.get());
  std::optional<TrackEnded> ended;
  for (int i = 0; i < 1200 && !ended; ++i) {
    outlet->wait();
    ended = session->ended(outlet.get());
  }
  ASSERT_TRUE(ended);
  std::uint64_t contacts = 0;
  for (const TrackReport& report : reports) contacts += report.result.contacts.size();
  EXPECT_GT(contacts, 0U);
  EXPECT_EQ(ended->contacts, contacts);
  EXPECT_EQ(ended->steps, reports.size());
  EXPECT_EQ(ended->stale_frames, 3U);
  EXPECT_EQ(ended->duplicate_frames, 1U);
  EXPECT_EQ(ended->bad_frames, 1U);
  EXPECT_TRUE(ended->first_bad_frame.starts_with("frame 21: ")) << ended->first_bad_frame;
  EXPECT_EQ(second.metrics().stale_frames.value(), 1U) << "a server counts what it got itself";
  EXPECT_EQ(second.metrics().bad_frames.value(), 0U);
}

/// Cuts the only .poses file at a byte.
void cut(const fs::path& folder, double share) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".poses") continue;
    const auto size = static_cast<double>(entry.file_size());
    fs::resize_file(entry.path(), static_cast<std::uintmax_t>(size * share));
  }
}

TEST_F(TakeOverTest, ACutRecordGivesWhatItHasOrNothing) {
  const fs::path folder = records("one");
  Engine first(engine_options(folder), rooms_);
  const std::vector<TrackReport> told = begin(first, 20);
  std::mt19937 random(19);
  int taken = 0;
  int refused = 0;
  for (int i = 0; i < 40; ++i) {
    const fs::path left = crashed(folder);
    cut(left, std::uniform_real_distribution<double>(0.0, 1.0)(random));
    const std::uint64_t received = random() % (told.size() + 1);
    Engine second(engine_options(left), rooms_);
    auto outlet = std::make_shared<WaitingOutlet>();
    const auto session = resume(second, received, outlet);
    if (!session) {
      ++refused;
      EXPECT_TRUE(problem_.refusal == Refusal::kOutOfRange ||
                  problem_.refusal == Refusal::kNotFound)
          << problem_.message;
      continue;
    }
    ++taken;
    std::vector<TrackReport> reports(told.begin(),
                                     told.begin() + static_cast<std::ptrdiff_t>(received));
    append(reports, go_on(*session, *outlet, opened_.covered->id));
    expect_whole(reports);
    fs::remove_all(left);
  }
  EXPECT_GT(taken, 5);
  EXPECT_GT(refused, 5);
}

/// What the folder says of its sessions, and its records.
std::vector<std::string> contents(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    out.push_back(entry.path().filename().string() + ": " +
                  std::string{std::istreambuf_iterator<char>(in), {}});
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST_F(TakeOverTest, WhatFailsLeavesTheRecordAsItWas) {
  const fs::path folder = records("one");
  Engine first(engine_options(folder), rooms_);
  std::vector<TrackReport> reports = begin(first, 20);
  const fs::path left = crashed(folder);
  const std::vector<std::string> before = contents(left);
  for (const bool record_required : {false, true}) {
    service::EngineOptions narrow = engine_options(left);
    narrow.record_rules.required = record_required;
    narrow.limits.kept_bytes = 1;  // one report, and the client lacks more
    Engine second(narrow, rooms_);
    auto outlet = std::make_shared<WaitingOutlet>();
    EXPECT_FALSE(resume(second, 5, outlet));
    EXPECT_EQ(problem_.refusal, Refusal::kOverloaded) << problem_.message;
    EXPECT_EQ(contents(left), before);
    EXPECT_EQ(second.counts().sessions, 0U);
  }
  {  // One report is within the limit.
    service::EngineOptions narrow = engine_options(crashed(left));
    narrow.limits.kept_bytes = 1;
    Engine second(narrow, rooms_);
    auto outlet = std::make_shared<WaitingOutlet>();
    EXPECT_TRUE(resume(second, reports.size() - 1, outlet)) << problem_.message;
  }
  Engine third(engine_options(left), rooms_);
  auto outlet = std::make_shared<WaitingOutlet>();
  reports.resize(5);
  const auto session = resume(third, reports.size(), outlet);
  ASSERT_TRUE(session) << problem_.message;
  append(reports, go_on(*session, *outlet, opened_.covered->id));
  expect_whole(reports);
}

TEST_F(TakeOverTest, WhatIsNotRecordedAnyMoreIsNotOfferedFromTheOldRecord) {
  const fs::path folder = records("one");
  Engine first(engine_options(folder), rooms_);
  const std::size_t told = begin(first, 20).size();
  const fs::path left = crashed(folder);
  service::EngineOptions full = engine_options(left);
  full.record_rules.reserve = std::uint64_t{1} << 62U;  // more than any disk has
  Engine second(full, rooms_);
  auto outlet = std::make_shared<WaitingOutlet>();
  EXPECT_TRUE(resume(second, told, outlet)) << problem_.message;
  EXPECT_TRUE(fs::is_empty(left / "sessions"));
}

TEST_F(TakeOverTest, ASessionThatCoveredNothingIsNotOffered) {
  const fs::path folder = records("one");
  Engine first(engine_options(folder), rooms_);
  session_ = first.open(anyone_, options(), outlet_, opened_, problem_);
  ASSERT_TRUE(session_) << problem_.message;
  id_ = opened_.session_id;
  EXPECT_FALSE(fs::exists(folder / "sessions")) << "its first pose enters it";
  Engine second(engine_options(crashed(folder)), rooms_);
  auto outlet = std::make_shared<WaitingOutlet>();
  EXPECT_FALSE(resume(second, 0, outlet));
  EXPECT_EQ(problem_.refusal, Refusal::kNotFound);
}

}  // namespace
}  // namespace tocsin::test::take_over_test
