// Links with shapes over a real port: uploaded in chunks, named by sessions, counted, refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/mesh_bytes.h"
#include "io/avatar/bound_model.h"
#include "service/rpc/live_server.h"
#include "support/test_folder.h"
#include "tocsin/io.h"
#include "tocsin/tocsin.h"
#include "wire/values.h"

namespace tocsin::server_shapes_test {
namespace {

using grpc::StatusCode;
using test::LiveOptions;
using test::LiveServer;
using test::Walk;

/// A blade of some hundred triangles, coordinates that no float holds.
Shape blade() {
  return Shape::cylinder(0.031, 1.3, 1e-6)
      ->placed({{0.01, -0.2, 0.003}, {0.6, 0.8, 0, 0}, {1, 1, 0.5}})
      .value();
}
std::string bytes_of(const Shape& shape) {
  return base::mesh_bytes(shape.corners(), shape.features());
}

class ServerShapes : public testing::Test {
 protected:
  static LiveOptions options() {
    LiveOptions out;
    out.limits.triangles = 5000;
    out.limits.shape_triangles = 3000;
    out.limits.environments = 4;
    out.rooms.most_upload = 400'000;
    out.engine.limits.pending_frames = 64;  // none is skipped
    return out;
  }
  static v1::LoadEnvironmentRequest begin(const std::string& name, const std::string& file) {
    v1::LoadEnvironmentRequest out;
    out.mutable_begin()->set_name(name);
    out.mutable_begin()->set_file_name(file);
    out.mutable_begin()->set_shape(true);
    return out;
  }
  grpc::Status load(const v1::LoadEnvironmentRequest& first, const std::string& bytes,
                    std::size_t chunk = 1000) {
    grpc::ClientContext context;
    test::prepare(context);
    loaded.Clear();
    const auto writer = stub->LoadEnvironment(&context, &loaded);
    bool listens = writer->Write(first);
    for (std::size_t at = 0; listens && at < bytes.size(); at += chunk) {
      v1::LoadEnvironmentRequest part;
      part.set_chunk(bytes.substr(at, chunk));
      listens = writer->Write(part);
    }
    writer->WritesDone();
    return writer->Finish();
  }
  std::vector<std::string> names(bool shapes) {
    grpc::ClientContext context;
    test::prepare(context);
    v1::ListEnvironmentsRequest request;
    request.set_shapes(shapes);
    v1::ListEnvironmentsResponse response;
    EXPECT_TRUE(stub->ListEnvironments(&context, request, &response).ok());
    std::vector<std::string> out;
    for (const v1::Environment& room : response.environments()) out.push_back(room.name());
    return out;
  }
  std::uint32_t unload(const std::string& name) {
    grpc::ClientContext context;
    test::prepare(context);
    v1::UnloadEnvironmentRequest request;
    request.set_name(name);
    v1::UnloadEnvironmentResponse response;
    EXPECT_TRUE(stub->UnloadEnvironment(&context, request, &response).ok());
    return response.sessions();
  }
  /// The walker with a blade in its hand: its shape in the model, or one that the server has.
  TrackOptions armed(const Shape& shape, const std::string& of_server = {}) const {
    TrackOptions out = walk.options();
    const auto avatar =
        Avatar::bind(*load_avatar_model("humanoid16"), walk.motion.skeleton()).value();
    out.model = io::bound_model(avatar);
    out.avatar.model = "auto";
    LinkModel& link = out.model->links.emplace_back();
    link.name = "blade";
    link.joint = "RightHand";
    link.shape = shape;
    if (of_server.empty()) return out;
    link.shape = {};
    LoadedShape& asked = out.shapes.emplace_back();
    asked.link = out.model->links.size() - 1;
    asked.name = of_server;
    return out;
  }
  v1::TrackRequest opening(const TrackOptions& options) const {
    v1::TrackRequest out;
    wire::to_wire(options, *out.mutable_open());
    return out;
  }
  grpc::Status refusal(const TrackOptions& options) {
    return test::refusal(*stub, opening(options));
  }
  /// The whole walk, sent at once, has the contacts of the detector, bit for bit.
  void expect_contacts_of_check(const TrackOptions& sent, const Shape& shape) {
    test::Stream stream(*stub);
    stream.open(opening(sent));
    const auto last = static_cast<std::int64_t>(walk.count()) - 1;
    ASSERT_TRUE(stream.write(walk.frames(0, last)));
    stream.half_close();
    const auto reports = stream.reports(static_cast<std::size_t>(last));
    ASSERT_EQ(reports.size(), static_cast<std::size_t>(last));
    const auto placed = walk.motion.placed(walk.options().avatar.place).value();
    const auto avatar = Avatar::bind(armed(shape).model.value(), placed.skeleton()).value();
    const Detector detector = Detector::make(load_environment(live.hall()).value()).value();
    std::size_t touched = 0;
    std::size_t i = 0;
    for (const Step& step : placed.steps().value()) {
      const StepReport want = detector.check(avatar, step);
      test::expect_same(reports[i], want, walk.codec);
      for (std::size_t k = 0; k < want.contacts.size(); ++k) {
        const v1::Contact& got = reports[i].contacts(static_cast<int>(k));
        ASSERT_EQ(got.has_link_triangle(), want.contacts[k].link_feature.has_value());
        if (!got.has_link_triangle()) continue;
        EXPECT_EQ(got.link_triangle(), *want.contacts[k].link_feature);
        ++touched;
      }
      ++i;
    }
    EXPECT_GT(touched, 10U);
  }

  Walk walk{0.5, 60.0};
  LiveServer live{options()};
  std::unique_ptr<v1::CollisionService::Stub> stub = live.stub();
  v1::LoadEnvironmentResponse loaded;
};

TEST_F(ServerShapes, ContactsAreThoseOfACheck) {
  const Shape shape = blade();
  expect_contacts_of_check(armed(shape), shape);
  const grpc::Status status = load(begin("sword", "sword.shape"), bytes_of(shape));
  ASSERT_TRUE(status.ok()) << status.error_message();
  EXPECT_TRUE(loaded.environment().shape());
  EXPECT_EQ(loaded.environment().triangles(), shape.features().size());
  expect_contacts_of_check(armed({}, "sword"), shape);
  // Put elsewhere, and rounded.
  TrackOptions moved = armed({}, "sword");
  moved.shapes[0].radius = 0.02;
  moved.shapes[0].at = ShapePlacement{{0.1, 0, 0}, {0, 1, 0, 0}, {1, -2, 1}};
  const auto corners = shape.corners();
  const auto features = shape.features();
  const Shape rounded =
      Shape::mesh({corners.begin(), corners.end()}, {features.begin(), features.end()}, 0.02)
          .value();
  expect_contacts_of_check(moved, rounded.placed(*moved.shapes[0].at).value());
  moved.shapes[0].convex = true;
  expect_contacts_of_check(
      moved, Shape::convex(shape.corners(), 0.02)->placed(*moved.shapes[0].at).value());
}

TEST_F(ServerShapes, AreListedAndUnloadedButNoRooms) {
  ASSERT_TRUE(load(begin("sword", "sword.shape"), bytes_of(blade())).ok());
  EXPECT_EQ(names(false), std::vector<std::string>{"hall"});
  EXPECT_EQ(names(true), std::vector<std::string>{"sword"});
  // The room that is meant without a name is still the only one.
  TrackOptions anywhere = armed({}, "sword");
  anywhere.environment.clear();
  auto stream = std::make_unique<test::Stream>(*stub);
  EXPECT_EQ(stream->open(opening(anywhere)).environment().name(), "hall");
  TrackOptions inside = armed({}, "sword");
  inside.environment = "sword";
  EXPECT_EQ(refusal(inside).error_code(), StatusCode::NOT_FOUND);
  EXPECT_EQ(load(begin("sword", "sword.shape"), bytes_of(blade())).error_code(),
            StatusCode::ALREADY_EXISTS);
  EXPECT_EQ(unload("sword"), 1U);
  EXPECT_TRUE(names(true).empty());
  const grpc::Status gone = refusal(armed({}, "sword"));
  EXPECT_EQ(gone.error_code(), StatusCode::NOT_FOUND);
  EXPECT_NE(gone.error_message().find("there is no shape \"sword\""), std::string::npos)
      << gone.error_message();
  EXPECT_EQ(refusal(armed({}, "hall")).error_code(), StatusCode::NOT_FOUND);
  // A session keeps what was unloaded, and that counts.
  EXPECT_EQ(live.engine().rooms().stored_files().size(), 2U);
  stream.reset();
}

TEST_F(ServerShapes, WhatIsNoMeshIsRefusedWithItsCause) {
  const std::string good = bytes_of(*Shape::box({1, 1, 1}));
  const std::string head = "tocsin.shape.v1 ";
  std::string out_of_range = good;
  out_of_range[good.size() - 4] = 9;
  std::string not_finite = good;
  for (std::size_t i = 0; i < 8; ++i) not_finite[head.size() + 5 + i] = '\xff';
  struct Case {
    std::string file;
    std::string bytes;
    StatusCode code;
    const char* says;
  };
  const std::vector<Case> cases{
      {"a.shape", good.substr(0, good.size() - 1), StatusCode::INVALID_ARGUMENT, "and has 335"},
      {"a.shape", good + "x", StatusCode::INVALID_ARGUMENT, "and has 337"},
      {"a.shape", head + "1000000000 1000000000\n", StatusCode::INVALID_ARGUMENT, "and has 0"},
      {"a.shape", head + "4294967296 1\n", StatusCode::INVALID_ARGUMENT, "does not begin with"},
      {"a.shape", head + "8 12", StatusCode::INVALID_ARGUMENT, "does not begin with"},
      {"a.shape", "o box\n", StatusCode::INVALID_ARGUMENT, "does not begin with"},
      {"a.shape", head + "0 0\n", StatusCode::INVALID_ARGUMENT, "has no triangles"},
      {"a.shape", out_of_range, StatusCode::INVALID_ARGUMENT,
       "triangle 11 of a shape names corner 9"},
      {"a.shape", not_finite, StatusCode::INVALID_ARGUMENT, "corner 0 of a shape must be finite"},
      {"a.shape", "", StatusCode::INVALID_ARGUMENT, "is empty"},
      {"a.obj", "v 0 0 0\n", StatusCode::INVALID_ARGUMENT, "a.obj"},
      {"a.bvh", good, StatusCode::INVALID_ARGUMENT, "no shape can be read"},
      {"a.shape", bytes_of(*Shape::cylinder(1.0, 1.0, 1e-6)), StatusCode::RESOURCE_EXHAUSTED,
       "may load 5000 at most (triangles)"},
      {"a.shape", std::string(500'000, 'x'), StatusCode::RESOURCE_EXHAUSTED, "may be uploaded"},
  };
  for (const Case& c : cases) {
    const grpc::Status status = load(begin("a", c.file), c.bytes, 100'000);
    EXPECT_EQ(status.error_code(), c.code) << c.says << ": " << status.error_message();
    EXPECT_NE(status.error_message().find(c.says), std::string::npos) << status.error_message();
    EXPECT_EQ(status.error_message().find("/tmp"), std::string::npos) << status.error_message();
  }
  EXPECT_TRUE(names(true).empty());
  v1::LoadEnvironmentRequest chunk;
  chunk.set_chunk(good);
  EXPECT_EQ(load(chunk, "").error_code(), StatusCode::INVALID_ARGUMENT);
  v1::LoadEnvironmentRequest scaled = begin("a", "a.shape");
  scaled.mutable_begin()->set_scale(2.0);
  EXPECT_NE(load(scaled, good).error_message().find("`scale` and `up`"), std::string::npos);
  // A room is no .shape file.
  v1::LoadEnvironmentRequest room = begin("a", "a.shape");
  room.mutable_begin()->set_shape(false);
  EXPECT_EQ(load(room, good).error_code(), StatusCode::INVALID_ARGUMENT);
}

TEST_F(ServerShapes, PlacementsThatNoneHasAreRefused) {
  ASSERT_TRUE(load(begin("sword", "sword.shape"), bytes_of(blade())).ok());
  struct Case {
    ShapePlacement at;
    double radius;
    const char* says;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Case& c :
       {Case{{{}, {}, {1, 0, 1}}, 0.0, "scale must not be 0"},
        Case{{{}, {0.9, 0, 0, 0}, {1, 1, 1}}, 0.0, "a quaternion of length 1"},
        Case{{{nan, 0, 0}, {}, {1, 1, 1}}, 0.0, "must be finite"},
        Case{{}, -1.0, "radius must be 0 or more"}, Case{{}, nan, "radius must be 0 or more"},
        Case{{{}, {}, {1e9, 1, 1}}, 0.0, "within 1e6 m"}}) {
    TrackOptions asked = armed({}, "sword");
    asked.shapes[0].at = c.at;
    asked.shapes[0].radius = c.radius;
    const grpc::Status status = refusal(asked);
    EXPECT_EQ(status.error_code(), StatusCode::INVALID_ARGUMENT) << c.says;
    EXPECT_NE(status.error_message().find("link 16 (\"blade\"): its shape: "), std::string::npos)
        << status.error_message();
    EXPECT_NE(status.error_message().find(c.says), std::string::npos) << status.error_message();
  }
}

TEST_F(ServerShapes, TrianglesOfAnAvatarAreCounted) {
  const Shape wide = Shape::cylinder(1.0, 1.0, 1e-5).value();  // 2,800 or so
  ASSERT_GT(wide.features().size(), 1500U);
  ASSERT_LE(wide.features().size(), 3000U);
  ASSERT_TRUE(load(begin("wheel", "wheel.shape"), bytes_of(wide), 50'000).ok());
  TrackOptions one = armed({}, "wheel");
  {
    test::Stream stream(*stub);
    EXPECT_EQ(stream.open(opening(one)).links_size(), 17);
  }
  one.model->links[0].shape = wide;  // the same, in the model itself
  const grpc::Status status = refusal(one);
  EXPECT_EQ(status.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(status.error_message().find("may have 3000 of one avatar (shape_triangles)"),
            std::string::npos)
      << status.error_message();
  // A hull may have more than the mesh that it is made of: triangles that share no corner.
  std::vector<Vec3> corners;
  std::vector<TriangleIndices> loose;
  for (std::uint32_t i = 0; i < 900; ++i) {  // a spiral over a ball
    const double y = 1.0 - (2.0 * i + 1.0) / 900.0;
    const double r = std::sqrt(1.0 - y * y);
    corners.push_back({r * std::cos(2.4 * i), y, r * std::sin(2.4 * i)});
    if (i % 3 == 2) loose.push_back({i - 2, i - 1, i});
  }
  const Shape burr = Shape::mesh(std::move(corners), std::move(loose)).value();
  ASSERT_TRUE(load(begin("burr", "burr.shape"), bytes_of(burr), 50'000).ok());
  TrackOptions hull = armed({}, "burr");
  hull.model->links[0].shape = Shape::cylinder(1.0, 1.0, 4e-5).value();  // 1,400 or so
  ASSERT_LE(hull.model->links[0].shape.features().size() + 300, 3000U);
  {
    test::Stream stream(*stub);
    EXPECT_EQ(stream.open(opening(hull)).links_size(), 17);
  }
  hull.shapes[0].convex = true;
  EXPECT_EQ(refusal(hull).error_code(), StatusCode::RESOURCE_EXHAUSTED);
}

}  // namespace
}  // namespace tocsin::server_shapes_test
