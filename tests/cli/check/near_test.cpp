// `check --near`: by every triangle, and by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/check/crates_scene.h"
#include "cli/check/meeting_scene.h"
#include "support/contains.h"

namespace tocsin::test::near_test {
namespace {

using Json = nlohmann::json;
using crates::Crates;
using crates::distance_at;
using PairName = crates::PairName;

PairName name_of(const Json& line) { return {line["link"], line["object"]}; }

constexpr double kNear = 0.15;

/// Of all frames, and of `parts` moments of each step.
double least_distance(const Crates& scene, const PairName& pair, int parts = 1) {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t f = 0; f < scene.frames(); ++f) {
    for (int i = 0; i < (f + 1 < scene.frames() ? parts : 1); ++i) {
      out = std::min(out, distance_at(scene, pair, f, static_cast<double>(i) / parts));
    }
  }
  return out;
}

TEST(Near, IsThatOfEveryTriangleAtEveryMoment) {
  int near = 0;
  int between = 0;
  int far = 0;
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const Crates scene(seed);
    const CommandResult result = scene.check({"--near", "15cm", "--out", "-"});
    ASSERT_EQ(result.status, 0) << result.err;
    std::set<PairName> touched;
    for (const std::string& line : lines_of_type(result.out, "episode")) {
      touched.insert(name_of(Json::parse(line)));
    }
    std::map<PairName, Json> told;
    double last = 0.0;
    for (const std::string& line : lines_of_type(result.out, "near")) {
      const Json one = Json::parse(line);
      EXPECT_GE(one["metres"].get<double>(), last) << line;
      last = one["metres"];
      EXPECT_TRUE(told.emplace(name_of(one), one).second) << line;
    }
    for (const auto& [thing, unused] : scene.things()) {
      for (const auto& [link, radius] : crates::kRadii) {
        const PairName pair{link, thing};
        const auto found = told.find(pair);
        if (touched.contains(pair)) {
          EXPECT_EQ(found, told.end()) << link << ' ' << thing;
          continue;
        }
        const double least = least_distance(scene, pair);
        if (found == told.end()) {
          ++far;
          EXPECT_GT(least, kNear - 1e-9) << seed << ' ' << link << ' ' << thing;
          continue;
        }
        ++near;
        const double metres = found->second["metres"];
        EXPECT_LT(metres, kNear + 1e-9);
        EXPECT_LT(metres, least + 1e-4 + 1e-9) << found->second;
        EXPECT_LT(metres, least_distance(scene, pair, 8) + 1e-3 + 1e-9) << found->second;
        const std::size_t frame = found->second["frame"];
        if (found->second.contains("between")) {
          ++between;
          EXPECT_TRUE(least > kNear - 1e-6 || metres < least - 1e-3) << found->second;
          const double t = found->second["seconds"].get<double>() / 0.03125 - double(frame);
          EXPECT_NEAR(metres, distance_at(scene, pair, frame, t), 1e-8);
        } else {
          EXPECT_NEAR(metres, distance_at(scene, pair, frame), 1e-9);
        }
      }
    }
  }
  EXPECT_GE(near, 8);
  EXPECT_GE(between, 1);
  EXPECT_GE(far, 8);
}

TEST(Near, OfThePoleByHand) {
  const PoleScene scene;
  // cli/scenes.h: at frame 2 the pole's surface is at x = 2.1, at 2.3 is the shelf.
  const std::string some = scene.check({"--frames", ":2", "--near", "0.3"}).out;
  EXPECT_TRUE(matches(some,
                      "Never touching, and within 0\\.3 m at some time:\n"
                      "Distance +At frame +Seconds +Link +Object\n"
                      "0\\.2000 m +2 +0\\.2000 s +pole +Shelf\n\n"))
      << some;
  const std::string none = scene.check({"--frames", ":1", "--near", "10cm"}).out;
  EXPECT_TRUE(contains(none, "Nothing else comes within 0.1 m, proved for every moment.\n"))
      << none;
  const std::string poses = scene.check({"--frames", ":1", "--near", "10cm", "--sampled"}).out;
  EXPECT_TRUE(contains(poses, "within 0.1 m at a sampled pose.\n")) << poses;
  // What touches at any time is not among it: the floor, 0.9 m below, is all.
  const auto lines = lines_of_type(scene.report({"--near", "1"}), "near");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(Json::parse(lines[0])["object"], "Floor");
  EXPECT_NEAR(Json::parse(lines[0])["metres"].get<double>(), 0.9, 1e-9);
  // Grown links are nearer.
  const auto grown = lines_of_type(scene.report({"--near", "1", "--margin", "0.05"}), "near");
  ASSERT_EQ(grown.size(), 1U);
  EXPECT_NEAR(Json::parse(grown[0])["metres"].get<double>(), 0.85, 1e-9);
}

TEST(Near, PassesBetweenFrames) {
  // From 1 to 5 m in one step, past a wall's edge at z = 1 m, 0.1 m beside it.
  const PoleScene scene;
  scene.write("take.bvh", pole_take({1.0, 4.0}));
  const auto lines = lines_of_type(
      scene.report({"--place", "0,0,1.2", "--near", "0.2", "--ignore", "*:Shelf"}), "near");
  ASSERT_EQ(lines.size(), 1U);
  const Json wall = Json::parse(lines[0]);
  EXPECT_EQ(wall["object"], "Wall");
  EXPECT_EQ(wall["between"], true);
  EXPECT_EQ(wall["frame"], 0);
  EXPECT_NEAR(wall["metres"].get<double>(), 0.1, 1e-5);
  EXPECT_NEAR(wall["seconds"].get<double>(), 0.05, 1e-3);
}

TEST(Near, OfTwoTakes) {
  // cli/check/meeting_scene.h: both poles are at x = 2 at instant 3, here 0.5 m beside each other.
  const MeetingScene scene;
  const std::vector<std::string> beside{"--place", "0,0,0",    "--place",
                                        "0,0,0.5", "--ignore", "*:*"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), beside.begin(), beside.end());
    return scene.check(more);
  };
  const auto lines = lines_of_type(with({"--near", "0.35", "--out", "-"}).out, "near");
  ASSERT_EQ(lines.size(), 1U);
  const Json pair = Json::parse(lines[0]);
  EXPECT_EQ(pair["other"]["avatar"], 1);
  EXPECT_EQ(pair["frame"], 3);
  EXPECT_NEAR(pair["metres"].get<double>(), 0.3, 1e-9);
  EXPECT_TRUE(lines_of_type(with({"--near", "0.29", "--out", "-"}).out, "near").empty());
  const std::string table = with({"--near", "0.35", "--clearance"}).out;
  EXPECT_TRUE(matches(table, "0\\.3000 m +3 +0\\.2000 s +pole of a +pole of b\n")) << table;
  EXPECT_TRUE(
      matches(table, "pole of a +0\\.29.. m +0\\.[12].00 s +[2-4]-[2-4] +0\\.3000 m +pole of b\n"))
      << table;
}

TEST(Near, OfEachTakeOfAFolder) {
  // The pole of cli/scenes.h, and one that stays at x = 1: the shelf is 1.2 m from its surface.
  const PoleScene scene;
  scene.write("still.bvh", pole_take({1.0, 1.0, 1.0}));
  const CommandResult result = run_tocsin({"check", "--each", "take.bvh", "still.bvh", "--env",
                                           "room.obj", "--avatar", "./pole.json", "--near", "1.25"},
                                          scene.path());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(matches(result.out,
                      "take\\.bvh: Never touching, and within 1\\.25 m at some time:\n"
                      "Distance +At frame +Seconds +Link +Object\n"
                      "0\\.9000 m +[0-9]+ +[0-9.]+ s +pole +Floor\n\n"
                      "still\\.bvh: Never touching, and within 1\\.25 m at some time:\n"
                      "Distance +At frame +Seconds +Link +Object\n"
                      "0\\.9000 m +0 +0\\.0000 s +pole +Floor\n"
                      "1\\.2000 m +0 +0\\.0000 s +pole +Shelf\n\n"))
      << result.out;
  // The reports are those of each take alone.
  ASSERT_EQ(run_tocsin({"check", "--each", "take.bvh", "still.bvh", "--env", "room.obj", "--avatar",
                        "./pole.json", "--near", "1.25", "--out", "reports"},
                       scene.path())
                .status,
            0);
  EXPECT_EQ(lines_of_type(scene.read("reports/still.jsonl"), "near").size(), 2U);
  EXPECT_EQ(lines_of_type(scene.read("reports/take.jsonl"), "near"),
            lines_of_type(scene.report({"--near", "1.25"}), "near"));
  EXPECT_EQ(run_tocsin({"verify", "reports/still.jsonl"}, scene.path()).status, 0);
}

TEST(Near, IsVerifiedAndRefusedWhereItMakesNoSense) {
  const PoleScene scene;
  scene.write("report.jsonl", scene.report({"--near", "1"}));
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 0);
  std::string changed = scene.read("report.jsonl");
  const std::string near = lines_of_type(changed, "near").at(0);
  changed.replace(changed.find(near), near.size() + 1, "");
  scene.write("report.jsonl", changed);
  const CommandResult result = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(result.status, 1);
  EXPECT_TRUE(contains(result.out, "the report lacks this near pair")) << result.out;
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--near", "0"},
                                             {"--near", "-1"},
                                             {"--near", "x"},
                                             {"--near", "2000"},
                                             {"--near", ""},
                                             {"--near", "1", "--contacts", "first"}}) {
    const CommandResult refused = scene.check(wrong);
    EXPECT_EQ(refused.status, 2) << refused.out;
    EXPECT_TRUE(contains(refused.err, "--near")) << refused.err;
  }
}

}  // namespace
}  // namespace tocsin::test::near_test
