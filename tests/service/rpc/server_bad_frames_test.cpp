// Frames whose values no pose has, over a connection.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "service/rpc/live_server.h"

namespace tocsin::server_bad_frames_test {
namespace {

using test::LiveServer;
using test::Stream;
using test::Walk;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct SpoiltFrame {
  const char* what;
  std::function<void(v1::Frame&)> spoil;
  const char* words;
};

TEST(ServerBadFrames, ArePassedOverAndNamed) {
  LiveServer live;
  const Walk walk{0.2};
  const auto stub = live.stub();
  const std::vector<SpoiltFrame> table{
      {"NaN", [](v1::Frame& f) { f.mutable_pose()->set_rotations(9, kNoNumber); }, "not finite"},
      {"not a unit", [](v1::Frame& f) { f.mutable_pose()->set_rotations(8, 1.5); }, "has length"},
      {"zero",
       [](v1::Frame& f) {
         for (int i = 0; i < 4; ++i) f.mutable_pose()->set_rotations(i, 0.0);
       },
       "has length"},
      {"infinitely far",
       [](v1::Frame& f) {
         f.mutable_pose()->set_translations(0, std::numeric_limits<double>::infinity());
       },
       "not finite"},
      {"absurdly far", [](v1::Frame& f) { f.mutable_pose()->set_translations(1, 1e300); },
       "beyond"},
  };
  for (const SpoiltFrame& row : table) {
    SCOPED_TRACE(row.what);
    for (const bool may_skip : {true, false}) {
      v1::TrackRequest open = walk.open();
      open.mutable_open()->set_coalesce(may_skip);
      Stream stream(*stub);
      stream.open(open);
      ASSERT_TRUE(stream.write(walk.frames(0, 1)));
      EXPECT_EQ(stream.reports(1).size(), 1U);
      v1::TrackRequest bad = walk.frames(2, 3);
      row.spoil(*bad.mutable_frames()->mutable_frames(0));
      stream.write(bad);
      if (!may_skip) {
        const grpc::Status status = stream.status();
        EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
        EXPECT_NE(status.error_message().find(row.words), std::string::npos)
            << status.error_message();
        continue;
      }
      const auto reports = stream.reports(1);
      ASSERT_EQ(reports.size(), 1U);
      EXPECT_EQ(reports[0].from().id(), 1U);
      EXPECT_EQ(reports[0].to().id(), 3U);
      ASSERT_EQ(reports[0].bad_size(), 1);
      EXPECT_EQ(reports[0].bad(0).first(), 2U);
      EXPECT_EQ(reports[0].bad(0).last(), 2U);
      EXPECT_EQ(reports[0].bad_frames(), 1U);
      EXPECT_EQ(reports[0].first_bad_frame().rfind("frame 2: ", 0), 0U);
      EXPECT_NE(reports[0].first_bad_frame().find(row.words), std::string::npos)
          << reports[0].first_bad_frame();
      stream.half_close();
      EXPECT_TRUE(stream.reports(1).empty());
      ASSERT_TRUE(stream.ended);
      EXPECT_EQ(stream.ended->bad_frames(), 1U);
      EXPECT_EQ(stream.ended->first_bad_frame(), reports[0].first_bad_frame());
    }
  }
}

}  // namespace
}  // namespace tocsin::server_bad_frames_test
