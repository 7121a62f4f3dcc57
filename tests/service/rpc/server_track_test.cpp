// Sessions over a real port: their whole story, and streams that break.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "service/rpc/checked_reports.h"
#include "service/rpc/live_server.h"

namespace tocsin::server_track_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using test::LiveOptions;
using test::LiveServer;
using test::Stream;
using test::Walk;

TEST(ServerTrack, TellsTheWholeStoryOfASession) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  Stream stream(*stub);
  const v1::Opened opened = stream.open(walk.open());
  EXPECT_EQ(opened.session_id().size(), 32);
  EXPECT_EQ(opened.environment().name(), "hall");
  EXPECT_EQ(opened.avatar(), "humanoid16");
  EXPECT_EQ(opened.links_size(), 16);
  EXPECT_EQ(opened.backend(), "cpu");
  EXPECT_EQ(opened.next_step(), 0U);
  EXPECT_FALSE(opened.has_covered());
  std::vector<v1::StepReport> reports;
  for (std::int64_t f = 0; f < walk.count(); ++f) {
    ASSERT_TRUE(stream.write(walk.frames(f, f)));
    if (f == 0) continue;
    for (v1::StepReport& report : stream.reports(1)) {
      EXPECT_GT(report.timing().total(), 0.0);
      EXPECT_EQ(report.skipped_size(), 0);
      reports.push_back(std::move(report));
    }
  }
  EXPECT_EQ(test::covered_frames(reports).size(), static_cast<std::size_t>(walk.count()));
  const std::size_t contacts = test::expect_checked(reports, walk, live);
  EXPECT_GT(contacts, 500U);  // or this proves little
  stream.half_close();
  const grpc::Status status = [&] {
    EXPECT_TRUE(stream.reports(1).empty());
    return stream.status();
  }();
  EXPECT_TRUE(status.ok()) << status.error_message();
  ASSERT_TRUE(stream.ended);
  EXPECT_EQ(stream.ended->steps(), reports.size());
  EXPECT_EQ(stream.ended->contacts(), contacts);
  EXPECT_EQ(stream.ended->skipped_frames(), 0U);
  EXPECT_TRUE(test::eventually([&] { return live.engine().counts().sessions == 0; }));
}

// The time of every turn is over at once: a unit of work in each.
TEST(ServerTrack, TellsWhatIsProvedOfAStepInParts) {
  LiveOptions options;
  options.engine.limits.step_seconds = 0.0;
  LiveServer live(options);
  const Walk walk;
  const auto stub = live.stub();
  Stream stream(*stub);
  stream.open(walk.open());
  std::vector<v1::StepReport> reports;
  std::size_t partials = 0;  // the stream gets the newest when it is ready for one
  for (std::int64_t f = 0; f < walk.count(); ++f) {
    ASSERT_TRUE(stream.write(walk.frames(f, f)));
    if (f == 0) continue;
    stream.partials.clear();
    for (v1::StepReport& report : stream.reports(1)) reports.push_back(std::move(report));
    ASSERT_EQ(reports.size(), static_cast<std::size_t>(f));
    const v1::StepReport& whole = reports.back();
    EXPECT_FALSE(whole.incomplete());
    for (const v1::StepReport& partial : stream.partials) {
      EXPECT_TRUE(partial.incomplete());
      EXPECT_EQ(partial.step(), whole.step());
      EXPECT_EQ(partial.to().id(), whole.to().id());
      EXPECT_LT(partial.timing().parts(), whole.timing().parts());
      int until = 0;
      for (const v1::Contact& contact : whole.contacts()) {
        if (contact.toc_low() >= partial.checked_until()) continue;
        ASSERT_LT(until, partial.contacts_size());
        EXPECT_EQ(partial.contacts(until).SerializeAsString(), contact.SerializeAsString());
        ++until;
      }
      EXPECT_EQ(until, partial.contacts_size());
      ++partials;
    }
  }
  EXPECT_GT(partials, 0U);
  EXPECT_GT(test::expect_checked(reports, walk, live), 500U);
  stream.half_close();
  EXPECT_TRUE(stream.reports(1).empty());
  ASSERT_TRUE(stream.ended);
  EXPECT_GT(stream.ended->parted_steps(), reports.size() / 2);
}

TEST(ServerTrack, TakesManyFramesOfOneMessage) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  Stream stream(*stub);
  stream.open(walk.open());
  ASSERT_TRUE(stream.write(walk.frames(0, walk.count() - 1)));
  stream.half_close();
  const auto reports = stream.reports(10'000);
  ASSERT_TRUE(stream.ended);
  EXPECT_TRUE(stream.status().ok());
  const auto covered = test::covered_frames(reports);
  EXPECT_EQ(covered.back(), walk.count() - 1);
  std::uint64_t skipped = 0;
  for (const v1::StepReport& report : reports) {
    for (const v1::IdRange& range : report.skipped()) skipped += range.last() - range.first() + 1;
  }
  EXPECT_EQ(covered.size() + skipped, static_cast<std::size_t>(walk.count()));
  EXPECT_EQ(stream.ended->skipped_frames(), skipped);
  test::expect_checked(reports, walk, live);
}

TEST(ServerTrack, ASessionWithoutFramesEnds) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  Stream stream(*stub);
  stream.open(walk.open());
  stream.half_close();
  EXPECT_TRUE(stream.reports(1).empty());
  EXPECT_TRUE(stream.status().ok());
  ASSERT_TRUE(stream.ended);
  EXPECT_EQ(stream.ended->steps(), 0U);
}

/// Streams that break at any moment: what the client did not get comes again, and the contacts are
/// those of one unbroken walk.
TEST(ServerTrack, ResumesWithoutAHole) {
  LiveServer live;
  const Walk walk;
  std::vector<v1::StepReport> reports;
  std::string id;
  std::int64_t next = 0;
  for (int part = 0; next < walk.count(); ++part) {
    const auto stub = live.stub();
    Stream stream(*stub);
    if (part == 0) {
      id = stream.open(walk.open()).session_id();
    } else {
      v1::TrackRequest resume;
      resume.mutable_resume()->set_session_id(id);
      resume.mutable_resume()->set_received_steps(reports.size());
      const v1::Opened opened = stream.open(resume);
      EXPECT_EQ(opened.session_id(), id);
      EXPECT_EQ(opened.next_step(), reports.size());
      // What was lost on the way is sent again: everything, if the first stream broke before a
      // frame had come.
      ASSERT_TRUE(opened.has_covered() || reports.empty());
      next = opened.has_covered() ? static_cast<std::int64_t>(opened.covered().id()) + 1 : 0;
    }
    const std::int64_t last = std::min(next + 6, walk.count() - 1);
    for (; next <= last; ++next) ASSERT_TRUE(stream.write(walk.frames(next, next)));
    if (next < walk.count()) {
      // Some parts read everything, some little, some nothing.
      for (auto& report : stream.reports(static_cast<std::size_t>(part % 3) * 3)) {
        reports.push_back(std::move(report));
      }
      continue;  // the stream breaks
    }
    stream.half_close();
    for (auto& report : stream.reports(10'000)) reports.push_back(std::move(report));
    EXPECT_TRUE(stream.status().ok());
    ASSERT_TRUE(stream.ended);
    EXPECT_EQ(stream.ended->steps(), reports.size());
  }
  EXPECT_EQ(test::covered_frames(reports).back(), walk.count() - 1);
  EXPECT_GT(test::expect_checked(reports, walk, live), 100U);
}

/// gRPC tells a lost connection and a closed side by the same event. If one is ever taken for the
/// other, the session is gone and cannot be resumed.
TEST(ServerTrack, ALostConnectionIsNotTakenForTheEnd) {
  LiveServer live;
  const Walk walk;
  for (int i = 0; i < 150; ++i) {
    std::string id;
    {
      const auto stub = live.stub();
      Stream stream(*stub);
      id = stream.open(walk.open()).session_id();
      stream.write(walk.frames(0, 3));
      if (i % 3 == 0) stream.reports(1);
      if (i % 2 == 0) stream.cancel();
    }
    const auto stub = live.stub();
    Stream stream(*stub);
    v1::TrackRequest resume;
    resume.mutable_resume()->set_session_id(id);
    ASSERT_EQ(stream.open(resume).session_id(), id) << i;
    stream.half_close();
    stream.reports(10'000);
    ASSERT_TRUE(stream.status().ok()) << i;
  }
  EXPECT_TRUE(test::eventually([&] { return live.engine().counts().sessions == 0; }));
}

TEST(ServerTrack, AnotherStreamTakesTheSessionOver) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  Stream first(*stub);
  const std::string id = first.open(walk.open()).session_id();
  ASSERT_TRUE(first.write(walk.frames(0, 2)));
  EXPECT_EQ(first.reports(2).size(), 2U);
  Stream second(*stub);
  v1::TrackRequest resume;
  resume.mutable_resume()->set_session_id(id);
  resume.mutable_resume()->set_received_steps(1);
  EXPECT_EQ(second.open(resume).next_step(), 1U);
  EXPECT_EQ(first.status().error_code(), grpc::StatusCode::ABORTED);
  const auto again = second.reports(1);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again.front().step(), 1U);
  ASSERT_TRUE(second.write(walk.frames(3, 3)));
  EXPECT_EQ(second.reports(1).size(), 1U);
}

TEST(ServerTrack, RefusesToResumeWhatIsNotThere) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  v1::TrackRequest resume;
  resume.mutable_resume()->set_session_id("0123456789abcdef0123456789abcdef");
  EXPECT_EQ(test::refusal(*stub, resume).error_code(), grpc::StatusCode::NOT_FOUND);
  Stream stream(*stub);
  resume.mutable_resume()->set_session_id(stream.open(walk.open()).session_id());
  resume.mutable_resume()->set_received_steps(7);
  const grpc::Status status = test::refusal(*stub, resume);
  EXPECT_EQ(status.error_code(), grpc::StatusCode::OUT_OF_RANGE);
  EXPECT_EQ(status.error_message().find(resume.resume().session_id()), std::string::npos);
}

/// A client that reads nothing must cost no more memory than its session may keep, and disturb
/// nobody; when it reads on there is no hole.
TEST(ServerTrack, ASlowReaderIsHeldBack) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  Stream slow(*stub);
  slow.open(walk.open());
  constexpr std::int64_t kFrames = 6000;  // several times what gRPC's windows hold
  for (std::int64_t f = 0; f < kFrames; f += 20) ASSERT_TRUE(slow.write(walk.frames(f, f + 19)));
  const auto other_stub = live.stub();
  Stream other(*other_stub);
  other.open(walk.open());
  for (std::int64_t f = 0; f < walk.count(); ++f) {
    ASSERT_TRUE(other.write(walk.frames(f, f)));
    if (f > 0) {
      ASSERT_EQ(other.reports(1).size(), 1U);
    }
  }
  slow.half_close();
  const auto reports = slow.reports(100'000);
  EXPECT_TRUE(slow.status().ok());
  ASSERT_TRUE(slow.ended);
  const auto covered = test::covered_frames(reports);
  EXPECT_EQ(covered.back(), kFrames - 1);
  EXPECT_GT(slow.ended->skipped_frames(), 0U) << "the windows held everything";
  EXPECT_EQ(covered.size() + slow.ended->skipped_frames(), static_cast<std::size_t>(kFrames));
  test::expect_checked(reports, walk, live);
}

TEST(ServerTrack, OverloadEndsAStreamThatMayNotSkip) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  Stream stream(*stub);
  v1::TrackRequest open = walk.open();
  open.mutable_open()->set_coalesce(false);
  const std::string id = stream.open(open).session_id();
  stream.write(walk.frames(0, walk.count() - 1));
  const auto reports = stream.reports(10'000);
  const grpc::Status status = stream.status();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED) << status.error_message();
  // It goes on where it stopped.
  Stream again(*stub);
  v1::TrackRequest resume;
  resume.mutable_resume()->set_session_id(id);
  resume.mutable_resume()->set_received_steps(reports.size());
  EXPECT_EQ(again.open(resume).next_step(), reports.size());
}

TEST(ServerTrack, ManyStreamsOnOneConnection) {
  LiveServer live;
  const Walk walk(0.5);
  const auto stub = live.stub();
  std::vector<std::thread> clients;
  std::atomic<int> good{0};
  for (int c = 0; c < 24; ++c) {
    clients.emplace_back([&] {
      Stream stream(*stub);
      stream.open(walk.open());
      std::vector<v1::StepReport> reports;
      for (std::int64_t f = 0; f < walk.count(); ++f) {
        if (!stream.write(walk.frames(f, f))) return;
        if (f > 0)
          for (auto& report : stream.reports(1)) reports.push_back(std::move(report));
      }
      stream.half_close();
      stream.reports(1);
      if (stream.status().ok() && test::covered_frames(reports).back() == walk.count() - 1) ++good;
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(good, 24);
}

TEST(ServerTrack, ASessionThatItsClientNeverHeardOfIsForgotten) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  for (int i = 0; i < 50; ++i) {
    Stream stream(*stub);
    stream.write(walk.open());
    stream.cancel();
  }
  // Time to live is a minute: only what was abandoned can be gone sooner. Some answers may have
  // been on their way before the cancellation came.
  Stream last(*stub);
  last.open(walk.open());
  EXPECT_TRUE(test::eventually([&] { return live.engine().counts().attached == 1; }));
}

}  // namespace
}  // namespace tocsin::server_track_test
