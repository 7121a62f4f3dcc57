// Many sessions on one stream (TrackMany), over a real port.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "service/rpc/crowd_stream.h"
#include "service/rpc/live_server.h"

namespace tocsin::server_crowd_test {
namespace {

using test::CrowdStream;
using test::LiveOptions;
using test::LiveServer;
using test::ToldSession;
using test::Walk;

/// The take is checked with contacts, and with steps that are free.
TEST(ServerCrowd, TellsWhatTrackTells) {
  LiveServer live;
  const Walk walk = test::walk_with_free_steps();
  const auto stub = live.stub();
  CrowdStream stream(*stub);
  std::array<ToldSession, 5> crowd;
  for (std::uint32_t slot = 0; slot < crowd.size(); ++slot) {
    const v1::Opened opened = stream.begin(slot, crowd[slot], test::opening(slot, walk));
    EXPECT_EQ(opened.links_size(), 16);
    EXPECT_EQ(opened.next_step(), 0U);
  }
  for (std::int64_t f = 0; f < walk.count(); ++f) {
    v1::TrackManyRequest message;
    for (std::uint32_t slot = 0; slot < crowd.size(); ++slot) {
      // Each somewhere else in the take.
      test::add_frame(slot, static_cast<std::uint64_t>(f + 7 * slot), walk, *message.add_frames());
    }
    ASSERT_TRUE(stream.write(message));
    for (const ToldSession& session : crowd) {
      ASSERT_TRUE(
          stream.read_until([&] { return session.steps() == static_cast<std::uint64_t>(f); }));
    }
  }
  std::size_t contacts = 0;
  std::uint64_t free_steps = 0;
  for (std::uint32_t slot = 0; slot < crowd.size(); ++slot) {
    ASSERT_TRUE(stream.write(test::ending(slot)));
    ToldSession& session = crowd[slot];
    ASSERT_TRUE(stream.read_until([&] { return session.ended.has_value(); }));
    EXPECT_EQ(session.ended->steps(), static_cast<std::uint64_t>(walk.count() - 1));
    const std::size_t own = session.expect_checked(walk, live);
    EXPECT_EQ(session.ended->contacts(), own);
    contacts += own;
    free_steps += session.free_steps;
  }
  EXPECT_GT(contacts, 100U);  // or this proves little
  EXPECT_GT(free_steps, 10U);
  stream.half_close();
  EXPECT_FALSE(stream.read());
  const grpc::Status status = stream.status();
  EXPECT_TRUE(status.ok()) << status.error_message();
  EXPECT_TRUE(test::eventually([&] { return live.engine().counts().sessions == 0; }));
}

TEST(ServerCrowd, TakesFramesOfAllInOneMessage) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  CrowdStream stream(*stub);
  std::vector<ToldSession> crowd(150);
  for (std::uint32_t slot = 0; slot < crowd.size(); ++slot) {
    stream.begin(slot, crowd[slot], test::opening(slot, walk));
  }
  // Reports of one moment come together, not one by one: of some moment on any machine, be it so
  // slow that each has gone before the next one is there.
  const std::size_t few = crowd.size() / 4;
  std::size_t fewest = crowd.size();
  for (std::uint64_t f = 0; f < 12 || (f < 2000 && fewest >= few); ++f) {
    const std::size_t before = stream.messages;
    v1::TrackManyRequest message;
    v1::SlotFrames& frames = *message.add_frames();
    for (std::uint32_t slot = 0; slot < crowd.size(); ++slot) {
      test::add_frame(slot, f, walk, frames);
    }
    frames.clear_ids();  // one for all
    frames.add_ids(f);
    frames.clear_capture_times();
    frames.add_capture_times(static_cast<double>(f));
    ASSERT_TRUE(stream.write(message));
    for (const ToldSession& session : crowd) {
      ASSERT_TRUE(stream.read_until([&] { return session.steps() == f; }));
    }
    if (f > 0) fewest = std::min(fewest, stream.messages - before);
  }
  for (const ToldSession& session : crowd) session.expect_checked(walk, live);
  EXPECT_LT(fewest, few);
}

/// What the server does with a session's error: that session ends, and no other.
TEST(ServerCrowd, AnErrorEndsItsSlotAlone) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  CrowdStream stream(*stub);
  std::array<ToldSession, 4> crowd;
  stream.begin(0, crowd[0], test::opening(0, walk));
  stream.begin(1, crowd[1], test::opening(1, walk));
  const auto refused_with = [&](std::uint32_t slot, grpc::StatusCode code) {
    ToldSession& session = crowd[slot];
    ASSERT_TRUE(stream.read_until([&] { return session.refused.has_value(); }));
    EXPECT_EQ(session.refused->code(), static_cast<std::uint32_t>(code))
        << session.refused->message();
    EXPECT_FALSE(session.refused->message().empty());
  };
  // A frame's id that no frame may have.
  ASSERT_TRUE(stream.send(1, 5, walk));
  v1::TrackManyRequest message;
  test::add_frame(1, std::uint64_t{1} << 53U, walk, *message.add_frames());
  ASSERT_TRUE(stream.write(message));
  refused_with(1, grpc::StatusCode::INVALID_ARGUMENT);
  // Frames that were under way are passed over.
  ASSERT_TRUE(stream.send(1, 6, walk));
  // A session that there is not, a room that there is not.
  stream.slots[2] = &crowd[2];
  ToldSession nobody;
  nobody.id = "0123456789abcdef0123456789abcdef";
  ASSERT_TRUE(stream.write(test::resuming(2, nobody)));
  refused_with(2, grpc::StatusCode::NOT_FOUND);
  stream.slots[3] = &crowd[3];
  v1::TrackManyRequest nowhere = test::opening(3, walk);
  nowhere.mutable_openings(0)->mutable_open()->set_environment("nowhere");
  ASSERT_TRUE(stream.write(nowhere));
  refused_with(3, grpc::StatusCode::NOT_FOUND);
  // The session can be resumed, and its slot used again. The first goes on all the while.
  crowd[1].refused.reset();
  stream.begin(1, crowd[1], test::resuming(1, crowd[1]));
  for (std::uint64_t f = 0; f < 20; ++f) {
    ASSERT_TRUE(stream.send(0, f, walk));
    ASSERT_TRUE(stream.send(1, f + 6, walk));
  }
  for (const std::uint32_t slot : {0U, 1U}) {
    ASSERT_TRUE(stream.write(test::ending(slot)));
    ASSERT_TRUE(stream.read_until([&] { return crowd[slot].ended.has_value(); }));
    EXPECT_EQ(crowd[slot].covered.front(), slot == 0 ? 0 : 5);
    EXPECT_EQ(crowd[slot].covered.back(), slot == 0 ? 19 : 25);
    crowd[slot].expect_checked(walk, live);
  }
}

/// Messages against the rules end the stream; the session is there to be resumed.
TEST(ServerCrowd, RefusesMalformedMessages) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  std::vector<v1::TrackManyRequest> wrong;
  const auto spoilt = [&](const auto& spoil) {
    v1::TrackManyRequest message;
    v1::SlotFrames& frames = *message.add_frames();
    test::add_frame(0, 3, walk, frames);
    spoil(frames);
    wrong.push_back(message);
  };
  spoilt([](v1::SlotFrames& frames) { frames.mutable_rotations()->RemoveLast(); });
  spoilt([](v1::SlotFrames& frames) { frames.add_rotations(1.0); });
  spoilt([](v1::SlotFrames& frames) { frames.add_translations(1.0); });
  spoilt([](v1::SlotFrames& frames) { frames.clear_translations(); });
  v1::TrackManyRequest floats;
  floats.add_frames_f()->add_slots(0);
  floats.mutable_frames_f(0)->add_ids(3);
  floats.mutable_frames_f(0)->add_capture_times(3.0);
  floats.mutable_frames_f(0)->add_rotations(1.0F);
  wrong.push_back(floats);
  spoilt([](v1::SlotFrames& frames) { frames.add_ahead_rotations(1.0); });
  spoilt([](v1::SlotFrames& frames) { frames.add_ahead_translations(1.0); });
  spoilt([](v1::SlotFrames& frames) { *frames.mutable_ahead_rotations() = frames.rotations(); });
  spoilt([](v1::SlotFrames& frames) { frames.clear_ids(); });
  spoilt([](v1::SlotFrames& frames) { frames.add_ids(4); });
  spoilt([](v1::SlotFrames& frames) { frames.clear_capture_times(); });
  spoilt([](v1::SlotFrames& frames) { frames.add_slots(0); });
  spoilt([](v1::SlotFrames& frames) { frames.set_slots(0, 1); });
  spoilt([](v1::SlotFrames& frames) {
    frames.set_slots(0, std::numeric_limits<std::uint32_t>::max());
  });
  wrong.push_back(test::opening(0, walk));       // it has a session
  wrong.push_back(test::opening(16'384, walk));  // there is no such slot
  wrong.push_back(test::ending(7));
  v1::TrackManyRequest neither;
  neither.add_openings()->set_slot(1);
  wrong.push_back(neither);
  for (const v1::TrackManyRequest& message : wrong) {
    ToldSession session;
    {
      CrowdStream stream(*stub);
      stream.begin(0, session, test::opening(0, walk));
      ASSERT_TRUE(stream.send(0, 1, walk));
      ASSERT_TRUE(stream.send(0, 2, walk));
      ASSERT_TRUE(stream.read_until([&] { return session.steps() == 1; }));
      stream.write(message);
      while (stream.read()) {
      }
      const grpc::Status status = stream.status();
      EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT)
          << message.ShortDebugString().substr(0, 80);
      EXPECT_FALSE(status.error_message().empty());
    }
    CrowdStream again(*stub);
    EXPECT_EQ(again.begin(3, session, test::resuming(3, session)).next_step(), 1U);
    ASSERT_TRUE(again.write(test::ending(3)));
    ASSERT_TRUE(again.read_until([&] { return session.ended.has_value(); }));
  }
  EXPECT_TRUE(test::eventually([&] { return live.engine().counts().sessions == 0; }));
}

TEST(ServerCrowd, AClosedSideLeavesWhatWasNotEnded) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  std::array<ToldSession, 2> crowd;
  {
    CrowdStream stream(*stub);
    for (std::uint32_t slot = 0; slot < 2; ++slot) {
      stream.begin(slot, crowd[slot], test::opening(slot, walk));
      for (std::uint64_t f = 0; f < 9; ++f) ASSERT_TRUE(stream.send(slot, f, walk));
    }
    ASSERT_TRUE(stream.write(test::ending(1)));
    stream.half_close();
    while (stream.read()) {
    }
    EXPECT_TRUE(stream.status().ok());
  }
  ASSERT_TRUE(crowd[1].ended);
  EXPECT_EQ(crowd[1].ended->steps(), crowd[1].steps());
  EXPECT_FALSE(crowd[0].ended);
  EXPECT_FALSE(crowd[0].refused);
  EXPECT_TRUE(test::eventually([&] { return live.engine().counts().sessions == 1; }));
  CrowdStream stream(*stub);
  stream.begin(0, crowd[0], test::resuming(0, crowd[0]));
  ASSERT_TRUE(stream.write(test::ending(0)));
  ASSERT_TRUE(stream.read_until([&] { return crowd[0].ended.has_value(); }));
  EXPECT_EQ(crowd[0].covered.back(), 8);
}

TEST(ServerCrowd, AClientMayLeaveASession) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  CrowdStream stream(*stub);
  std::array<ToldSession, 2> crowd;
  for (std::uint32_t slot = 0; slot < 2; ++slot) {
    stream.begin(slot, crowd[slot], test::opening(slot, walk));
    for (std::uint64_t f = 0; f < 4; ++f) ASSERT_TRUE(stream.send(slot, f, walk));
  }
  v1::TrackManyRequest leaving;
  leaving.add_leaves(0);
  ASSERT_TRUE(stream.write(leaving));
  ASSERT_TRUE(stream.read_until([&] { return crowd[0].refused.has_value(); }));
  EXPECT_EQ(crowd[0].refused->code(), static_cast<std::uint32_t>(grpc::StatusCode::CANCELLED));
  test::Stream alone(*stub);
  v1::TrackRequest resume;
  resume.mutable_resume()->set_session_id(crowd[0].id);
  resume.mutable_resume()->set_received_steps(crowd[0].steps());
  alone.open(resume);
  ASSERT_TRUE(alone.write(walk.frames(4, 9)));
  alone.half_close();
  for (const v1::StepReport& report : alone.reports(100)) crowd[0].take(report);
  EXPECT_TRUE(alone.ended);
  EXPECT_EQ(crowd[0].covered.back(), 9);
  ASSERT_TRUE(stream.write(test::ending(1)));
  ASSERT_TRUE(stream.read_until([&] { return crowd[1].ended.has_value(); }));
  EXPECT_EQ(crowd[1].steps(), 3U);
}

TEST(ServerCrowd, AClosingServerTellsEverySlot) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  CrowdStream stream(*stub);
  std::array<ToldSession, 3> crowd;
  for (std::uint32_t slot = 0; slot < crowd.size(); ++slot) {
    stream.begin(slot, crowd[slot], test::opening(slot, walk));
    for (std::uint64_t f = 0; f < 5; ++f) ASSERT_TRUE(stream.send(slot, f, walk));
    ASSERT_TRUE(stream.read_until([&] { return crowd[slot].steps() == 4; }));
  }
  live.server().stop(std::chrono::seconds(20));
  while (stream.read()) {
  }
  EXPECT_EQ(stream.status().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_FALSE(stream.closing.empty());
  for (const ToldSession& session : crowd) {
    ASSERT_TRUE(session.refused);
    EXPECT_EQ(session.refused->code(), static_cast<std::uint32_t>(grpc::StatusCode::UNAVAILABLE));
    EXPECT_EQ(session.refused->covered().steps(), 4U);
    EXPECT_EQ(session.refused->covered().to().id(), 4U);
  }
}

/// A client that reads nothing must cost no more memory than its sessions may keep.
TEST(ServerCrowd, ASlowReaderIsHeldBack) {
  LiveOptions options;
  options.engine.limits.unsent_reports = 8;
  LiveServer live(options);
  const Walk walk;
  const auto stub = live.stub();
  CrowdStream stream(*stub);
  std::vector<ToldSession> crowd(20);
  for (std::uint32_t slot = 0; slot < crowd.size(); ++slot) {
    stream.begin(slot, crowd[slot], test::opening(slot, walk));
  }
  constexpr std::uint64_t kFrames = 400;
  for (std::uint64_t f = 0; f < kFrames; ++f) {
    v1::TrackManyRequest message;
    for (std::uint32_t slot = 0; slot < crowd.size(); ++slot) {
      test::add_frame(slot, f, walk, *message.add_frames());
    }
    ASSERT_TRUE(stream.write(message));
    ASSERT_LE(live.engine().counts().unsent_reports, 8U * crowd.size());
  }
  std::uint64_t skipped = 0;
  for (std::uint32_t slot = 0; slot < crowd.size(); ++slot) {
    ASSERT_TRUE(stream.write(test::ending(slot)));
    ToldSession& session = crowd[slot];
    ASSERT_TRUE(stream.read_until([&] { return session.ended.has_value(); }));
    EXPECT_EQ(session.covered.back(), static_cast<std::int64_t>(kFrames - 1));
    EXPECT_EQ(session.covered.size() + session.ended->skipped_frames(), kFrames);
    skipped += session.ended->skipped_frames();
  }
  EXPECT_GT(skipped, 0U) << "the windows held everything";
  crowd.front().expect_checked(walk, live);
}

}  // namespace
}  // namespace tocsin::server_crowd_test
