// `tocsin convert`: another format, the same contacts.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/scenes.h"
#include "support/data.h"
#include "support/file_size_limit.h"

namespace tocsin::test::convert_test {
namespace {

using Json = nlohmann::json;

std::vector<Json> contacts_of(const std::string& report) {
  std::vector<Json> out;
  for (const std::string& line : lines_of_type(report, "contact")) out.push_back(Json::parse(line));
  return out;
}

/// The same links touch the same objects in the same steps, at times at most `slack` of a step
/// apart.
void expect_same_contacts(const std::string& report, const std::string& other, double slack) {
  const std::vector<Json> a = contacts_of(report);
  const std::vector<Json> b = contacts_of(other);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i]["step"], b[i]["step"]) << i;
    EXPECT_EQ(a[i]["link"], b[i]["link"]) << i;
    EXPECT_EQ(a[i]["object"], b[i]["object"]) << i;
    EXPECT_EQ(a[i]["status"], b[i]["status"]) << i;
    EXPECT_NEAR(a[i]["toc"][1].get<double>(), b[i]["toc"][1].get<double>(), slack) << i;
  }
}

class Converted : public PoleScene {
 public:
  /// Converts a file of the scene; what was said.
  [[nodiscard]] std::string convert(const std::string& in, const std::string& out) const {
    const CommandResult result = run_tocsin({"convert", in, out}, path());
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  }
  [[nodiscard]] std::string report_of(const std::string& take, const std::string& room) const {
    const CommandResult result =
        run_tocsin({"check", take, "--env", room, "--avatar", "pole.json", "--out", "-"}, path());
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  }
};

TEST(Convert, ATakeKeepsItsContacts) {
  const Converted scene;
  const std::string before = scene.report_of("take.bvh", "room.obj");
  ASSERT_EQ(contacts_of(before).size(), 8U);
  EXPECT_TRUE(matches(scene.convert("take.bvh", "again.bvh"), "again.bvh: 9 frames at 10 Hz"));
  expect_same_contacts(before, scene.report_of("again.bvh", "room.obj"), 1e-12);
  EXPECT_TRUE(matches(scene.convert("take.bvh", "take.glb"), "take.glb: 9 frames at 10 Hz"));
  expect_same_contacts(before, scene.report_of("take.glb", "room.obj"), 1e-5);
  EXPECT_TRUE(matches(scene.convert("take.glb", "back.bvh"), "back.bvh: 9 frames at 10 Hz"));
  expect_same_contacts(before, scene.report_of("back.bvh", "room.obj"), 1e-5);
}

TEST(Convert, ARoomKeepsItsContactsToTheBit) {
  const Converted scene;
  const std::string before = scene.report_of("take.bvh", "room.obj");
  for (const std::string room : {"room.ply", "room.glb", "again.obj"}) {
    EXPECT_TRUE(matches(scene.convert("room.obj", room), ": 3 objects, 6 triangles, "));
    EXPECT_EQ(contacts_of(scene.report_of("take.bvh", room)), contacts_of(before)) << room;
  }
}

TEST(Convert, WhatDoesNotGoTogether) {
  const PoleScene scene;
  struct Case {
    std::vector<std::string> arguments;
    int status;
    std::string message;
  };
  const std::vector<Case> cases{
      {{"take.bvh", "room.ply"}, 2, "is a take; it cannot be written as a room"},
      {{"room.obj", "take2.bvh"}, 2, "is a room; it cannot be written as a take"},
      {{"take.bvh", "take.fbx"}, 2, "written to .bvh, .glb or .poses"},
      {{"room.obj", "room.stl"}, 2, "written to .obj, .ply or .glb"},
      {{"take.bvh", "take.bvh"}, 2, "would be overwritten"},
      {{"take.bvh", "./take.bvh"}, 2, "would be overwritten"},
      {{"room.obj", ""}, 2, "OUT: the value is empty"},
      {{"room.obj", "no/such/folder/room.ply"}, 4, "room.ply"},
      {{"nothing.bvh", "x.glb"}, 3, "nothing.bvh"},
      {{"pole.json", "x.glb"}, 3, "not a known kind of file"},
      {{"room.obj", "x.ply", "--as", "house"}, 2, "motion, room or auto"},
      {{"room.obj", "x.ply", "--clip", "Jump"}, 2, "--clip: room.obj is read as a room"},
      {{"room.obj", "x.ply", "--motion-up", "z"}, 2, "--motion-up: room.obj is read as a room"},
      {{"take.bvh", "x.glb", "--env-scale", "2"}, 2, "--env-scale: take.bvh is read as a take"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> arguments{"convert"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const CommandResult result = run_tocsin(arguments, scene.path());
    EXPECT_EQ(result.status, c.status) << result.err;
    EXPECT_NE(result.err.find(c.message), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
  }
  EXPECT_EQ(scene.files(), (std::vector<std::string>{"pole.json", "room.obj", "take.bvh"}));
}

TEST(Convert, AFullDiskIsSaidAndNothingIsLeft) {
  const PoleScene scene;
  std::string large;  // more than the disk holds, in every format
  for (int i = 0; i < 3'000; ++i) large += wall("Wall" + std::to_string(i), 2.5, 4 * i + 1);
  scene.write("large.obj", large);
  const std::vector<std::string> before = scene.files();
  for (const std::string file : {"full.ply", "full.obj", "full.glb"}) {
    const CommandResult result = [&] {
      const FileSizeLimit full(std::size_t{1} << 16U);
      return run_tocsin({"convert", "large.obj", file}, scene.path());
    }();
    EXPECT_EQ(result.status, 4) << result.err;
    EXPECT_NE(result.err.find("cannot write " + file + ": File too large"), std::string::npos)
        << result.err;
    EXPECT_EQ(scene.files(), before) << file;
    EXPECT_EQ(run_tocsin({"convert", "large.obj", file}, scene.path()).status, 0);
    std::filesystem::remove(scene.path() / file);
  }
}

TEST(Convert, ADeviceWithoutSpaceIsSaid) {
  const PoleScene scene;
  for (const std::string file : {"full.ply", "full.obj", "full.glb"}) {
    std::filesystem::create_symlink("/dev/full", scene.path() / file);
    const CommandResult result = run_tocsin({"convert", "room.obj", file}, scene.path());
    EXPECT_EQ(result.status, 4) << result.err;
    EXPECT_NE(result.err.find(file), std::string::npos) << result.err;
  }
}

TEST(Convert, ARecordedTakeInTheHouse) {
  TOCSIN_NEEDS_DATA("motions/cmu/02_01.amc");
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const TemporaryFolder folder;
  const std::string amc = data_path("motions/cmu/02_01.amc").string();
  const auto report = [&folder](const std::string& take) {
    const CommandResult result =
        run_tocsin({"check", take, "--env", data_path("environments/small_house.obj").string(),
                    "--frames", "::6", "--place", "1.0,0,1.3,0", "--out", "-"},
                   folder.path());
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out;
  };
  const std::string before = report(amc);
  EXPECT_GT(contacts_of(before).size(), 20U);
  for (const std::string take : {"take.bvh", "take.glb"}) {
    const CommandResult converted = run_tocsin({"convert", amc, take}, folder.path());
    ASSERT_EQ(converted.status, 0) << converted.err;
    // A thousandth of a step is 50 us; 32-bit floats place a joint to about 1e-7 m.
    expect_same_contacts(before, report(take), take == "take.bvh" ? 1e-7 : 1e-3);
  }
}

}  // namespace
}  // namespace tocsin::test::convert_test
