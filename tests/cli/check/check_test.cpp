// What `tocsin check` finds, against a scene worked out by hand (scenes.h), option by option.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/scenes.h"

namespace tocsin::test::check_test {
namespace {

using Json = nlohmann::json;

struct Expected {
  int step;
  std::string object;
  std::string status;
  double toc;
};

std::vector<Json> records(const std::string& report, const std::string& type) {
  std::vector<Json> out;
  for (const std::string& line : lines_of_type(report, type)) out.push_back(Json::parse(line));
  return out;
}

/// The contacts are these, in order, each bracket holding the expected time. `frame_time` in
/// seconds.
void expect_contacts(const std::string& report, const std::vector<Expected>& expected,
                     double frame_time = 0.1) {
  const auto contacts = records(report, "contact");
  ASSERT_EQ(contacts.size(), expected.size()) << report;
  // Inputs are rounded to float (the room) and decimal (the take): times move by about 1e-7.
  constexpr double kRounding = 1e-6;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Json& contact = contacts[i];
    EXPECT_EQ(contact["step"], expected[i].step) << contact;
    EXPECT_EQ(contact["object"], expected[i].object) << contact;
    EXPECT_EQ(contact["status"], expected[i].status) << contact;
    const double lo = contact["toc"][0];
    const double hi = contact["toc"][1];
    EXPECT_LE(lo, hi);
    EXPECT_LE(hi - lo, 1e-9);
    EXPECT_NEAR(hi, expected[i].toc, kRounding) << contact;
    const double span = contact["frames"][1].get<int>() - contact["frames"][0].get<int>();
    EXPECT_NEAR(contact["seconds"][1], frame_time * (expected[i].step + span * expected[i].toc),
                1e-6);
  }
}

const std::vector<Expected> kAll{{2, "Wall", "hit", 0.8},     {2, "Shelf", "hit", 0.4},
                                 {3, "Wall", "overlap", 0.0}, {4, "Wall", "overlap", 0.0},
                                 {5, "Wall", "overlap", 0.0}, {5, "Shelf", "hit", 0.2},
                                 {7, "Wall", "hit", 0.7},     {7, "Shelf", "hit", 0.6}};

TEST(Check, FindsWhatWasWorkedOutByHand) {
  const PoleScene scene;
  expect_contacts(scene.report(), kAll);
}

TEST(Check, PointLiesOnTheWallAndTheNormalPointsAtThePole) {
  const PoleScene scene;
  const auto contacts = records(scene.report(), "contact");
  ASSERT_EQ(contacts.size(), 8U);
  EXPECT_NEAR(contacts[0]["point"][0], 2.5, 1e-6);  // comes from the left
  EXPECT_NEAR(contacts[0]["normal"][0], -1.0, 1e-6);
  EXPECT_NEAR(contacts[5]["point"][0], 2.3, 1e-6);  // comes from the right
  EXPECT_NEAR(contacts[5]["normal"][0], 1.0, 1e-6);
  const double y = contacts[0]["point"][1];
  EXPECT_GE(y, -1e-6);
  EXPECT_LE(y, 1.7 + 1e-6);
}

TEST(Check, BothInBetweenMotionsAreStraightWhereNothingTurns) {
  const PoleScene scene;
  expect_contacts(scene.report({"--in-between", "translate_rotate"}), kAll);
}

TEST(Check, FramesChooseTheSteps) {
  const PoleScene scene;
  expect_contacts(scene.report({"--frames", "2:3"}), {kAll[0], kAll[1]});
  expect_contacts(scene.report({"--frames", "6:"}), {kAll[6], kAll[7]});
  expect_contacts(scene.report({"--frames", ":2"}), {});
  // Frames 0, 2, 4, 6, 8: from 2 to 2.55 and back to 2, then from 2 to 3.
  expect_contacts(scene.report({"--frames", "::2"}), {{2, "Wall", "hit", 0.4 / 0.55},
                                                      {2, "Shelf", "hit", 0.2 / 0.55},
                                                      {4, "Wall", "overlap", 0.0},
                                                      {4, "Shelf", "hit", 0.15 / 0.55},
                                                      {6, "Wall", "hit", 0.4},
                                                      {6, "Shelf", "hit", 0.2}});
  // Frames 0, 5, 8: the last step is shorter.
  expect_contacts(scene.report({"--frames", "0::5"}), {
                                                          {0, "Wall", "hit", 2.4 / 2.5},
                                                          {0, "Shelf", "hit", 2.2 / 2.5},
                                                          {5, "Wall", "overlap", 0.0},
                                                          // from 2.5 to 3: away from the shelf
                                                      });
}

TEST(Check, MarginGrowsThePole) {
  const PoleScene scene;
  const std::string report = scene.report({"--margin", "0.05", "--frames", "2:3"});
  expect_contacts(report, {{2, "Wall", "hit", 0.7}, {2, "Shelf", "hit", 0.3}});
}

TEST(Check, PlaceMovesThePole) {
  const PoleScene scene;
  expect_contacts(scene.report({"--place", "0.5,0,0", "--frames", "1:2"}),
                  {{1, "Wall", "hit", 0.9}, {1, "Shelf", "hit", 0.7}});
  // Turned by -90 degrees about y, +x becomes +z: the pole walks past along the walls' edge.
  expect_contacts(scene.report({"--place", "0,0,0,-90"}), {});
  // Turned by 180 degrees and moved by 5: x becomes 5 - x.
  expect_contacts(scene.report({"--place", "5,0,0,180", "--frames", "2:3"}),
                  {{2, "Wall", "hit", 0.8}});
  expect_contacts(scene.report({"--place", "-9,0,0,0"}), {});
}

TEST(Check, IgnoredPairsAreNotLookedAt) {
  const PoleScene scene;
  const std::string report = scene.report({"--ignore", "p*:Sh[a-e]lf"});
  expect_contacts(report, {kAll[0], kAll[2], kAll[3], kAll[4], kAll[6]});
  expect_contacts(scene.report({"--ignore", "*:Shelf", "--ignore", "*:Wall"}), {});
}

TEST(Check, APatternThatMatchesNothingIsWarnedAbout) {
  const PoleScene scene;
  const CommandResult result = scene.check({"--ignore", "*:Shelve", "--ignore", "*:Shelf"});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.err.find("warning: --ignore '*:Shelve'"), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("'*:Shelf'"), std::string::npos) << result.err;
}

TEST(Check, ContactsFirstKeepsTheEarliestOfEachStep) {
  const PoleScene scene;
  const std::string pairs = scene.report();
  const std::string first = scene.report({"--contacts", "first"});
  expect_contacts(first, {kAll[1], kAll[2], kAll[3], kAll[4], kAll[7]});
  // The lines themselves are among those of `pairs`, byte for byte.
  const auto all = lines_of_type(pairs, "contact");
  for (const std::string& line : lines_of_type(first, "contact")) {
    EXPECT_NE(std::find(all.begin(), all.end(), line), all.end()) << line;
  }
}

TEST(Check, SampledSeesThePosesOnly) {
  const PoleScene scene;
  const std::string report = scene.report({"--sampled"});
  // x = 2.5, 2.55 and 2.5 touch the wall; none of the poses touches the shelf, which the pole
  // passes.
  expect_contacts(
      report,
      {{3, "Wall", "overlap", 0.0}, {4, "Wall", "overlap", 0.0}, {5, "Wall", "overlap", 0.0}});
  EXPECT_EQ(records(report, "run")[0]["certified"], false);
  EXPECT_EQ(records(report, "contact")[0]["frames"], Json({3, 3}));
  EXPECT_EQ(records(report, "summary")[0]["steps"], 9);
  EXPECT_EQ(records(scene.report(), "run")[0]["certified"], true);
}

TEST(Check, ClearanceIsALowerBoundOfTheTrueOne) {
  const PoleScene scene;
  const std::string report = scene.report({"--clearance", "--ignore", "*:Floor"});
  // Distance of the pole's surface at x to the nearest of x = 2.3 and x = 2.5.
  const std::vector<double> truth{1.2, 0.2, 0.0, 0.0, 0.0, 0.0, 0.2, 0.0};
  const auto clearances = records(report, "clearance");
  ASSERT_EQ(clearances.size(), truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    EXPECT_EQ(clearances[i]["step"], i);
    EXPECT_EQ(clearances[i]["link"], "pole");
    const double metres = clearances[i]["metres"];
    EXPECT_LE(metres, truth[i] + 1e-6) << i;
    EXPECT_GE(metres, 0.9 * truth[i]) << i;
  }
  // The contact lines and their hash do not change.
  EXPECT_EQ(records(report, "summary")[0]["hash"],
            records(scene.report({"--ignore", "*:Floor"}), "summary")[0]["hash"]);
}

TEST(Check, ThreadsDoNotChangeTheReport) {
  const PoleScene scene;
  std::vector<double> xs;
  for (int i = 0; i < 3000; ++i) xs.push_back(1.2 + 0.5 * ((i * 7919) % 11));
  scene.write("take.bvh", pole_take(xs));
  const std::string one = scene.report({"--threads", "1"});
  const std::string two = scene.report({"--threads", "2"});
  const auto lines = lines_of_type(one, "contact");
  EXPECT_GT(lines.size(), 1000U);
  EXPECT_EQ(lines, lines_of_type(two, "contact"));
  EXPECT_EQ(records(one, "summary")[0]["hash"], records(two, "summary")[0]["hash"]);
  EXPECT_EQ(records(one, "run")[0]["options"]["threads"], 1);
  EXPECT_EQ(records(two, "run")[0]["options"]["threads"], 2);
}

TEST(Check, SeveralRoomsAreOne) {
  const PoleScene scene;
  scene.write("wall.obj", wall("Wall", 2.5, 1));
  scene.write("shelf.obj", wall("Shelf", 2.3, 1));
  const CommandResult result = run_tocsin({"check", "take.bvh", "--env", "wall.obj", "--env",
                                           "shelf.obj", "--avatar", "pole.json", "--out", "-"},
                                          scene.path());
  ASSERT_EQ(result.status, 0) << result.err;
  expect_contacts(result.out, kAll);
  const Json run = records(result.out, "run")[0];
  EXPECT_EQ(run["objects"], 2);
  EXPECT_EQ(run["triangles"], 4);
  ASSERT_EQ(run["inputs"].size(), 4U);
  EXPECT_EQ(run["inputs"][3]["file"], "shelf.obj");
}

TEST(Check, UnitsAndScaleAndAxes) {
  const PoleScene scene;
  // Everything in centimetres, and the room's z up.
  std::string take = pole_take({0, 100, 200, 250});
  take.replace(take.find("1.7"), 3, "170");
  scene.write("cm.bvh", take);
  scene.write("z_up.obj",
              "o Wall\nv 250 1 -50\nv 250 1 200\nv 250 -1 200\nv 250 -1 -50\nf 1 2 3 4\n");
  const std::vector<std::string> arguments{"check",    "cm.bvh",    "--env",       "z_up.obj",
                                           "--avatar", "pole.json", "--env-scale", "0.01",
                                           "--env-up", "z",         "--out",       "-"};
  // A pole's height does not tell the unit.
  const CommandResult asked = run_tocsin(arguments, scene.path());
  EXPECT_EQ(asked.status, 3);
  EXPECT_NE(asked.err.find("--motion-unit"), std::string::npos) << asked.err;
  auto told_arguments = arguments;
  told_arguments.insert(told_arguments.end(), {"--motion-unit", "cm"});
  const CommandResult told = run_tocsin(told_arguments, scene.path());
  ASSERT_EQ(told.status, 0) << told.err;
  expect_contacts(told.out, {{2, "Wall", "hit", 0.8}});
  EXPECT_EQ(records(told.out, "run")[0]["unit_metres"], 0.01);
}

TEST(Check, AutoFallsBackToOneLinkPerBone) {
  const PoleScene scene;
  const CommandResult result =
      run_tocsin({"check", "take.bvh", "--env", "room.obj", "--out", "-"}, scene.path());
  ASSERT_EQ(result.status, 0) << result.err;
  const Json run = records(result.out, "run")[0];
  EXPECT_EQ(run["options"]["avatar"], "auto");
  ASSERT_EQ(run["links"].size(), 1U);
  ASSERT_EQ(run["inputs"].size(), 2U);  // no avatar file
}

// The pole's radius of 0.1 m doubled: Wall is touched at x = 2.3, step 2 goes from 2 to 2.5.
TEST(Check, ScaledRadii) {
  const PoleScene scene;
  const std::string report = scene.report({"--scale-radii", "2"});
  const Json first = Json::parse(lines_of_type(report, "contact").at(0));
  EXPECT_NEAR(first["toc"][1].get<double>(), 0.6, 1e-6) << first;
  const Json run = Json::parse(lines_of_type(report, "run").at(0));
  EXPECT_EQ(run["options"]["scale_radii"], 2.0);
  scene.write("r.jsonl", report);
  EXPECT_EQ(run_tocsin({"verify", "r.jsonl"}, scene.path()).status, 0);
}

/// An arm of 1 m at (2.4, 0, 0) that is raised in frame 0, as at rest, and swings near the wall.
std::string take_with_rest_frame(const std::string& raised) {
  return "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT "
         "Arm\n{\nOFFSET 0 0.5 0\nCHANNELS 1 Zrotation\nEnd Site\n{\nOFFSET 0 1 "
         "0\n}\n}\n}\nMOTION\nFrames: 4\nFrame Time: 0.1\n2.2 0 0 " +
         raised + "\n2.2 0 0 100\n2.2 0 0 101\n2.4 0 0 100\n";
}

TEST(Check, ARestPoseBeforeTheMotionIsSaidAndLeftOut) {
  const PoleScene scene;
  scene.write("take.bvh", take_with_rest_frame("0"));
  const auto check = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"check", "take.bvh", "--env", "room.obj", "--motion-unit", "m", "--out", "-"});
    return run_tocsin(more, scene.path());
  };
  const CommandResult whole = check({});
  EXPECT_NE(
      whole.err.find("take.bvh: frame 0 is the skeleton's rest pose, from which a joint turns "
                     "by 100 degrees to frame 1 (then by 1.0 at most); --skip-rest leaves it "
                     "out"),
      std::string::npos)
      << whole.err;
  EXPECT_EQ(records(whole.out, "summary")[0]["steps"], 3);

  const CommandResult skipped = check({"--skip-rest"});
  EXPECT_EQ(skipped.err, "");
  const CommandResult from_one = check({"--frames", "1:"});
  EXPECT_EQ(from_one.err, "");
  EXPECT_EQ(records(skipped.out, "summary")[0]["steps"], 2);
  EXPECT_GT(lines_of_type(skipped.out, "contact").size(), 0U);
  EXPECT_EQ(lines_of_type(skipped.out, "contact"), lines_of_type(from_one.out, "contact"));
  EXPECT_EQ(lines_of_type(skipped.out, "run"), lines_of_type(from_one.out, "run"));
  scene.write("r.jsonl", skipped.out);
  EXPECT_EQ(run_tocsin({"verify", "r.jsonl"}, scene.path()).status, 0);

  const CommandResult info = run_tocsin({"info", "take.bvh"}, scene.path());
  EXPECT_NE(info.err.find("frame 0 is the skeleton's rest pose"), std::string::npos) << info.err;

  scene.write("take.bvh", take_with_rest_frame("99"));
  const CommandResult nothing = check({"--skip-rest"});
  EXPECT_NE(nothing.err.find("--skip-rest leaves out nothing: frame 0 is part of the motion"),
            std::string::npos)
      << nothing.err;
  EXPECT_EQ(records(nothing.out, "summary")[0]["steps"], 3);
}

// The tree that is kept gives the same report, and one that is damaged is said and built anew.
TEST(Check, TreeCache) {
  const PoleScene scene;
  const auto check = [&] { return scene.check({"--out", "-", "--tree-cache", "trees"}); };
  const CommandResult built = check();
  EXPECT_EQ(built.status, 0);
  expect_contacts(built.out, kAll);
  const Json run = records(built.out, "run")[0];
  EXPECT_EQ(run["options"]["tree_cache"], "trees");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(scene.path() / "trees")) {
    files.push_back(entry.path());
  }
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(hash_of_contacts(check().out), hash_of_contacts(built.out));
  EXPECT_EQ(check().err, "");

  std::filesystem::resize_file(files[0], std::filesystem::file_size(files[0]) - 1);
  const CommandResult damaged = check();
  EXPECT_EQ(damaged.status, 0);
  EXPECT_NE(damaged.err.find(files[0].filename().string()), std::string::npos) << damaged.err;
  EXPECT_EQ(hash_of_contacts(damaged.out), hash_of_contacts(built.out));
  EXPECT_EQ(check().err, "");
}

}  // namespace
}  // namespace tocsin::test::check_test
