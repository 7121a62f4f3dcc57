// How deep episodes are: against every triangle at every frame, by formulas of their own; and by
// hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "cli/check/crates_scene.h"
#include "cli/check/deepest_expectation.h"
#include "cli/check/meeting_scene.h"
#include "support/contains.h"

namespace tocsin::test::depth_test {
namespace {

using Json = nlohmann::json;

using crates::Crates;
using crates::DeepestExpectation;
using crates::DepthCounts;

TEST(Depth, IsThatOfEveryTriangleAtEveryMoment) {
  DepthCounts counts;
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const Crates scene(seed);
    const CommandResult result = scene.check({"--out", "-"});
    ASSERT_EQ(result.status, 0) << result.err;
    for (const std::string& line : lines_of_type(result.out, "episode")) {
      const Json episode = Json::parse(line);
      DeepestExpectation(scene, episode).expect(counts);
    }
  }
  EXPECT_GE(counts.episodes, 60);
  EXPECT_GE(counts.deep * 6, counts.episodes) << counts.deep;
  EXPECT_GE(counts.long_ones * 4, counts.episodes) << counts.long_ones;
  EXPECT_GE(counts.between, 1);
  EXPECT_GE(counts.between_touching * 8, counts.episodes) << counts.between_touching;
}

/// Two joints at one place turn a bar about an end that rests `lift` above the floor at y = 0.
struct Swing {
  double radius = 0.0625;
  double lift = 0.0625;
  double bar = 0.5;
  std::vector<double> degrees;  ///< of the bar at each frame; half of it is each joint's
  bool slab = false;            ///< the floor is a closed box, not a sheet

  [[nodiscard]] double depth_at(double frames) const {
    const auto f = std::min(static_cast<std::size_t>(frames), degrees.size() - 2);
    const double t = frames - static_cast<double>(f);
    const double turned = (1.0 - t) * degrees[f] + t * degrees[f + 1];
    const double tip = lift + bar * std::sin(turned * std::numbers::pi / 180.0);
    if (slab && tip < -1.0) return radius;  // passes through the box; the start is outside
    return radius - (tip <= 0.0 ? 0.0 : std::min(lift, tip));
  }
  [[nodiscard]] Json deepest() const {
    const TemporaryFolder folder;
    std::string take =
        "HIERARCHY\nROOT j0\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation "
        "Xrotation Yrotation\n JOINT j1\n {\n  OFFSET 0 0 0\n  CHANNELS 3 Zrotation Xrotation "
        "Yrotation\n  End Site\n  {\n   OFFSET 1 0 0\n  }\n }\n}\nMOTION\n";
    take += fmt::format("Frames: {}\nFrame Time: 0.5\n", degrees.size());
    for (const double d : degrees)
      take += fmt::format("0 {} 0 {} 0 0 {} 0 0\n", lift, d / 2, d / 2);
    folder.write("take.bvh", take);
    folder.write("bar.json",
                 fmt::format(R"({{"format":"tocsin.avatar.v1","name":"bar","description":"A bar.",
      "links":[{{"name":"bar","joint":"j1","a":[0,0,0],"b":[{},0,0],"radius":{}}}],"aliases":{{}}}})",
                             bar, radius));
    folder.write("room.obj",
                 slab ? "o floor\nv -8 0 -8\nv 8 0 -8\nv 8 0 8\nv -8 0 8\nv -8 -1 -8\n"
                        "v 8 -1 -8\nv 8 -1 8\nv -8 -1 8\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\n"
                        "f 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
                      : "o floor\nv -8 0 -8\nv 8 0 -8\nv 0 0 16\nf 1 2 3\n");
    const CommandResult result = run_tocsin({"check", "take.bvh", "--env", "room.obj", "--avatar",
                                             "./bar.json", "--motion-unit", "m", "--out", "-"},
                                            folder.path());
    EXPECT_EQ(result.status, 0) << result.err;
    const auto lines = lines_of_type(result.out, "episode");
    EXPECT_EQ(lines.size(), 1U);
    return lines.empty() ? Json() : Json::parse(lines[0]);
  }
};

TEST(Depth, IsThatBetweenFramesWhereAFrameGrazes) {
  // The bar's end touches at every frame, by nothing or by a hair; between two of them the tip
  // swings down towards the floor, or through it.
  std::mt19937 random(11);
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int through = 0;
  for (int round = 0; round < 40; ++round) {
    Swing swing;
    if (round % 3 == 1) swing.lift -= 1e-7;
    if (round % 3 == 2) swing.lift -= 0.002;
    swing.bar = round % 2 == 0 ? number(0.01, 0.06) : number(0.08, 0.5);
    swing.slab = round % 4 < 2;
    const double down = -number(185.0, 300.0);
    swing.degrees = {number(40.0, 60.0), number(5.0, 30.0), down, down + number(-2.0, 2.0)};
    const Json episode = swing.deepest();
    const Json& told = episode["deepest"];
    double most = -1.0;
    double frames = -1.0;
    for (int i = 0; i <= 3000; ++i) {
      most = std::max(most, swing.depth_at(i / 1000.0));
      if (i % 1000 == 0) frames = std::max(frames, swing.depth_at(i / 1000.0));
    }
    ASSERT_GT(most, frames + 0.002);
    EXPECT_EQ(told["between"], true) << episode;
    EXPECT_EQ(told["frame"], 1) << episode;
    EXPECT_NEAR(told["depth"].get<double>(), most, 1e-3) << episode;
    EXPECT_NEAR(told["depth"].get<double>(), swing.depth_at(told["seconds"].get<double>() / 0.5),
                1e-6)
        << episode;
    EXPECT_EQ(told.contains("through"), most == swing.radius) << episode;
    EXPECT_GE(told["seconds"], episode["seconds"][0]);
    EXPECT_LE(told["seconds"], episode["seconds"][1]);
    through += told.contains("through") ? 1 : 0;
  }
  EXPECT_GE(through, 10);
  EXPECT_LE(through, 30);
}

TEST(Depth, OfALinkThatStartsAtRestIsThatOfWhatItMeets) {
  // A ball rests exactly on the floor and rises through a table of the same object.
  const PoleScene scene;
  scene.write("ball.json", R"({"format":"tocsin.avatar.v1","name":"ball","description":"A ball.",
    "links":[{"name":"ball","joint":"Hips","a":[0,0,0],"b":[0,0,0],"radius":0.0625}],"aliases":{}})");
  scene.write(
      "take.bvh",
      "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 3 Xposition Yposition Zposition\n "
      "End Site\n {\n  OFFSET 0 1 0\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0.0625 0\n0 "
      "1.0625 0\n");
  scene.write("room.obj",
              "o room\nv -8 0 -8\nv 8 0 -8\nv 0 0 16\nv -8 .625 -8\nv 8 .625 -8\nv 0 .625 16\n"
              "f 1 2 3\nf 4 5 6\n");
  const CommandResult result = run_tocsin({"check", "take.bvh", "--env", "room.obj", "--avatar",
                                           "./ball.json", "--motion-unit", "m", "--out", "-"},
                                          scene.path());
  const auto lines = lines_of_type(result.out, "episode");
  ASSERT_EQ(lines.size(), 1U) << result.err;
  const Json told = Json::parse(lines[0])["deepest"];
  EXPECT_EQ(told["between"], true);
  EXPECT_EQ(told["through"], true);
  EXPECT_NEAR(told["depth"].get<double>(), 0.0625, 1e-6);
  EXPECT_NEAR(told["seconds"].get<double>(), 0.5 * 0.5625, 1e-5);
}

TEST(Depth, IsTheSameForEveryBackendAndThreadCountAndIsVerified) {
  const Crates scene(3);
  const auto episodes = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--out", "-"});
    return lines_of_type(scene.check(more).out, "episode");
  };
  const auto one = episodes({"--threads", "1"});
  EXPECT_GE(one.size(), 5U);
  EXPECT_EQ(one, episodes({"--threads", "3"}));
  EXPECT_EQ(one, episodes({"--backend", "cuda", "--emulate"}));
  ASSERT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 0);
  std::string changed = scene.read("report.jsonl");
  const std::size_t at = changed.find("\"depth\":", changed.find("\"deepest\""));
  changed.replace(at, 8, "\"depth\":1");
  scene.write("report.jsonl", changed);
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 1);
  // A report of before depths is confirmed still, and one of which they were removed is not.
  std::string older;
  for (const std::string& line : lines_of(scene.check({"--out", "-"}).out)) {
    auto json = nlohmann::ordered_json::parse(line);
    json.erase(json["type"] == "run" ? "tells" : "deepest");
    const bool is_other = json["type"] == "run" || json["type"] == "episode";
    older += (is_other ? json.dump() : line) + '\n';
  }
  EXPECT_FALSE(contains(older, "deepest"));
  const std::string run = lines_of(scene.check({"--out", "-"}).out).at(0);
  scene.write("report.jsonl", run + older.substr(older.find('\n')));
  EXPECT_EQ(run_tocsin({"verify", "report.jsonl"}, scene.path()).status, 1);
  scene.write("report.jsonl", older);
  const CommandResult confirmed = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(confirmed.status, 0) << confirmed.out;
}

std::vector<Json> deepest_of(const std::string& report) {
  std::vector<Json> out;
  for (const std::string& line : lines_of_type(report, "episode")) {
    out.push_back(Json::parse(line)["deepest"]);
  }
  return out;
}

TEST(Depth, OfThePoleByHand) {
  // cli/scenes.h: the wall is at 2.5, and so is the pole at frames 3 and 5. The shelf at 2.3 is
  // passed between two frames.
  const auto told = deepest_of(PoleScene().report());
  ASSERT_EQ(told.size(), 5U);
  EXPECT_EQ(told[1]["frame"], 3);
  EXPECT_NEAR(told[1]["depth"].get<double>(), 0.1, 1e-9);
  EXPECT_EQ(told[1]["through"], true);
  EXPECT_FALSE(told[1].contains("between"));
  const std::array<double, 5> when{0.26, 0.3, 0.54, 0.765, 0.775};
  const std::array<int, 5> frames{2, 3, 5, 7, 7};
  for (const std::size_t i : {0U, 2U, 3U, 4U}) {
    EXPECT_EQ(told[i]["frame"], frames[i]);
    EXPECT_EQ(told[i]["between"], true);
    EXPECT_NEAR(told[i]["depth"].get<double>(), 0.1, 1e-4);
    EXPECT_NEAR(told[i]["seconds"].get<double>(), when[i], 1e-5);
  }
  // A margin makes it deeper. At a sampled pose nothing is between.
  EXPECT_NEAR(deepest_of(PoleScene().report({"--margin", "0.02"}))[1]["depth"].get<double>(), 0.12,
              1e-9);
  const auto sampled = deepest_of(PoleScene().report({"--sampled"}));
  ASSERT_EQ(sampled.size(), 1U);
  EXPECT_EQ(sampled[0]["frame"], 3);
}

TEST(Depth, OfTwoLinksByHand) {
  // cli/check/meeting_scene.h: both poles are at x = 2 at instant 3, here 5 cm beside each other.
  const MeetingScene scene;
  const auto depth = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"--place", "0,0,0", "--place", "0,0,0.05", "--out", "-"});
    for (const std::string& line : lines_of_type(scene.check(more).out, "episode")) {
      const Json episode = Json::parse(line);
      if (!episode.contains("other")) continue;
      EXPECT_EQ(episode["deepest"]["frame"], 3);
      EXPECT_FALSE(episode["deepest"].contains("through"));
      return episode["deepest"]["depth"].get<double>();
    }
    return 0.0;
  };
  EXPECT_NEAR(depth({}), 0.15, 1e-9);
  EXPECT_NEAR(depth({"--margin", "0.01"}), 0.17, 1e-9);
  const auto own = deepest_of(scene.check_self({"--out", "-"}).out);
  ASSERT_EQ(own.size(), 1U);
  EXPECT_EQ(own[0]["frame"], 2);
  EXPECT_EQ(own[0]["through"], true);
  EXPECT_NEAR(own[0]["depth"].get<double>(), 0.2, 1e-9);
}

TEST(Depth, SortsTheTable) {
  const Crates scene(2);
  const auto depths = [&](const std::string& sort) {
    std::vector<double> out;
    const CommandResult result = scene.check({"--sort", sort, "--csv", "-"});
    EXPECT_EQ(result.status, 0) << result.err;
    const auto lines = lines_of(result.out);
    EXPECT_TRUE(lines.at(0).ends_with(",depth_m,deepest_frame,deepest_s")) << lines.at(0);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      std::size_t end = lines[i].rfind(',', lines[i].rfind(',') - 1);
      const std::size_t begin = lines[i].rfind(',', end - 1) + 1;
      out.push_back(std::stod(lines[i].substr(begin, end - begin)));
    }
    return out;
  };
  const auto sorted = depths("depth");
  EXPECT_GE(sorted.size(), 5U);
  EXPECT_TRUE(std::is_sorted(sorted.rbegin(), sorted.rend()));
  EXPECT_FALSE(std::is_sorted(depths("time").rbegin(), depths("time").rend()));
  const std::string table = scene.check({"--sort", "depth"}).out;
  EXPECT_TRUE(matches(table, "Lasts +Depth +At frame +Link")) << table;
  const std::string grouped = scene.check({"--group", "object", "--sort", "depth"}).out;
  EXPECT_TRUE(matches(grouped, "In contact +Depth +At frame +Links\n")) << grouped;
  EXPECT_TRUE(contains(grouped, fmt::format(" {:.3f} m ", sorted.front()))) << grouped;
}

}  // namespace
}  // namespace tocsin::test::depth_test
