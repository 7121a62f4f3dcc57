// Links with shapes in avatar models: what is read and written, and what is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "io/avatar/avatar_json.h"
#include "io/avatar/bound_model.h"
#include "io/avatar/load_avatar_model.h"
#include "support/contains.h"
#include "support/test_folder.h"

namespace tocsin::io::avatar_mesh_test {
namespace {

using test::contains;
using test::TestFolder;

std::string model_of(const std::string& shape, const std::string& more = {}) {
  return R"({"format":"tocsin.avatar.v1","name":"m","links":[{"name":"l","joint":"J")" + more +
         R"(,"shape":)" + shape + "}]}";
}

constexpr const char* kTwo =
    "o A\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    "o B\nv 0 0 1\nv 2 0 1\nv 0 2 1\nv 0 0 3\nf 4 5 6\nf 4 6 7\n";

/// A model's shape; its meshes are in `folder`.
Shape shape_of(const TestFolder& folder, const std::string& shape) {
  const auto file = folder.write("m.json", model_of(shape));
  const auto model = load_avatar_model(file.string(), nullptr);
  EXPECT_TRUE(model.ok()) << shape << ": " << model.error().message;
  return model.ok() ? model->links[0].shape : Shape();
}

std::vector<Vec3> corners_of(const Shape& shape) {
  return {shape.corners().begin(), shape.corners().end()};
}

TEST(AvatarMesh, ReadsFilesAndTheirObjects) {
  const TestFolder folder;
  folder.write("two.obj", kTwo);
  EXPECT_EQ(shape_of(folder, R"({"mesh":"two.obj"})").features().size(), 3U);
  const Shape b = shape_of(folder, R"({"mesh":"two.obj","object":"B","radius":0.25})");
  EXPECT_EQ(corners_of(b), (std::vector<Vec3>{{0, 0, 1}, {2, 0, 1}, {0, 2, 1}, {0, 0, 3}}));
  EXPECT_EQ(b.features().size(), 2U);
  EXPECT_EQ(b.radius(), 0.25);
  EXPECT_EQ(shape_of(folder, R"({"convex":"two.obj","object":"B"})").features().size(), 4U);
}

TEST(AvatarMesh, PlacesAShape) {
  const TestFolder folder;
  folder.write("two.obj", kTwo);
  const Shape at = shape_of(
      folder, R"({"mesh":"two.obj","object":"A","scale":[-1,2,1],"rotation":[0.6,0,0,0.8],)"
              R"("translation":[10,0,0]})");
  // A half turn's worth of cos = 0.6^2 - 0.8^2, sin = 2 * 0.48.
  const double c = -0.28;
  const double s = 0.96;
  const std::vector<Vec3> expected{{10, 0, 0}, {10 - c, -s, 0}, {10 - 2 * s, 2 * c, 0}};
  ASSERT_EQ(at.corners().size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(at.corners()[i].x, expected[i].x, 1e-14);
    EXPECT_NEAR(at.corners()[i].y, expected[i].y, 1e-14);
  }
}

TEST(AvatarMesh, ReadsEveryKind) {
  const TestFolder folder;
  const Shape box = shape_of(folder, R"({"box":[1,2,3],"radius":0.5,"scale":2})");
  EXPECT_EQ(box.features().size(), 12U);
  EXPECT_EQ(box.radius(), 0.5);
  EXPECT_EQ(std::abs(box.corners()[0].z), 6.0);
  const Shape sphere = shape_of(folder, R"({"sphere":{"radius":0.5},"translation":[1,2,3]})");
  EXPECT_EQ(corners_of(sphere), (std::vector<Vec3>{{1, 2, 3}}));
  EXPECT_EQ(sphere.radius(), 0.5);
  const Shape rounded =
      shape_of(folder, R"({"sphere":{"radius":0.5,"center":[0,0,1]},"radius":0.25})");
  EXPECT_EQ(corners_of(rounded), (std::vector<Vec3>{{0, 0, 1}}));
  EXPECT_EQ(rounded.radius(), 0.75);
  const Shape capsule = shape_of(folder, R"({"capsule":{"a":[0,0,0],"b":[0,1,0],"radius":0.1}})");
  EXPECT_EQ(corners_of(capsule), (std::vector<Vec3>{{0, 0, 0}, {0, 1, 0}}));
  const std::string round = R"({"radius":0.5,"height":2,"tolerance":0.01}})";
  EXPECT_EQ(shape_of(folder, R"({"cylinder":)" + round).corners().size(), 32U);
  EXPECT_EQ(shape_of(folder, R"({"cone":)" + round).corners().size(), 17U);
}

/// What a record keeps of a session: the model's text without files.
TEST(AvatarMesh, IsWrittenAndReadBackToTheBit) {
  const TestFolder folder;
  folder.write("two.obj", kTwo);
  const char* const shapes[] = {
      R"({"mesh":"two.obj","rotation":[0.6,0,0,0.8],"translation":[0.1,1e-9,0],"radius":0.1})",
      R"({"box":[0.1,0.2,0.3]})", R"({"sphere":{"radius":0.1},"translation":[0.1,0.2,0.3]})",
      R"({"capsule":{"a":[0.1,0,0],"b":[0,0.3,0],"radius":0.1}})",
      R"({"cone":{"radius":0.5,"height":2,"tolerance":0.01},"radius":0.001})"};
  const Skeleton skeleton = *Skeleton::create({{"J", -1, {}}});
  for (const char* const text : shapes) {
    folder.write("m.json", model_of(text));
    const auto model = load_avatar_model((folder.path() / "m.json").string(), nullptr);
    ASSERT_TRUE(model.ok()) << model.error().message;
    const auto avatar = Avatar::bind(*model, skeleton, {false, 2.0});
    ASSERT_TRUE(avatar.ok()) << avatar.error().message;
    const auto back = parse_avatar_model(avatar_model_text(bound_model(*avatar)), "back");
    ASSERT_TRUE(back.ok()) << back.error().message;
    const Shape& before = model->links[0].shape;
    for (const Shape* const after : {&avatar->links()[0].shape, &back->links[0].shape}) {
      EXPECT_EQ(corners_of(*after), corners_of(before)) << text;
      EXPECT_TRUE(std::equal(after->features().begin(), after->features().end(),
                             before.features().begin(), before.features().end()));
      EXPECT_EQ(after->radius(), before.radius());  // no factor scales a shape
    }
    const auto again = Avatar::bind(*back, skeleton);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->links()[0].radius, avatar->links()[0].radius);
    EXPECT_EQ(again->links()[0].a, avatar->links()[0].a);
  }
}

TEST(AvatarMesh, NamesThePlaceOfEveryMistake) {
  const TestFolder folder;
  folder.write("two.obj", kTwo);
  folder.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n");
  folder.write("none.obj", "v 0 0 0\n");
  folder.write("nan.obj", "v 0 nan 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  struct BadShape {
    const char* shape;
    const char* place;
    const char* cause;
  };
  const BadShape mistakes[] = {
      {R"("two.obj")", "links[0].shape: ", "must be an object"},
      {"{}", "links[0].shape: ", "must have one of mesh"},
      {R"({"blob":1})", "links[0].shape: ", "unknown field \"blob\""},
      {R"({"box":[1,1,1],"mesh":"two.obj"})", "links[0].shape: ", "is both"},
      {R"({"box":[1,1,1],"object":"A"})", "links[0].shape: ", "unknown field \"object\""},
      {R"({"mesh":3})", "links[0].shape.mesh: ", "must be a string"},
      {R"({"mesh":""})", "links[0].shape.mesh: ", "must not be empty"},
      {R"({"mesh":"lost.obj"})", "links[0].shape.mesh: ", "lost.obj"},
      {R"({"mesh":"two.txt"})", "links[0].shape.mesh: ", "two.txt"},
      {R"({"mesh":"two.obj","object":"C"})", "links[0].shape.mesh: ", "it has \"A\", \"B\""},
      {R"({"mesh":"none.obj"})", "links[0].shape.mesh: ", "none.obj"},
      {R"({"mesh":"nan.obj"})", "links[0].shape.mesh: ", "nan.obj:1"},
      {R"({"convex":"flat.obj"})", "links[0].shape: ", "one plane"},
      {R"({"convex":"two.obj","object":"A"})", "links[0].shape: ", "four points"},
      {R"({"box":[1,0,1]})", "links[0].shape: ", "above 0"},
      {R"({"box":[1,1]})", "links[0].shape.box: ", "array of 3 numbers"},
      {R"({"box":[1,1,1],"scale":0})", "links[0].shape: ", "scale must not be 0"},
      {R"({"box":[1,1,1],"scale":[1,0,1]})", "links[0].shape: ", "scale must not be 0"},
      {R"({"box":[1,1,1],"rotation":[1,1,0,0]})", "links[0].shape: ", "length 1"},
      {R"({"box":[1,1,1],"rotation":[1,0,0]})", "links[0].shape.rotation: ", "4 numbers"},
      {R"({"box":[1,1,1],"translation":[1e7,0,0]})", "links[0].shape: ", "1e6 m"},
      {R"({"box":[1,1,1],"radius":-1})", "links[0].shape.radius: ", "0 or more"},
      {R"({"sphere":{"radius":0}})", "links[0].shape: ", "at least 1e-06"},
      {R"({"sphere":{"radius":1},"scale":2})", "links[0].shape: ", "cannot be scaled"},
      {R"({"sphere":{}})", "links[0].shape.sphere: ", "\"radius\" is missing"},
      {R"({"sphere":{"radius":1,"height":2}})", "links[0].shape.sphere: ", "unknown field"},
      {R"({"cylinder":{"radius":1,"height":1}})", "links[0].shape.cylinder: ", "\"tolerance\""},
      {R"({"cone":{"radius":1,"height":1,"tolerance":1e-9}})", "links[0].shape: ", "4096 sides"},
      {R"({"triangles":{"corners":[[0,0,0],[1,0,0],[0,1,0]],"indices":[]}})",
       "links[0].shape: ", "at least one triangle"},
      {R"({"triangles":{"corners":[[0,0,0]],"indices":[[0,0,1]]}})",
       "links[0].shape: ", "names corner 1"},
      {R"({"triangles":{"corners":[[0,0,0]],"indices":[[0,0,-1]]}})",
       "links[0].shape.triangles.indices[0]: ", "whole numbers"},
      {R"({"triangles":{"corners":[[0,0,0]],"indices":[[0,0,0.5]]}})",
       "links[0].shape.triangles.indices[0]: ", "whole numbers"},
      {R"({"triangles":{"corners":[[0,0]],"indices":[[0,0,0]]}})",
       "links[0].shape.triangles.corners[0]: ", "3 numbers"}};
  for (const BadShape& one : mistakes) {
    const auto file = folder.write("m.json", model_of(one.shape)).string();
    const auto model = load_avatar_model(file, nullptr);
    ASSERT_FALSE(model.ok()) << one.shape;
    EXPECT_EQ(model.error().code, ErrorCode::kInput);
    const std::string& message = model.error().message;
    EXPECT_EQ(message.substr(0, file.size() + 2), file + ": ");
    EXPECT_EQ(message.substr(file.size() + 2, std::string(one.place).size()), one.place) << message;
    EXPECT_TRUE(contains(message, one.cause)) << message;
  }
  for (const char* const more : {R"(,"radius":1)", R"(,"a":[0,0,0])", R"(,"length":1)"}) {
    const auto model = parse_avatar_model(model_of(R"({"box":[1,1,1]})", more), "m");
    ASSERT_FALSE(model.ok());
    EXPECT_TRUE(contains(model.error().message, "is not for a link with a shape"));
  }
  // What a client sends names no file of the server's.
  const auto sent = parse_avatar_model(model_of(R"({"mesh":"two.obj"})"), "m");
  ASSERT_FALSE(sent.ok());
  EXPECT_TRUE(contains(sent.error().message, "links[0].shape.mesh: names a file"));
}

TEST(AvatarMesh, LogsEachFileOnceAsAMesh) {
  const TestFolder folder;
  folder.write("two.obj", kTwo);
  const auto file = folder.write(
      "m.json", R"({"format":"tocsin.avatar.v1","name":"m","links":[)"
                R"({"name":"a","joint":"J","shape":{"mesh":"two.obj","object":"A"}},)"
                R"({"name":"b","joint":"J","shape":{"mesh":"two.obj","object":"B"}}]})");
  InputLog log;
  ASSERT_TRUE(load_avatar_model(file.string(), &log).ok());
  ASSERT_EQ(log.size(), 2U);
  EXPECT_EQ(log[0].role, "avatar");
  EXPECT_EQ(log[1].role, "mesh");
  EXPECT_EQ(log[1].file, (folder.path() / "two.obj").string());
}

}  // namespace
}  // namespace tocsin::io::avatar_mesh_test
