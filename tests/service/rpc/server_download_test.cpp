// Rooms and shapes for those who watch: what is downloaded is what the server has, bit for bit.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "service/access/tokens_file.h"
#include "service/rpc/live_client.h"
#include "service/rpc/live_server.h"
#include "tocsin/client.h"
#include "tocsin/io.h"

namespace tocsin::server_download_test {
namespace {

using std::chrono::seconds;
using test::LiveOptions;
using test::LiveServer;
using test::Walk;

void expect_same_room(const Environment& a, const Environment& b) {
  ASSERT_EQ(a.objects().size(), b.objects().size());
  ASSERT_EQ(a.triangles().size(), b.triangles().size());
  for (std::size_t i = 0; i < a.objects().size(); ++i) {
    EXPECT_EQ(a.objects()[i].name, b.objects()[i].name);
    EXPECT_EQ(a.objects()[i].first_triangle, b.objects()[i].first_triangle);
    EXPECT_EQ(a.objects()[i].triangle_count, b.objects()[i].triangle_count);
  }
  for (std::uint32_t i = 0; i < a.triangles().size(); ++i) {
    EXPECT_EQ(a.corners(i), b.corners(i)) << i;
  }
}

/// The bytes and the hash of what a raw client gets.
struct Raw {
  v1::DownloadHead head;
  std::size_t chunk_bytes = 0;
  grpc::Status status;
};

Raw raw_download(const LiveServer& live, const v1::DownloadRequest& request) {
  const auto stub = live.stub();
  grpc::ClientContext context;
  test::prepare(context);
  const auto reader = stub->Download(&context, request);
  Raw out;
  v1::DownloadResponse response;
  while (reader->Read(&response)) {
    if (response.has_head()) out.head = response.head();
    EXPECT_LE(response.chunk().data().size(), 256U << 10U);
    out.chunk_bytes += response.chunk().data().size();
  }
  out.status = reader->Finish();
  return out;
}

TEST(ServerDownload, ARoomIsItsFileBitForBit) {
  LiveServer live;
  const Connection connection = test::connect(live);
  const Environment file = load_environment(live.hall()).value();
  const auto head = connection.room_head({});
  ASSERT_TRUE(head) << head.error().message;
  EXPECT_EQ(head->info.name, "hall");
  EXPECT_EQ(head->sha256, room_sha256(file)) << "a client that has the file needs no download";
  // 23 objects of 4 vertices and 2 triangles.
  EXPECT_EQ(head->bytes, 23U * (8 + 4 * 12 + 2 * 12));
  const auto room = connection.download_room({});
  ASSERT_TRUE(room) << room.error().message;
  expect_same_room(room->environment, file);
  EXPECT_EQ(room->sha256, head->sha256);
  EXPECT_EQ(room->numbers.size(), 23U);
  EXPECT_EQ(room->numbers[22], 22U);
  EXPECT_FALSE(room->info.changeable);

  const auto small = connection.download_room({"hall", {}}, nullptr, 1000);
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().code, ErrorCode::kInput);
  EXPECT_NE(small.error().message.find("more than 1000 bytes"), std::string::npos)
      << small.error().message;
  const auto none = connection.download_room({"cellar", {}});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("there is no room \"cellar\""), std::string::npos);
  EXPECT_FALSE(connection.download_room({{}, "0123456789ab"}));

  v1::DownloadRequest nothing;
  EXPECT_EQ(raw_download(live, nothing).status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::DownloadRequest many;
  many.set_environment("hall");
  for (int i = 0; i <= 16'384; ++i) many.add_have("x");
  EXPECT_EQ(raw_download(live, many).status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST(ServerDownload, OfAChangedRoomOnlyWhatHasChangedIsSent) {
  LiveServer live;
  const Connection connection = test::connect(live);
  ASSERT_TRUE(connection.upload_environment("stage", live.hall(), {}, {.changeable = true}));
  const auto before = connection.download_room({"stage", {}});
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_TRUE(before->info.changeable);
  EXPECT_EQ(before->info.version, 0U);
  EXPECT_EQ(before->sha256, room_sha256(load_environment(live.hall()).value()));

  SceneEdit crate{.verb = SceneVerb::kAdd, .object = "crate"};
  crate.shape = Shape::box({1, 1, 1}).value();
  crate.at.translation = {5, 2, 0};
  SceneEdit moved{.verb = SceneVerb::kPlace, .object = "x3"};
  moved.at.translation = {0, 0.25, 0};
  const std::vector<SceneEdit> edits{crate,
                                     moved,
                                     {.verb = SceneVerb::kRemove, .object = "z0"},
                                     {.verb = SceneVerb::kDeactivate, .object = "z1"}};
  ASSERT_TRUE(connection.update_environment("stage", edits));
  const auto after = connection.download_room({"stage", {}}, &*before);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->info.version, 1U);
  EXPECT_NE(after->sha256, before->sha256);
  EXPECT_EQ(after->environment.objects().size(), 22U) << "what is not there is left out";
  EXPECT_EQ(after->sha256, room_sha256(after->environment, after->numbers));
  const auto whole = connection.download_room({"stage", {}});
  expect_same_room(after->environment, whole->environment);
  const auto objects = after->environment.objects();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    EXPECT_NE(objects[i].name, "z0");
    const Vec3f corner = after->environment.corners(objects[i].first_triangle)[0];
    if (objects[i].name == "crate") {
      EXPECT_GE(corner.x, 4.0F);
      EXPECT_EQ(after->numbers[i], 23U) << "a number of its own";
    }
    if (objects[i].name == "x3") {
      EXPECT_EQ(corner.y, 0.55F);
    }
  }
  // What was sent: two objects of 22.
  v1::DownloadRequest request;
  request.set_environment("stage");
  const Raw all = raw_download(live, request);
  for (const auto& part : all.head.parts()) {
    if (part.name() != "crate" && part.name() != "x3") request.add_have(part.sha256());
  }
  const Raw sent = raw_download(live, request);
  EXPECT_TRUE(sent.status.ok());
  EXPECT_EQ(sent.chunk_bytes, (8U + 4 * 12 + 2 * 12) + (8U + 8 * 12 + 12 * 12));
}

TEST(ServerDownload, TheRoomOfASessionOutlivesItsName) {
  LiveServer live;
  const Connection connection = test::connect(live);
  ASSERT_TRUE(connection.upload_environment("stage", live.hall()));
  const Walk walk(0.2);
  TrackOptions options = walk.options();
  options.environment = "stage";
  const LiveSession session = connection.track(options, {}).value();
  ASSERT_TRUE(test::eventually([&] { return live.engine().counts().sessions == 1; }));
  const std::string name = live.engine().sessions().front().session;
  ASSERT_TRUE(connection.unload_environment("stage"));
  EXPECT_FALSE(connection.download_room({"stage", {}}));
  const auto room = connection.download_room({{}, name});
  ASSERT_TRUE(room) << room.error().message;
  expect_same_room(room->environment, load_environment(live.hall()).value());
}

/// A sphere of so many triangles.
Shape ball(int rings, int sides) {
  constexpr double kPi = 3.14159265358979;
  std::vector<Vec3> corners;
  std::vector<TriangleIndices> triangles;
  for (int i = 0; i <= rings; ++i) {
    for (int k = 0; k < sides; ++k) {
      const double up = kPi * i / rings;
      const double around = 2 * kPi * k / sides;
      corners.push_back({0.1 * std::sin(up) * std::cos(around), 0.1 * std::cos(up),
                         0.1 * std::sin(up) * std::sin(around)});
    }
  }
  const auto at = [&](int i, int k) { return static_cast<std::uint32_t>(i * sides + k % sides); };
  for (int i = 0; i < rings; ++i) {
    for (int k = 0; k < sides; ++k) {
      triangles.push_back({at(i, k), at(i, k + 1), at(i + 1, k)});
      triangles.push_back({at(i, k + 1), at(i + 1, k + 1), at(i + 1, k)});
    }
  }
  return Shape::mesh(std::move(corners), std::move(triangles)).value();
}

void expect_same_shape(const Shape& a, const Shape& b) {
  EXPECT_TRUE(
      std::equal(a.corners().begin(), a.corners().end(), b.corners().begin(), b.corners().end()));
  EXPECT_TRUE(std::equal(a.features().begin(), a.features().end(), b.features().begin(),
                         b.features().end()));
  EXPECT_EQ(a.radius(), b.radius());
}

TEST(ServerDownload, ShapesComeWithTheSessionOrAreDownloaded) {
  LiveServer live;
  const Connection connection = test::connect(live);
  const Shape large = ball(96, 90);  // 17,280 triangles
  const Shape small = ball(8, 8);
  ASSERT_TRUE(connection.upload_shape("ball", large));
  const auto joints = Skeleton::create({{"root", -1, {}}}).value();
  TrackOptions options;
  options.environment = "hall";
  options.skeleton = joints;
  options.model.emplace().name = "thing";
  options.model->links.push_back({"small", "root", {}, {}});
  options.model->links[0].shape = small;
  std::vector<WatchedSession> seen;
  std::mutex mutex;
  WatchHandler handler;
  handler.session = [&](const WatchedSession& one) {
    const std::scoped_lock lock(mutex);
    seen.push_back(one);
  };
  const auto count = [&] {
    const std::scoped_lock lock(mutex);
    return seen.size();
  };
  const Watch watch = connection.watch({}, handler).value();
  const LiveSession first = connection.track(options, {}).value();
  ASSERT_TRUE(test::eventually([&] { return count() == 1; }));
  EXPECT_FALSE(seen[0].shapes_left_out);
  expect_same_shape(seen[0].avatar.links()[0].shape, small);
  options.model->links.push_back({"large", "root", {}, {}});
  options.shapes.push_back({.link = 1, .name = "ball", .radius = 0.01});
  const LiveSession second = connection.track(options, {}).value();
  ASSERT_TRUE(test::eventually([&] { return count() == 2; }));
  const WatchedSession& told = seen[1];
  EXPECT_TRUE(told.shapes_left_out);
  ASSERT_EQ(told.avatar.links().size(), 2U);
  EXPECT_TRUE(told.avatar.links()[1].shape.empty());
  EXPECT_GT(told.avatar.links()[1].radius, 0.1) << "what holds it";
  const auto avatar = connection.download_avatar(told);
  ASSERT_TRUE(avatar) << avatar.error().message;
  expect_same_shape(avatar->links()[0].shape, small);
  const Shape& got = avatar->links()[1].shape;
  EXPECT_EQ(got.features().size(), 17'280U);
  EXPECT_EQ(got.radius(), 0.01);
  EXPECT_TRUE(std::equal(got.corners().begin(), got.corners().end(), large.corners().begin(),
                         large.corners().end()));
  EXPECT_EQ(avatar->links()[1].radius, told.avatar.links()[1].radius);
}

TEST(ServerDownload, NobodyGetsTheRoomOfAnother) {
  const test::TestFolder folder;
  const auto token = [](const std::string& name, const std::string& more) {
    return R"({"name":")" + name + R"(","token":")" + name + R"(-0123456789abcdef")" + more + "}";
  };
  LiveOptions options;
  options.access = service::Access::load(
                       service::write_tokens(
                           folder, service::document(token("ann", R"(,"shares":"film")") + "," +
                                                     token("bob", R"(,"shares":"film")") + "," +
                                                     token("eve", ""))),
                       {})
                       .value();
  LiveServer live(std::move(options));
  const Connection ann = test::connect(live, "ann-0123456789abcdef");
  const Connection bob = test::connect(live, "bob-0123456789abcdef");
  const Connection eve = test::connect(live, "eve-0123456789abcdef");
  ASSERT_TRUE(ann.upload_environment("own", live.hall()));
  ASSERT_TRUE(ann.upload_environment("shared", live.hall(), {}, {.shared = true}));
  EXPECT_TRUE(ann.download_room({"own", {}}));
  EXPECT_FALSE(bob.download_room({"own", {}}));
  EXPECT_FALSE(bob.download_room({"ann/own", {}}));
  const auto shared = bob.download_room({"ann/shared", {}});
  ASSERT_TRUE(shared) << shared.error().message;
  EXPECT_EQ(shared->info.name, "ann/shared");
  EXPECT_FALSE(eve.download_room({"ann/shared", {}}));
  EXPECT_TRUE(eve.download_room({"hall", {}})) << "the operator's is for all";
  EXPECT_FALSE(test::connect(live).download_room({"hall", {}})) << "with a token";
}

}  // namespace
}  // namespace tocsin::server_download_test
