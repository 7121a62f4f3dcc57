// `tocsin make-room` and `tocsin make-motion`.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/scenes.h"

namespace tocsin::test::make_test {
namespace {

using Json = nlohmann::json;

TEST(MakeRoom, EveryFormatHoldsTheSameHouse) {
  const TemporaryFolder folder;
  for (const std::string file : {"house.obj", "house.ply", "house.glb"}) {
    const CommandResult made =
        run_tocsin({"make-room", file, "--triangles", "12k", "--seed", "5"}, folder.path());
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_TRUE(matches(made.out, file + ": [0-9]+ objects, 1[12],[0-9]+ triangles, ")) << made.out;
  }
  const auto info = [&folder](const std::string& file) {
    Json json = Json::parse(run_tocsin({"info", file, "--json", "--all"}, folder.path()).out);
    json.erase("file");
    return json;
  };
  const Json expected = info("house.obj");
  EXPECT_NEAR(expected["triangles"].get<double>(), 12000.0, 240.0);
  EXPECT_EQ(info("house.ply"), expected);
  EXPECT_EQ(info("house.glb"), expected);
}

TEST(MakeRoom, TheSameBytesAgainAndOthersForAnotherSeed) {
  const TemporaryFolder folder;
  const auto make = [&folder](const std::string& file, const std::string& seed) {
    EXPECT_EQ(
        run_tocsin({"make-room", file, "--triangles", "10k", "--seed", seed}, folder.path()).status,
        0);
    return folder.read(file);
  };
  const std::string once = make("a.ply", "1");
  EXPECT_EQ(make("b.ply", "1"), once);
  EXPECT_NE(make("c.ply", "2"), once);
}

TEST(MakeMotion, ATakeCanBeCheckedInAHouse) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_tocsin({"make-room", "house.ply", "--triangles", "20k"}, folder.path()).status, 0);
  for (const std::string kind : {"walk", "reach", "kick", "cartwheel", "swing", "door"}) {
    const std::string take = kind + ".bvh";
    const CommandResult made = run_tocsin(
        {"make-motion", take, "--kind", kind, "--seconds", "3", "--rate", "60"}, folder.path());
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_TRUE(matches(made.out, take + ": 18[01] frames at 60 Hz")) << made.out;
    const CommandResult checked =
        run_tocsin({"check", take, "--env", "house.ply", "--ignore", "*:Floor*"}, folder.path());
    EXPECT_EQ(checked.status, 0) << checked.err;
    EXPECT_TRUE(matches(checked.out, "Avatar +humanoid_hands, ")) << checked.out;
  }
}

TEST(MakeMotion, ADoorClosesOnTheRightHandAndOnNothingElse) {
  const TemporaryFolder folder;
  const CommandResult made =
      run_tocsin({"make-motion", "door.bvh", "--kind", "door", "--seconds", "8", "--rate", "30",
                  "--mesh", "leaf.obj", "--mesh-motion", "leaf.poses"},
                 folder.path());
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(matches(made.out, "leaf.obj: 1 object, 12 triangles")) << made.out;
  EXPECT_TRUE(matches(made.out, "leaf.poses: 241 frames at 30 Hz")) << made.out;
  folder.write("far.obj", "o Far\nv 50 0 0\nv 51 0 0\nv 50 1 0\nf 1 2 3\n");
  const CommandResult checked = run_tocsin({"check", "door.bvh", "--env", "far.obj", "--body",
                                            "leaf=leaf.obj:leaf.poses", "--out", "door.jsonl"},
                                           folder.path());
  ASSERT_EQ(checked.status, 0) << checked.err;
  std::istringstream lines(folder.read("door.jsonl"));
  int contacts = 0;
  double last = 0.0;
  for (std::string text; std::getline(lines, text);) {
    const Json line = Json::parse(text);
    if (line["type"] != "contact") continue;
    ++contacts;
    last = line["seconds"][1];
    EXPECT_TRUE(matches(line.dump(), "right_(palm|thumb|index|middle|ring|little|forearm)"))
        << text;
  }
  EXPECT_GE(contacts, 10);
  // Its second round, in which no hand is there, begins before 5 s.
  EXPECT_LT(last, 5.0);
}

TEST(Make, WrongRecipes) {
  const TemporaryFolder folder;
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Case> cases{
      {{"make-room", "a.ply", "--triangles", "9k"}, "not of 9000"},
      {{"make-room", "a.ply", "--triangles", "11M"}, "not of 11000000"},
      {{"make-room", "a.ply", "--triangles", "many"}, "--triangles"},
      {{"make-room", "a.ply", "--triangles", "-5"}, "--triangles"},
      {{"make-room", "a.ply", "--seed", "x"}, "--seed"},
      {{"make-room", "a.bvh"}, ".obj, .ply or .glb"},
      {{"make-room"}, "OUT"},
      {{"make-motion", "a.bvh", "--kind", "dance"}, "cartwheel"},
      {{"make-motion", "a.bvh", "--seconds", "0"}, "0 s long"},
      {{"make-motion", "a.bvh", "--seconds", "1e9"}, "a day"},
      {{"make-motion", "a.bvh", "--rate", "nan"}, "--rate"},
      {{"make-motion", "a.bvh", "--rate", "0"}, "0 frames a second"},
      {{"make-motion", "a.ply"}, ".bvh, .glb or .poses"},
      {{"make-motion", "a.bvh", "--mesh", "a.obj"}, "nothing moves but the person"},
      {{"make-motion", "a.bvh", "--kind", "swing", "--mesh", "a.bvh"}, ".obj, .ply or .glb"},
      {{"make-motion", "a.bvh", "--kind", "door", "--mesh-motion", "a.obj"},
       ".bvh, .glb or .poses"},
      {{"make-motion", "a.bvh", "--kind", "swing", "--mesh-motion", "a.poses"},
       "the hand that holds"},
      {{"make-motion", "a.bvh", "--kind", "door", "--mesh", ""}, "--mesh"},
  };
  for (const Case& c : cases) {
    const CommandResult result = run_tocsin(c.arguments, folder.path());
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_NE(result.err.find(c.message), std::string::npos) << result.err;
  }
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace tocsin::test::make_test
