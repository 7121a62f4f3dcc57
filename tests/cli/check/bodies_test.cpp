// `tocsin check` with meshes that are held, that move by themselves, and that models name.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/sha256.h"
#include "cli/scenes.h"
#include "support/contains.h"

namespace tocsin::test::bodies_test {
namespace {

using Json = nlohmann::json;

/// A pyramid about (0, 1, 0): its base in the plane z = 0, its tip at z = 0.3. Triangles 0 to 3 are
/// its sides, 4 and 5 its base.
constexpr const char* kSpike =
    "o Spike\nv -0.1 0.9 0\nv 0.1 0.9 0\nv 0.1 1.1 0\nv -0.1 1.1 0\nv 0 1 0.3\n"
    "f 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\nf 4 3 2 1\n";
/// By 90 degrees about y: the tip points along +x.
constexpr const char* kAhead = "@0,0,0,0.7071067811865476,0,0.7071067811865476,0";

/// One step of 0.1 s in which the pole passes a wall at x = 2.5 that no pose is near to, or stands.
class SpikeScene : public PoleScene {
 public:
  explicit SpikeScene(double from = 0.0, double to = 5.0) {
    write("take.bvh", pole_take({from, to}));
    write("room.obj", wall("Wall", 2.5, 1));
    write("spike.obj", kSpike);
  }
};

std::vector<Json> contacts_of(const std::string& report) {
  std::vector<Json> out;
  for (const std::string& line : lines_of_type(report, "contact")) out.push_back(Json::parse(line));
  return out;
}

void expect_toc(const Json& contact, double expected) {
  EXPECT_EQ(contact["status"], "hit");
  EXPECT_LE(contact["toc"][0].get<double>(), expected + 1e-6) << contact;
  EXPECT_GE(contact["toc"][1].get<double>(), expected - 1e-6) << contact;
  EXPECT_NEAR(contact["toc"][1].get<double>(), expected, 1e-6) << contact;
}

TEST(Bodies, AHeldMeshHitsAWallThatNoSampledPoseIsNearTo) {
  const SpikeScene scene;
  const std::vector<std::string> asked{"--hold", std::string("Hips=spike.obj") + kAhead, "--ignore",
                                       "pole:*"};
  const std::string report = scene.report(asked);
  const auto contacts = contacts_of(report);
  ASSERT_EQ(contacts.size(), 1U) << report;
  EXPECT_EQ(contacts[0]["link"], "spike");
  EXPECT_EQ(contacts[0]["object"], "Wall");
  expect_toc(contacts[0], 2.2 / 5.0);
  EXPECT_NEAR(contacts[0]["point"][0].get<double>(), 2.5, 1e-6);
  EXPECT_NEAR(contacts[0]["point"][1].get<double>(), 1.0, 1e-5);
  EXPECT_LE(contacts[0]["link_triangle"].get<int>(), 3);
  EXPECT_FALSE(contacts[0].contains("other_triangle"));

  const Json run = Json::parse(lines_of_type(report, "run")[0]);
  EXPECT_EQ(run["links"], (Json{"pole", "spike"}));
  EXPECT_EQ(run["options"]["hold"][0]["joint"], "Hips");
  EXPECT_EQ(run["options"]["hold"][0]["mesh"], "spike.obj");
  const Json& inputs = run["inputs"];
  const auto mesh = std::find_if(inputs.begin(), inputs.end(),
                                 [](const Json& input) { return input["role"] == "mesh"; });
  ASSERT_NE(mesh, inputs.end());
  EXPECT_EQ((*mesh)["sha256"], base::sha256_hex(kSpike));

  auto sampled = asked;
  sampled.emplace_back("--sampled");
  EXPECT_TRUE(contacts_of(scene.report(sampled)).empty());
}

TEST(Bodies, AReportOfAHeldMeshIsVerifiedAndCheckedAgain) {
  const SpikeScene scene;
  ASSERT_EQ(scene
                .check({"--hold", std::string("hips=spike.obj") + kAhead, "--ignore", "pole:*",
                        "--out", "report.jsonl"})
                .status,
            0);
  const CommandResult verified = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  const CommandResult again =
      run_tocsin({"check", "--like", "report.jsonl", "--out", "-"}, scene.path());
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(lines_of_type(again.out, "contact"),
            lines_of_type(scene.read("report.jsonl"), "contact"));
  scene.write("spike.obj", std::string(kSpike) + "# changed\n");
  const CommandResult changed = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(changed.status, 3);
  EXPECT_TRUE(contains(changed.err, "spike.obj")) << changed.err;
}

TEST(Bodies, ABodyMeetsTheRoomAndTheAvatar) {
  const SpikeScene scene(3.0, 3.0);  // the pole stands behind the wall
  scene.write("spike.csv",
              "time,x,y,z,qw,qx,qy,qz\n"
              "0,0,0,0,0.7071067811865476,0,0.7071067811865476,0\n"
              "0.1,5,0,0,0.7071067811865476,0,0.7071067811865476,0\n");
  const std::vector<std::string> asked{"--body", "dart=spike.obj:spike.csv"};
  const std::string report = scene.report(asked);
  const auto contacts = contacts_of(report);
  ASSERT_EQ(contacts.size(), 2U) << report;
  EXPECT_EQ(contacts[0]["link"], "pole");
  EXPECT_EQ(contacts[0]["other"], (Json{{"avatar", 1}, {"link", "dart"}}));
  expect_toc(contacts[0], 2.6 / 5.0);
  EXPECT_FALSE(contacts[0].contains("link_triangle"));
  EXPECT_LE(contacts[0]["other_triangle"].get<int>(), 3);
  EXPECT_EQ(contacts[1]["avatar"], 1);
  EXPECT_EQ(contacts[1]["link"], "dart");
  EXPECT_EQ(contacts[1]["object"], "Wall");
  expect_toc(contacts[1], 2.2 / 5.0);

  ASSERT_EQ(scene.check({"--body", "dart=spike.obj:spike.csv", "--out", "report.jsonl"}).status, 0);
  const CommandResult verified = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  const CommandResult table = scene.check(asked);
  EXPECT_TRUE(contains(table.out, "dart, 6 triangles, moved by spike.csv")) << table.out;
}

std::string floats(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

/// dart.gltf with dart.bin: a triangle with a tip at (0.3, 1, 0), below a node at (10, 0, 0) that a
/// clip moves from x = 10 at 0 s to x = 15 at 0.1 s. `moved`: the node that it moves.
void write_dart(const TemporaryFolder& folder, const std::string& moved = "0",
                const std::string& path = "translation") {
  folder.write("dart.bin", floats({0.3F, 1, 0, 0, 0.9F, -0.1F, 0, 1.1F, 0.1F}) + floats({0, 0.1F}) +
                               floats({10, 0, 0, 15, 0, 0}));
  folder.write("dart.gltf",
               R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,2]}],
    "nodes":[{"name":"Carrier","translation":[10,0,0],"children":[1]},
             {"name":"Dart","mesh":0,"translation":[-10,0,0]},{"name":"Other","mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "animations":[{"channels":[{"sampler":0,"target":{"node":)" +
                   moved + R"(,"path":")" + path +
                   R"("}}],"samplers":[{"input":1,"output":2}]}],
    "buffers":[{"uri":"dart.bin","byteLength":68}],
    "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":8},
                   {"buffer":0,"byteOffset":44,"byteLength":24}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0.9,-0.1],"max":[0.3,1.1,0.1]},
                 {"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[0.1]},
                 {"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"}]})");
}

TEST(Bodies, DepthAndNearnessAreToldAndVerified) {
  // The tip stops 0.2 m in front of the wall; on its way the base passes a sheet.
  const SpikeScene scene(0.0, 2.0);
  scene.write("room.obj", wall("Wall", 2.5, 1) +
                              "o Sheet\nv 1 0.5 0.25\nv 1 1.5 0.25\nv 1 1 0.35\nf -3 -2 -1\n");
  const std::vector<std::string> asked{
      "--hold", std::string("Hips=spike.obj") + kAhead, "--ignore", "pole:*", "--near", "0.3"};
  std::vector<std::string> reported = asked;
  reported.insert(reported.end(), {"--out", "report.jsonl"});
  ASSERT_EQ(scene.check(reported).status, 0);
  const std::string report = scene.read("report.jsonl");
  EXPECT_TRUE(contacts_of(report).empty()) << report;
  const auto lines = lines_of_type(report, "near");
  ASSERT_EQ(lines.size(), 2U) << report;
  const Json sheet = Json::parse(lines[0]);
  EXPECT_EQ(sheet["object"], "Sheet");
  // The base's edge at z = 0.1 passes the sheet, which begins at z = 0.25.
  EXPECT_NEAR(sheet["metres"].get<double>(), 0.15, 1e-3);
  EXPECT_NEAR(sheet["seconds"].get<double>(), 0.05, 1e-3);
  const Json wall = Json::parse(lines[1]);
  EXPECT_EQ(wall["link"], "spike");
  EXPECT_EQ(wall["object"], "Wall");
  EXPECT_NEAR(wall["metres"].get<double>(), 0.2, 1e-6);
  const CommandResult verified = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_TRUE(contains(verified.out, "2 pairs within 0.3 m")) << verified.out;

  // A longer step goes through the wall.
  scene.write("take.bvh", pole_take({0.0, 5.0}));
  const Json episode = Json::parse(lines_of_type(scene.report(asked), "episode")[0]);
  EXPECT_EQ(episode["object"], "Wall");
  EXPECT_EQ(episode["deepest"]["through"], true) << episode;
  EXPECT_NEAR(episode["deepest"]["depth"].get<double>(), 0.0, 1e-6);
}

TEST(Bodies, ABodyMovesAsItsOwnFileSays) {
  const SpikeScene scene(3.0, 3.0);
  write_dart(scene);
  // Without the second mesh, which nothing moves.
  std::string text = scene.read("dart.gltf");
  text.replace(text.find("[0,2]"), 5, "[0]");
  scene.write("dart.gltf", text);
  ASSERT_EQ(scene.check({"--body", "dart=dart.gltf", "--out", "report.jsonl"}).status, 0);
  const auto contacts = contacts_of(scene.read("report.jsonl"));
  ASSERT_EQ(contacts.size(), 2U);
  EXPECT_EQ(contacts[0]["other"]["link"], "dart");
  expect_toc(contacts[0], 2.6 / 5.0);
  EXPECT_EQ(contacts[1]["object"], "Wall");
  expect_toc(contacts[1], 2.2 / 5.0);
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 0);
}

TEST(Bodies, WhatNoNodeMovesStandsBesideWhatOneMoves) {
  const SpikeScene scene(3.0, 3.0);
  write_dart(scene);
  const CommandResult result = scene.check({"--body", "set=dart.gltf", "--out", "report.jsonl"});
  ASSERT_EQ(result.status, 0) << result.err;
  const auto contacts = contacts_of(scene.read("report.jsonl"));
  ASSERT_EQ(contacts.size(), 2U);
  EXPECT_EQ(contacts[0]["other"], (Json{{"avatar", 1}, {"link", "Carrier"}}));
  expect_toc(contacts[0], 2.6 / 5.0);
  EXPECT_EQ(contacts[1]["link"], "Carrier");
  expect_toc(contacts[1], 2.2 / 5.0);
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 0);
  const CommandResult table = scene.check({"--body", "set=dart.gltf"});
  EXPECT_TRUE(contains(table.out, "set, set: 1 triangle, Carrier: 1 triangle, moved by dart.gltf"))
      << table.out;
}

/// crane.gltf: a base that moves from x = 0 to x = 4 in 0.1 s, and on it, 1 m ahead, an arm that
/// turns about y by 90 degrees. The arm's triangle reaches 0.5 m along +z at rest; its node mirrors
/// z.
void write_crane(const TemporaryFolder& folder) {
  const float half = std::sqrt(0.5F);
  folder.write("crane.bin", floats({0, 1, -0.5F, 0, 0.9F, 0, 0, 1.1F, 0}) + floats({0, 0.1F}) +
                                floats({0, 0, 0, 4, 0, 0}) +
                                floats({0, 0, 0, 1, 0, half, 0, half}));
  folder.write("crane.gltf",
               R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[2]}],
    "nodes":[{"name":"Base","mesh":0,"rotation":[0,0.70710678,0,0.70710678]},
             {"name":"Arm","mesh":0,"translation":[1,0,0],"scale":[1,1,-1]},
             {"name":"Crane","children":[0,1]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "animations":[{"channels":[{"sampler":0,"target":{"node":2,"path":"translation"}},
                               {"sampler":1,"target":{"node":1,"path":"rotation"}}],
                   "samplers":[{"input":1,"output":2},{"input":1,"output":3}]}],
    "buffers":[{"uri":"crane.bin","byteLength":100}],
    "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":8},
                   {"buffer":0,"byteOffset":44,"byteLength":24},{"buffer":0,"byteOffset":68,"byteLength":32}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0.9,-0.5],"max":[0,1.1,0]},
                 {"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[0.1]},
                 {"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"},
                 {"bufferView":3,"componentType":5126,"count":2,"type":"VEC4"}]})");
}

TEST(Bodies, EachAnimatedNodeWithAMeshIsALinkOnItsJoint) {
  const SpikeScene scene(9.0, 9.0);  // the pole stands far behind
  write_crane(scene);
  ASSERT_EQ(scene.check({"--body", "crane=crane.gltf", "--out", "report.jsonl"}).status, 0);
  const auto contacts = contacts_of(scene.read("report.jsonl"));
  ASSERT_EQ(contacts.size(), 2U) << scene.read("report.jsonl");
  // The arm's tip is at 4 t + 1 + 0.5 sin(90 degrees t): on the wall, which is at 2.5, at this t.
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double t = 0.5 * (low + high);
    (4 * t + 1 + 0.5 * std::sin(std::numbers::pi / 2 * t) < 2.5 ? low : high) = t;
  }
  const bool arm_first = contacts[0]["link"] == "Arm";
  const Json& arm = contacts[arm_first ? 0 : 1];
  const Json& base = contacts[arm_first ? 1 : 0];
  EXPECT_EQ(arm["link"], "Arm");
  EXPECT_EQ(arm["object"], "Wall");
  expect_toc(arm, low);
  EXPECT_EQ(base["link"], "Crane");  // the node that moves; what it carries is below it
  expect_toc(base, 2.5 / 4.0);
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 0);
}

/// pivot.gltf: a pivot without a mesh turns about y by 90 degrees in 0.1 s; below it, 2 m ahead
/// along z, a leaf turns back. So the leaf goes along an arc and keeps its direction. `tracks`: of
/// both.
void write_pivot(const TemporaryFolder& folder, const std::string& between = "LINEAR") {
  const float half = std::sqrt(0.5F);
  folder.write("pivot.bin", floats({0, 1, 0.05F, 0, 0.9F, 0, 0, 1.1F, 0}) + floats({0, 0.1F}) +
                                floats({0, 0, 0, 1, 0, half, 0, half}) +
                                floats({0, 0, 0, 1, 0, -half, 0, half}));
  folder.write("pivot.gltf",
               R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
    "nodes":[{"name":"Pivot","translation":[5,0,0],"children":[1]},
             {"name":"Leaf","mesh":0,"translation":[0,0,2]}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"rotation"}},
                               {"sampler":1,"target":{"node":1,"path":"rotation"}}],
                   "samplers":[{"input":1,"output":2},
                               {"input":1,"output":3,"interpolation":")" +
                   between + R"("}]}],
    "buffers":[{"uri":"pivot.bin","byteLength":108}],
    "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":8},
                   {"buffer":0,"byteOffset":44,"byteLength":32},{"buffer":0,"byteOffset":76,"byteLength":32}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0.9,0],"max":[0,1.1,0.05]},
                 {"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[0.1]},
                 {"bufferView":2,"componentType":5126,"count":2,"type":"VEC4"},
                 {"bufferView":3,"componentType":5126,"count":2,"type":"VEC4"}]})");
}

TEST(Bodies, AMovingNodeWithoutAMeshOfItsOwnIsAJoint) {
  const SpikeScene scene(0.0, 0.0);
  write_pivot(scene);
  // A sheet on the arc, at x - 5 = z = sqrt 2, that the straight way between both ends is far from.
  scene.write("room.obj", "o Sheet\nv 6.3 0.5 1.42\nv 6.6 0.5 1.42\nv 6.45 1.5 1.42\nf 1 2 3\n");
  ASSERT_EQ(scene.check({"--body", "leaf=pivot.gltf", "--out", "report.jsonl"}).status, 0);
  const auto contacts = contacts_of(scene.read("report.jsonl"));
  ASSERT_EQ(contacts.size(), 1U) << scene.read("report.jsonl");
  EXPECT_EQ(contacts[0]["link"], "leaf");
  EXPECT_EQ(contacts[0]["object"], "Sheet");
  // The leaf's middle edge is at z = 2 cos(90 degrees t), and its foremost point 0.05 in front of
  // it.
  EXPECT_NEAR(contacts[0]["toc"][1].get<double>(), std::acos(1.42 / 2) / (std::numbers::pi / 2),
              0.02);
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 0);
}

TEST(Bodies, AnAnimationThatJumpsIsRefusedAndSplinesAreTold) {
  const SpikeScene scene(0.0, 0.0);
  write_pivot(scene, "STEP");
  const CommandResult jumps = scene.check({"--body", "leaf=pivot.gltf"});
  EXPECT_EQ(jumps.status, 3);
  EXPECT_TRUE(contains(jumps.err, "pivot.gltf: node \"Leaf\" jumps")) << jumps.err;
  // Morph weights: on a channel of its own.
  write_pivot(scene);
  std::string text = scene.read("pivot.gltf");
  const std::string path = R"({"sampler":1,"target":{"node":1,"path":"rotation"}})";
  text.replace(text.find(path), path.size(),
               R"({"sampler":1,"target":{"node":1,"path":"weights"}})");
  scene.write("pivot.gltf", text);
  const CommandResult morphs = scene.check({"--body", "leaf=pivot.gltf"});
  EXPECT_EQ(morphs.status, 3);
  EXPECT_TRUE(contains(morphs.err, "morph weights")) << morphs.err;
  // A parent that is longer along x than along z: what turns below it shears between two keys.
  write_pivot(scene);
  text = scene.read("pivot.gltf");
  const std::string pivot = R"("translation":[5,0,0],)";
  text.replace(text.find(pivot), pivot.size(), R"("translation":[5,0,0],"scale":[4,1,1],)");
  scene.write("pivot.gltf", text);
  const CommandResult shears = scene.check({"--body", "leaf=pivot.gltf"});
  EXPECT_EQ(shears.status, 3);
  EXPECT_TRUE(contains(shears.err, "pivot.gltf: at 0.025 s, node \"Leaf\"")) << shears.err;
}

TEST(Bodies, AnAnimationThatIsNoRigidMotionIsRefused) {
  const SpikeScene scene;
  write_dart(scene, "0", "scale");
  std::string text = scene.read("dart.gltf");
  text.replace(text.find("[0,2]"), 5, "[0]");
  scene.write("dart.gltf", text);
  const CommandResult grown = scene.check({"--body", "dart=dart.gltf"});
  EXPECT_EQ(grown.status, 3);
  EXPECT_TRUE(contains(grown.err, "dart.gltf: at ")) << grown.err;
}

TEST(Bodies, ABodyWithoutAMotionStandsStill) {
  const SpikeScene scene;
  scene.write("post.obj", "v 1 -9 0\nv 1 9 0.1\nv 1 9 -0.1\nf 1 2 3\n");
  const std::string report = scene.report({"--body", "post=post.obj", "--ignore", "pole:Wall"});
  const auto contacts = contacts_of(report);
  ASSERT_EQ(contacts.size(), 1U) << report;
  EXPECT_EQ(contacts[0]["other"]["link"], "post");
  EXPECT_GT(contacts[0]["toc"][1].get<double>(), 0.9 / 5.0 - 1e-6);
  EXPECT_LT(contacts[0]["toc"][1].get<double>(), 1.0 / 5.0);
  const Json run = Json::parse(lines_of_type(report, "run")[0]);
  EXPECT_EQ(run["options"]["bodies"],
            (Json::parse(R"([{"name":"post","mesh":"post.obj","motion":null}])")));
  EXPECT_EQ(run["avatars"].size(), 2U);
}

TEST(Bodies, AnAnimationThatIsNotUsedIsTold) {
  const SpikeScene scene(3.0, 3.0);
  write_dart(scene);
  const CommandResult held =
      scene.check({"--hold", "Hips=dart.gltf", "--ignore", "pole:*", "--out", "report.jsonl"});
  EXPECT_TRUE(contains(held.err, "dart.gltf: its animation is not used")) << held.err;
  const std::string still =
      "<?xml version=\"1.0\"?>\n<X3D><Scene><Shape><IndexedFaceSet "
      "coordIndex=\"0 1 2 -1\"><Coordinate point=\"9 0 0 9 1 0 9 0 1\"/>"
      "</IndexedFaceSet></Shape></Scene></X3D>\n";
  scene.write("still.x3d", still);
  scene.write("moving.x3d",
              std::string(still).insert(still.find("<Shape>"), "<PositionInterpolator/>"));
  const CommandResult quiet = scene.check({"--body", "b=still.x3d", "--out", "report.jsonl"});
  EXPECT_FALSE(contains(quiet.err, "animation")) << quiet.err;
  const CommandResult told = scene.check({"--body", "b=moving.x3d", "--out", "report.jsonl"});
  EXPECT_TRUE(contains(told.err, "moving.x3d: its animation")) << told.err;
  EXPECT_EQ(told.status, quiet.status);
}

TEST(Bodies, AModelMayHaveAShape) {
  const SpikeScene scene;
  std::filesystem::create_directory(scene.path() / "models");
  scene.write("models/tip.obj", kSpike);
  scene.write("models/spiked.json",
              R"({"format":"tocsin.avatar.v1","name":"spiked","links":[
                 {"name":"tip","joint":"Hips","shape":{"mesh":"tip.obj","rotation":[0.7071067811865476,0,0.7071067811865476,0]}}]})");
  const CommandResult result = run_tocsin({"check", "take.bvh", "--env", "room.obj", "--avatar",
                                           "models/spiked.json", "--out", "report.jsonl"},
                                          scene.path());
  ASSERT_EQ(result.status, 0) << result.err;
  const auto contacts = contacts_of(scene.read("report.jsonl"));
  ASSERT_EQ(contacts.size(), 1U);
  expect_toc(contacts[0], 2.2 / 5.0);
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 0);
  const CommandResult info = run_tocsin({"info", "models/spiked.json"}, scene.path());
  EXPECT_TRUE(contains(info.out, "6 triangles")) << info.out;
}

TEST(Bodies, BadInputIsRefusedWithItsPlace) {
  const SpikeScene scene;
  scene.write("empty.obj", "v 0 0 0\n");
  scene.write("bad.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  scene.write("huge.ply",
              "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
              "property float z\nelement face 1000000000\nproperty list uchar int vertex_indices\n"
              "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  scene.write("late.csv",
              "time,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n0.1,0,0,0,1,0,0,0\n0.1,0,0,0,1,0,0,0\n");
  struct Case {
    std::vector<std::string> more;
    int status;
    std::string text;
  };
  const std::vector<Case> cases{
      {{"--hold", "Hips=empty.obj"}, 3, "empty.obj"},
      {{"--hold", "Hips=bad.obj"}, 3, "bad.obj:1"},
      {{"--hold", "Hips=huge.ply"}, 3, "huge.ply"},
      {{"--hold", "Hips=none.obj"}, 3, "none.obj"},
      {{"--hold", "Foot=spike.obj"}, 2, "no joint \"Foot\""},
      {{"--hold", "spike.obj"}, 2, "JOINT=MESH"},
      {{"--hold", "Hips=spike.obj@0,0,0"}, 2, "x,y,z,qw,qx,qy,qz"},
      {{"--hold", "Hips=spike.obj@0,0,0,1,1,0,0"}, 2, "length 1"},
      {{"--body", "a=spike.obj:late.csv"}, 3, "late.csv:4"},
      {{"--body", "a=spike.obj:take.bvh"}, 2, "take.bvh"},
      {{"--body", "a=spike.obj", "--body", "a=spike.obj"}, 2, "\"a\""},
      {{"--body", "a=spike.obj", "--sampled"}, 2, "--sampled"},
      {{"--hold", "Hips=spike.obj", "--out", "spike.obj"}, 2, "overwritten"}};
  for (const Case& one : cases) {
    const CommandResult result = scene.check(one.more);
    EXPECT_EQ(result.status, one.status) << one.more[1] << result.err;
    EXPECT_TRUE(contains(result.err, one.text)) << one.more[1] << ": " << result.err;
  }
}

}  // namespace
}  // namespace tocsin::test::bodies_test
