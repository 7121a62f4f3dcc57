// Files that are refused, through the real command: exit status 3, one line that names file, line
// and cause. The parsers' own tests (tests/io) know many more.
#include <gtest/gtest.h>

#include <chrono>

#include "cli/scenes.h"

namespace tocsin::test::bad_input_test {
namespace {

struct Broken {
  std::string file;
  std::string bytes;
  std::string part;  ///< of the message
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string deep_take(int depth) {
  std::string out = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n";
  for (int i = 0; i < depth; ++i) out += "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 0\n";
  return out;
}

TEST(BadInput, IsRefusedWithFileLineAndCause) {
  const PoleScene scene;
  const std::string take = pole_take();
  const std::string room = pole_room();
  const std::string noise(
      "\x7f"
      "ELF\x02\x01\x01\0\xff\xfe\0\0",
      12);
  const std::vector<Broken> cases{
      {"take.bvh", "", "take.bvh"},
      {"take.bvh", noise, "take.bvh:1"},
      {"take.bvh", take.substr(0, take.size() / 3), "take.bvh:"},
      {"take.bvh", take.substr(0, take.size() - 8), "take.bvh:"},
      {"take.bvh", replaced(take, "2.55 0", "foo 0"), "take.bvh:18: "},
      {"take.bvh", replaced(take, "2.55 0", "nan 0"), "take.bvh:18: "},
      {"take.bvh", replaced(take, "2.55 0", "1e400 0"), "take.bvh:18: "},
      {"take.bvh", replaced(take, "2.55 0 0", "2.55 0"), "take.bvh:18: "},
      {"take.bvh", replaced(take, "CHANNELS 6", "CHANNELS 99999999999"), "take.bvh:5: "},
      {"take.bvh", replaced(take, "Frame Time: 0.1", "Frame Time: 0"), "take.bvh:13: "},
      {"take.bvh", replaced(take, "Xposition", "Xtwist"), "take.bvh:5: "},
      {"take.bvh", deep_take(200'000), "take.bvh:"},
      {"room.obj", "", "room.obj"},
      {"room.obj", noise, "room.obj"},
      {"room.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "room.obj"},
      {"room.obj", replaced(room, "f 1 2 3 4", "f 1 2 99"), "room.obj:6: "},
      {"room.obj", replaced(room, "f 1 2 3 4", "f 1 2 0"), "room.obj:6: "},
      {"room.obj", replaced(room, "v 2.5 2 1", "v 2.5 inf 1"), "room.obj:4: "},
      {"room.obj", replaced(room, "v 2.5 2 1", "v 2.5"), "room.obj:4: "},
      {"pole.json", "", "pole.json"},
      {"pole.json", "[1,2", "pole.json"},
      {"pole.json", std::string(200'000, '['), "pole.json"},
      {"pole.json", replaced(pole_model(), "0.1", "0"), "radius"},
      {"pole.json", replaced(pole_model(), "\"Hips\"", "\"Knee\""), "Knee"},
      {"pole.json", replaced(pole_model(), "[0,1.7,0]", "{\"joint\":\"Nose\"}"), "Nose"},
  };
  for (const Broken& broken : cases) {
    const std::string original = scene.read(broken.file);
    scene.write(broken.file, broken.bytes);
    const auto begin = std::chrono::steady_clock::now();
    const CommandResult result = scene.check({"--out", "report.jsonl"});
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(result.status, 3) << broken.file << ": " << broken.bytes.substr(0, 300) << result.err;
    EXPECT_NE(result.err.find(broken.part), std::string::npos) << broken.part << ": " << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_LT(result.err.size(), 2000U);
    EXPECT_LT(spent.count(), 120.0);
    scene.write(broken.file, original);
  }
  EXPECT_EQ(scene.files(), (std::vector<std::string>{"pole.json", "room.obj", "take.bvh"}));
}

TEST(BadInput, MoreFramesThanAnnouncedAreReadAndWarnedAbout) {
  const PoleScene scene;
  scene.write("take.bvh", replaced(pole_take(), "Frames: 9", "Frames: 100000000000"));
  const CommandResult result = scene.check();
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("warning: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("take.bvh:"), std::string::npos) << result.err;
}

TEST(BadInput, MissingFilesAndFolders) {
  const PoleScene scene;
  for (const std::string file : {"gone.bvh", "."}) {
    const CommandResult result = run_tocsin({"check", file, "--env", "room.obj"}, scene.path());
    EXPECT_EQ(result.status, 3) << result.err;
    EXPECT_NE(result.err.find(file), std::string::npos);
  }
  const CommandResult room = run_tocsin({"check", "take.bvh", "--env", "gone.obj"}, scene.path());
  EXPECT_EQ(room.status, 3);
  EXPECT_NE(room.err.find("gone.obj"), std::string::npos);
  const CommandResult model =
      run_tocsin({"check", "take.bvh", "--env", "room.obj", "--avatar", "gone"}, scene.path());
  EXPECT_EQ(model.status, 3);
  EXPECT_NE(model.err.find("humanoid16"), std::string::npos) << model.err;
}

TEST(BadInput, MotionsThatAreNone) {
  const PoleScene scene;
  struct Case {
    std::string file;
    std::string part;
  };
  for (const Case& c : {Case{"take.txt", ".bvh, .amc"}, Case{"take.amc", "take.asf"},
                        Case{"take.asf", ".amc"}, Case{"take.glb", "take.glb: "},
                        Case{"take.gltf", "take.gltf: "}, Case{"take.fbx", "take.fbx: "}}) {
    scene.write(c.file, "x");
    const CommandResult result = run_tocsin({"check", c.file, "--env", "room.obj"}, scene.path());
    EXPECT_EQ(result.status, 3) << c.file;
    EXPECT_NE(result.err.find(c.file), std::string::npos) << result.err;
    EXPECT_NE(result.err.find(c.part), std::string::npos) << result.err;
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
    std::filesystem::remove(scene.path() / c.file);
  }
}

TEST(BadInput, RadiiOfAModelWithoutLengthsCannotBeScaledByThem) {
  const PoleScene scene;
  const CommandResult result = scene.check({"--scale-radii", "auto"});
  EXPECT_EQ(result.status, 3) << result.err;
  EXPECT_NE(result.err.find("\"length\""), std::string::npos) << result.err;
}

TEST(BadInput, AModelThatDoesNotFitListsTheJoints) {
  const PoleScene scene;
  const CommandResult result = run_tocsin(
      {"check", "take.bvh", "--env", "room.obj", "--avatar", "humanoid16"}, scene.path());
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("Hips_end"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace tocsin::test::bad_input_test
