// How deep episodes are: against every triangle at every frame, by formulas of their own; and by
// hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/check/crates_scene.h"
#include "cli/check/meeting_scene.h"
#include "support/contains.h"

namespace tocsin::test {
namespace {

using Json = nlohmann::json;

using crates::brute_depth;
using crates::Crates;
using crates::kRadii;
using crates::Thing;

struct DepthCounts {
  int episodes = 0;
  int deep = 0;     ///< the axis is inside by more than a centimetre
  int between = 0;  ///< free at all frames
  int long_ones = 0;
};

void expect_deepest(const Crates& scene, const Json& episode, DepthCounts& counts) {
  const std::string link = episode["link"];
  const Thing& thing = scene.thing(episode["object"]);
  const double radius = kRadii.at(link);
  const auto object = thing.triangles();
  const auto at = [&](std::size_t f) {
    return brute_depth(scene.axis(link, f), radius, object, thing.closed);
  };
  const std::size_t begin = episode["frames"][0];
  const std::size_t end = episode["frames"][1];
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t f = begin; f <= end; ++f) most = std::max(most, at(f).depth);
  const Json& told = episode["deepest"];
  const double depth = told["depth"];
  const std::size_t frame = told["frame"];
  ++counts.episodes;
  counts.long_ones += end - begin > 8 ? 1 : 0;
  if (told.contains("between")) {
    ++counts.between;
    EXPECT_LT(most, 0.0) << episode;
    EXPECT_GE(frame, begin);
    EXPECT_LT(frame, end);
    EXPECT_GT(depth, -1e-9) << episode;
    EXPECT_LE(depth, radius + 0.02) << episode;
    return;
  }
  ASSERT_GE(frame, begin);
  ASSERT_LE(frame, end);
  EXPECT_NEAR(depth, at(frame).depth, 1e-9) << episode;
  EXPECT_GE(depth, most - 1e-4 - 1e-9) << episode;
  EXPECT_NEAR(told["seconds"].get<double>(), 0.03125 * static_cast<double>(frame), 1e-12);
  if (std::fabs(depth - radius) > 1e-6) {
    EXPECT_EQ(told.contains("inside"), at(frame).inside) << episode;
    EXPECT_FALSE(told.contains("through")) << episode;
    counts.deep += depth > radius + 0.01 ? 1 : 0;
  }
}

TEST(Depth, IsThatOfEveryTriangleAtEveryFrame) {
  DepthCounts counts;
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const Crates scene(seed);
    const CommandResult result = scene.check({"--out", "-"});
    ASSERT_EQ(result.status, 0) << result.err;
    for (const std::string& line : lines_of_type(result.out, "episode")) {
      expect_deepest(scene, Json::parse(line), counts);
    }
  }
  EXPECT_GE(counts.episodes, 60);
  EXPECT_GE(counts.deep * 6, counts.episodes) << counts.deep;
  EXPECT_GE(counts.long_ones * 4, counts.episodes) << counts.long_ones;
  EXPECT_GE(counts.between, 1);
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
  // A report of before depths is confirmed still.
  std::string older;
  for (const std::string& line : lines_of(scene.check({"--out", "-"}).out)) {
    auto json = nlohmann::ordered_json::parse(line);
    if (json["type"] == "episode") json.erase("deepest");
    older += json["type"] == "episode" ? json.dump() + '\n' : line + '\n';
  }
  EXPECT_FALSE(contains(older, "deepest"));
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
}  // namespace tocsin::test
