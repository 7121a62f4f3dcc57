// Poses on other axes, over a real port: the same contacts, bit for bit, as on Tocsin's; and what a
// client may not send.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "service/rpc/live_server.h"
#include "support/test_folder.h"
#include "tocsin/client.h"
#include "tocsin/io.h"

namespace tocsin::tracker_poses_test {
namespace {

using std::chrono::seconds;
using test::LiveOptions;
using test::LiveServer;
using test::Stream;
using test::Walk;

/// Unity's axes, written out: X is turned round.
Transform in_unity(const Transform& t) {
  const Quat& q = t.rotation;
  return {{q.w, q.x, -q.y, -q.z}, {-t.translation.x, t.translation.y, t.translation.z}};
}

/// Z up, X ahead, left-handed, centimetres: Unreal's. Tocsin's (x, y, z) is Unreal's (z, x, y) with
/// Y to the right: our x points to its -Y.
Transform in_unreal(const Transform& t) {
  const Vec3& p = t.translation;
  const Quat& q = t.rotation;
  return {{q.w, -q.z, q.x, -q.y}, {100 * p.z, -100 * p.x, 100 * p.y}};
}
constexpr Axes kUnrealAxes{AxisAlong::kZ, AxisAlong::kMinusX, AxisAlong::kY, 0.01};

Skeleton on_axes(const Skeleton& skeleton, Transform (*way)(const Transform&)) {
  std::vector<Joint> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (Joint& joint : joints) joint.rest = way(joint.rest);
  return Skeleton::create(std::move(joints)).value();
}

std::vector<TrackReport> reports_of(const LiveServer& live, const TrackOptions& options,
                                    const Walk& walk, Transform (*way)(const Transform&),
                                    bool crowd) {
  ConnectionOptions to;
  to.target = live.address();
  const Connection connection = Connection::open(to).value();
  const LiveCrowd many = connection.crowd().value();
  std::mutex mutex;
  std::vector<TrackReport> out;
  std::string why;
  TrackHandler handler;
  handler.report = [&](TrackReport report) {
    const std::scoped_lock lock(mutex);
    out.push_back(std::move(report));
  };
  handler.over = [&](StreamEnd, const TrackEnded&, const Error& error) { why = error.message; };
  LiveSession session =
      crowd ? many.track(options, handler).value() : connection.track(options, handler).value();
  for (std::int64_t f = 0; f < walk.count(); ++f) {
    TrackFrame frame{static_cast<std::uint64_t>(f), 0.0, {}};
    for (const Transform& joint : walk.motion.pose(f)) frame.pose.push_back(way(joint));
    EXPECT_TRUE(session.send({&frame, 1}));
    if (f % 8 != 7) continue;
    EXPECT_TRUE(test::eventually([&] {
      const std::scoped_lock lock(mutex);
      return out.size() == static_cast<std::size_t>(f);
    }));
  }
  EXPECT_TRUE(session.finish());
  EXPECT_TRUE(session.wait(seconds(60)));
  EXPECT_EQ(why, "");
  return out;
}

Transform as_it_is(const Transform& t) { return t; }

TEST(TrackerPoses, OnUnitysAxesHaveTheSameContactsBitForBit) {
  LiveServer live;
  const Walk walk;
  const auto want = reports_of(live, walk.options(), walk, as_it_is, false);
  ASSERT_EQ(want.size(), static_cast<std::size_t>(walk.count() - 1));
  TrackOptions options = walk.options();
  options.skeleton = on_axes(walk.motion.skeleton(), in_unity);
  options.tracker.axes = kUnityAxes;
  std::size_t contacts = 0;
  for (const bool crowd : {false, true}) {
    const auto got = reports_of(live, options, walk, in_unity, crowd);
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].result.contacts, want[i].result.contacts) << i;
      contacts += want[i].result.contacts.size();
    }
  }
  EXPECT_GT(contacts, 100U);
}

TEST(TrackerPoses, InCentimetresWithZUpHaveTheSameContacts) {
  LiveServer live;
  const Walk walk;
  const auto want = reports_of(live, walk.options(), walk, as_it_is, false);
  TrackOptions options = walk.options();
  options.skeleton = on_axes(walk.motion.skeleton(), in_unreal);
  options.tracker.axes = kUnrealAxes;
  const auto got = reports_of(live, options, walk, in_unreal, true);
  ASSERT_EQ(got.size(), want.size());
  std::size_t contacts = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].result.contacts.size(), want[i].result.contacts.size()) << i;
    for (std::size_t c = 0; c < got[i].result.contacts.size(); ++c) {
      EXPECT_EQ(got[i].result.contacts[c].link, want[i].result.contacts[c].link);
      EXPECT_EQ(got[i].result.contacts[c].touched, want[i].result.contacts[c].touched);
      EXPECT_NEAR(got[i].result.contacts[c].toc[1], want[i].result.contacts[c].toc[1], 1e-7);
      ++contacts;
    }
  }
  EXPECT_GT(contacts, 100U);
}

/// A record has poses and skeleton on Tocsin's axes, says how they came, and which joints were
/// held.
TEST(TrackerPoses, RecordsAreOnTocsinsAxes) {
  const test::TestFolder records;
  LiveOptions with;
  with.engine.record = records.path();
  with.engine.record_rules.reserve = 0;
  LiveServer live(with);
  const Walk walk;
  TrackOptions options = walk.options();
  options.skeleton = on_axes(walk.motion.skeleton(), in_unity);
  options.tracker = {.axes = kUnityAxes, .hold_missing = true};
  ConnectionOptions to;
  to.target = live.address();
  const Connection connection = Connection::open(to).value();
  std::mutex mutex;
  std::vector<TrackReport> reports;
  TrackEnded ended;
  TrackHandler handler;
  handler.report = [&](TrackReport report) {
    const std::scoped_lock lock(mutex);
    reports.push_back(std::move(report));
  };
  handler.over = [&](StreamEnd, const TrackEnded& said, const Error&) { ended = said; };
  LiveSession session = connection.track(options, handler).value();
  for (std::int64_t f = 0; f < 10; ++f) {
    TrackFrame frame{static_cast<std::uint64_t>(f), 0.0, {}};
    for (const Transform& joint : walk.motion.pose(f)) frame.pose.push_back(in_unity(joint));
    if (f == 5) frame.pose[3].rotation = {0, 0, 0, 0};
    ASSERT_TRUE(session.send({&frame, 1}));
  }
  ASSERT_TRUE(session.finish());
  ASSERT_TRUE(session.wait(seconds(60)));
  ASSERT_EQ(reports.size(), 9U);
  EXPECT_EQ(reports[4].held, (std::vector<std::uint32_t>{3}));
  const auto file = records.path() / ended.record;
  const Motion motion = load_motion(file).value();
  EXPECT_EQ(motion.skeleton().joints()[1].rest, walk.motion.skeleton().joints()[1].rest);
  for (std::int64_t f = 0; f < 10; ++f) {
    for (std::size_t i = 0; i < motion.pose(f).size(); ++i) {
      const std::int64_t of = f == 5 && i == 3 ? 4 : f;
      EXPECT_EQ(motion.pose(f)[i], walk.motion.pose(of)[i]) << "frame " << f << ", joint " << i;
    }
  }
  std::ifstream in(file, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  EXPECT_NE(text.find(R"("tracker":{"world":false,"axes":[3,1,2],"unit":1,"hold_missing":true})"),
            std::string::npos);
  EXPECT_NE(text.find(R"("held":[3])"), std::string::npos);
}

TEST(TrackerPoses, InTheWorldAreOfAllJointsWithAllTranslations) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  v1::TrackRequest open = walk.open();
  open.mutable_open()->mutable_tracker()->set_world(true);
  {
    Stream stream(*stub);
    EXPECT_EQ(stream.open(open).joints_size(), walk.motion.skeleton().size());
    ASSERT_TRUE(stream.write(walk.frames(0, 0)));  // its translations are the roots' alone
    while (stream.read()) {
    }
    const grpc::Status status = stream.status();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_NE(status.error_message().find("poses in the world are of all joints"),
              std::string::npos)
        << status.error_message();
  }
  const auto refused = [&](const auto& spoil, const std::string& phrase) {
    v1::TrackRequest wrong = walk.open();
    spoil(*wrong.mutable_open()->mutable_tracker());
    const grpc::Status status = test::refusal(*stub, wrong);
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_NE(status.error_message().find(phrase), std::string::npos) << status.error_message();
  };
  refused([](v1::Tracker& t) { t.mutable_axes()->set_y(v1::AXIS_MINUS_X); },
          "tracker.axes: x, y and z must each be along another axis");
  refused([](v1::Tracker& t) { t.mutable_axes()->set_y(static_cast<v1::Axis>(7)); },
          "tracker.axes: 7 is none of");
  refused([](v1::Tracker& t) { t.set_unit(1e7); }, "tracker.unit is 10000000");
  refused([](v1::Tracker& t) { t.set_unit(-1); }, "tracker.unit is -1");
  refused([](v1::Tracker& t) { t.set_missing(static_cast<v1::MissingJoints>(2)); },
          "tracker.missing: 2 is none of");
}

}  // namespace
}  // namespace tocsin::tracker_poses_test
