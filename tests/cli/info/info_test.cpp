// `tocsin info`: takes, rooms, avatar models.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/scenes.h"
#include "support/data.h"

namespace tocsin::test::info_test {
namespace {

using Json = nlohmann::json;

TEST(Info, ATake) {
  const PoleScene scene;
  const CommandResult result = run_tocsin({"info", "take.bvh", "--tree"}, scene.path());
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string& out = result.out;
  EXPECT_TRUE(matches(out, "Joints +1 and 1 end site, 6 channels\n")) << out;
  EXPECT_TRUE(matches(out, "Frames +9 at 10 Hz \\(0.1 s each\\), 0.9 s\n")) << out;
  EXPECT_TRUE(matches(out, "Unit +one unit is 1 m \\(1.7 m long in m; no person;")) << out;
  EXPECT_TRUE(matches(out, "Height +1.7 m")) << out;
  EXPECT_TRUE(matches(out, "Root +x 0 to 3 m, y 0 to 0 m, z 0 to 0 m\n")) << out;
  EXPECT_TRUE(matches(out, "at 20 m/s, between frames 7 and 8\n")) << out;  // 1 to 3 m in 0.1 s
  EXPECT_TRUE(matches(out, "\n  Hips\n    Hips_end  1.7 m\n")) << out;
  EXPECT_TRUE(matches(out, "humanoid16 does not bind")) << out;
}

TEST(Info, TheHeightIsAlongTheAxisThatIsUp) {
  const PoleScene scene;
  std::string take = pole_take();
  scene.write("take.bvh", take.replace(take.find("0 1.7 0"), 7, "0 0 1.7"));
  const auto result = run_tocsin({"info", "take.bvh", "--motion-up", "z"}, scene.path());
  EXPECT_TRUE(matches(result.out, "Height +1.7 m")) << result.out << result.err;
}

TEST(Info, ATakeForPrograms) {
  const PoleScene scene;
  const Json json = Json::parse(run_tocsin({"info", "take.bvh", "--json"}, scene.path()).out);
  EXPECT_EQ(json["kind"], "motion");
  EXPECT_EQ(json["joints"], 1);
  EXPECT_EQ(json["end_sites"], 1);
  EXPECT_EQ(json["channels"], 6);
  EXPECT_EQ(json["frames"], 9);
  EXPECT_EQ(json["unit_metres"], 1.0);
  EXPECT_EQ(json["tree"][1]["parent"], 0);
}

TEST(Info, ATakeWhoseUnitCannotBeTold) {
  const PoleScene scene;
  std::string take = pole_take();
  scene.write("take.bvh", take.replace(take.find("1.7"), 3, "5.1"));
  EXPECT_EQ(scene.check().status, 3);  // asks for the unit
  EXPECT_NE(scene.check().err.find("--motion-unit"), std::string::npos);
  const CommandResult result = run_tocsin({"info", "take.bvh"}, scene.path());
  ASSERT_EQ(result.status, 0) << result.err;
  // The length in each unit: 5.1 m, 0.051 m in cm, 0.0051 m in mm, 0.1295 m in inches, 0.288 m in
  // cmu.
  for (const std::string height : {"5.1 m", "0.051 m", "0.0051 m", "0.13 m", "0.288 m"}) {
    EXPECT_NE(result.out.find(height), std::string::npos) << height << " in " << result.out;
  }
  EXPECT_TRUE(matches(result.out, "Height +5.1 units")) << result.out;
  EXPECT_EQ(result.out.find("longer than 1 m"), std::string::npos) << result.out;  // 5.1 units
  EXPECT_TRUE(
      Json::parse(run_tocsin({"info", "take.bvh", "--json"}, scene.path()).out)["unit_metres"]
          .is_null());
}

TEST(Info, ARoom) {
  const PoleScene scene;
  const CommandResult result = run_tocsin({"info", "room.obj"}, scene.path());
  ASSERT_EQ(result.status, 0) << result.err;
  // Three rectangles of two triangles: each has five edges, four of them on its border.
  EXPECT_TRUE(matches(result.out, "Objects +3\n")) << result.out;
  EXPECT_TRUE(matches(result.out, "Triangles +6 \\(0 degenerate\\), 12 vertices\n")) << result.out;
  EXPECT_TRUE(matches(result.out, "Edges +15, of which 12 boundary and 0 non-manifold\n"))
      << result.out;
  EXPECT_TRUE(matches(result.out, "Bounds +x -5 to 5 m, y -1 to 2 m, z -5 to 5 m\n")) << result.out;
  EXPECT_TRUE(
      matches(result.out, "Wall +2  x 2.5 to 2.5 m, y -0.5 to 2 m, z -1 to 1 m +4 boundary"));
}

TEST(Info, ARoomForPrograms) {
  const PoleScene scene;
  const Json json = Json::parse(run_tocsin({"info", "room.obj", "--json"}, scene.path()).out);
  EXPECT_EQ(json["kind"], "environment");
  EXPECT_EQ(json["triangles"], 6);
  EXPECT_EQ(json["boundary_edges"], 12);
  ASSERT_EQ(json["objects"].size(), 3U);
  EXPECT_EQ(json["objects"][1]["name"], "Shelf");
}

TEST(Info, ALargeRoomIsCutUnlessAllIsAskedFor) {
  const PoleScene scene;
  std::string room;
  for (int i = 0; i < 30; ++i) room += wall("Wall" + std::to_string(i), i, 4 * i + 1);
  scene.write("room.obj", room);
  const std::string some = run_tocsin({"info", "room.obj"}, scene.path()).out;
  EXPECT_TRUE(matches(some, "\\.\\.\\. and 10 more"));
  const std::string all = run_tocsin({"info", "room.obj", "--all"}, scene.path()).out;
  EXPECT_FALSE(matches(all, "\\.\\.\\. and"));
  EXPECT_TRUE(matches(all, "Wall29"));
}

TEST(Info, AvatarModels) {
  const PoleScene scene;
  const std::string own = run_tocsin({"info", "pole.json"}, scene.path()).out;
  EXPECT_TRUE(matches(own, "Links +1\n")) << own;
  EXPECT_TRUE(matches(own, "pole +Hips +\\(0, 0, 0\\) +\\(0, 1.7, 0\\) +0.1 m\n")) << own;
  const CommandResult shipped = run_tocsin({"info", "humanoid16"});
  EXPECT_EQ(shipped.status, 0);
  EXPECT_TRUE(matches(shipped.out, "Links +16\n")) << shipped.out;
  EXPECT_EQ(Json::parse(run_tocsin({"info", "humanoid16", "--json"}).out)["links"].size(), 16U);
}

TEST(Info, WhatItCannotRead) {
  const PoleScene scene;
  scene.write("notes.txt", "x");
  scene.write("bad.bvh", "HIERARCHY\nROOT\n");
  scene.write("bad.obj", "v 1 2\n");
  scene.write("bad.json", "{");
  for (const std::string file :
       {"notes.txt", "bad.bvh", "bad.obj", "bad.json", "gone.bvh", "gone.obj"}) {
    const CommandResult result = run_tocsin({"info", file}, scene.path());
    EXPECT_EQ(result.status, 3) << file;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find(file), std::string::npos) << result.err;
  }
}

TEST(Info, TheHouse) {
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const CommandResult result =
      run_tocsin({"info", data_path("environments/small_house.obj").string()});
  ASSERT_EQ(result.status, 0) << result.err;
  // The figures of the data's own README.
  EXPECT_TRUE(matches(result.out, "Objects +87\n"));
  EXPECT_TRUE(matches(result.out, "Triangles +156,080 \\(0 degenerate\\), 83,867 vertices\n"));
  EXPECT_TRUE(matches(result.out, "Edges +239,215, of which 10,194 boundary and 2 non-manifold\n"));
}

}  // namespace
}  // namespace tocsin::test::info_test
