// `check --nearest`: by every triangle at every frame, and by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "cli/check/crates_scene.h"
#include "cli/check/meeting_scene.h"
#include "support/contains.h"

namespace tocsin::test::distance_test {
namespace {

using Json = nlohmann::json;
using crates::Crates;
using crates::distance_at;
using crates::PairName;

constexpr double kWithin = 0.15;
constexpr double kRounded = 1e-7;  ///< metres: rooms' corners are floats, such as 2.3

/// Frame, link and object.
using Key = std::tuple<std::size_t, std::string, std::string>;

std::map<Key, Json> told_by(const std::string& report) {
  std::map<Key, Json> out;
  for (const std::string& line : lines_of_type(report, "distance")) {
    const Json one = Json::parse(line);
    EXPECT_TRUE(out.emplace(Key{one["frame"], one["link"], one["object"]}, one).second) << line;
  }
  return out;
}

double apart(const Json& p, const Json& q) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double d = p[i].get<double>() - q[i].get<double>();
    sum += d * d;
  }
  return std::sqrt(sum);
}

TEST(Distances, AreThoseOfEveryTriangleAtEveryFrame) {
  int told = 0;
  int inside = 0;
  int far = 0;
  for (std::uint32_t seed = 1; seed <= 2; ++seed) {
    const Crates scene(seed);
    const CommandResult result = scene.check({"--nearest", "15cm", "--out", "-"});
    ASSERT_EQ(result.status, 0) << result.err;
    const auto lines = told_by(result.out);
    for (std::size_t frame = 0; frame < scene.frames(); ++frame) {
      for (const auto& [thing, unused] : scene.things()) {
        for (const auto& [link, radius] : crates::kRadii) {
          const double distance = distance_at(scene, {link, thing}, frame);
          const auto found = lines.find({frame, link, thing});
          if (std::fabs(distance - kWithin) < 1e-6) continue;
          ASSERT_EQ(found != lines.end(), distance < kWithin)
              << frame << ' ' << link << ' ' << thing;
          if (found == lines.end()) {
            ++far;
            continue;
          }
          ++told;
          const Json& line = found->second;
          EXPECT_NEAR(line["metres"].get<double>(), distance, 1e-6) << line;
          EXPECT_NEAR(line["seconds"].get<double>(), 0.03125 * double(frame), 1e-9);
          if (line.contains("inside")) ++inside;
          // Where the axis meets the surface both points are one.
          if (std::fabs(distance + radius) < 1e-6) continue;
          EXPECT_NEAR(apart(line["point"], line["own_point"]), std::fabs(distance), 1e-6) << line;
        }
      }
    }
    // Neither a thread nor a backend changes a line; contacts are those of before.
    const CommandResult other = scene.check(
        {"--nearest", "0.15", "--threads", "1", "--backend", "cuda", "--emulate", "--out", "-"});
    EXPECT_EQ(lines_of_type(other.out, "distance"), lines_of_type(result.out, "distance"));
    EXPECT_EQ(lines_of_type(scene.check({"--out", "-"}).out, "contact"),
              lines_of_type(result.out, "contact"));
  }
  EXPECT_GE(told, 500);
  EXPECT_GE(inside, 20);
  EXPECT_GE(far, 500);
}

TEST(Distances, OfThePoleByHand) {
  // cli/scenes.h: the pole of radius 0.1 is at x = 0, 1, 2, 2.5 ...; at 2.3 is the shelf, at 2.5
  // the wall; the floor is 0.9 below.
  const PoleScene scene;
  const auto lines = told_by(scene.report({"--frames", ":3", "--nearest", "0.5"}));
  ASSERT_EQ(lines.size(), 4U);
  const auto metres = [&](std::size_t frame, const char* object) {
    return lines.at({frame, "pole", object})["metres"].get<double>();
  };
  EXPECT_NEAR(metres(2, "Shelf"), 0.2, kRounded);
  EXPECT_NEAR(metres(2, "Wall"), 0.4, kRounded);
  EXPECT_NEAR(metres(3, "Shelf"), 0.1, kRounded);
  EXPECT_NEAR(metres(3, "Wall"), -0.1, kRounded);  // its axis is in the wall's plane
  const std::string table = scene.check({"--frames", ":3", "--nearest", "0.5"}).out;
  EXPECT_TRUE(matches(table,
                      "Within 0\\.5 m at a frame, each pair where it is nearest:\n"
                      " *Distance +At frame +Seconds +Link +Object\n"
                      "0\\.1000 m deep +3 +0\\.3000 s +pole +Wall\n"
                      " *0\\.1000 m +3 +0\\.3000 s +pole +Shelf\n\n"))
      << table;
  const std::string none = scene.check({"--frames", ":1", "--nearest", "10cm"}).out;
  EXPECT_TRUE(contains(none, "At no frame is anything within 0.1 m.\n")) << none;
  const std::string unasked = scene.check({"--frames", "2:2", "--nearest", "0.5"}).out;
  EXPECT_TRUE(contains(unasked, "No distance was measured")) << unasked;
  // With a stride, and single poses.
  EXPECT_EQ(told_by(scene.report({"--frames", "2:3:1", "--nearest", "0.5"})), lines);
  EXPECT_EQ(told_by(scene.report({"--frames", ":3", "--nearest", "0.5", "--sampled"})), lines);
  const auto wide = told_by(scene.report(
      {"--frames", "2:3", "--nearest", "0.3", "--margin", "0.1", "--ignore", "*:Wall"}));
  ASSERT_EQ(wide.size(), 2U);
  EXPECT_NEAR(wide.at({2, "pole", "Shelf"})["metres"].get<double>(), 0.1, kRounded);
}

TEST(Distances, OfTwoTakes) {
  // cli/check/meeting_scene.h: a is at x = 0, 1, 1.5, 2, 3; b at 3, 2.5, 2.25, 2, 1.5; both from
  // instant 0 to 4.
  const MeetingScene scene;
  const CommandResult result =
      scene.check({"--nearest", "0.45", "--ignore", "*:Floor", "--out", "-"});
  ASSERT_EQ(result.status, 0) << result.err;
  std::vector<std::tuple<int, int, std::string, double>> got;
  for (const std::string& text : lines_of_type(result.out, "distance")) {
    const Json line = Json::parse(text);
    got.emplace_back(line["frame"], line["avatar"], line["object"], line["metres"]);
  }
  const std::vector<std::tuple<int, int, std::string, double>> want{
      {0, 1, "Wall", 0.4},    {1, 1, "Wall", -0.1}, {1, 1, "Shelf", 0.1}, {2, 1, "Wall", 0.15},
      {2, 1, "Shelf", -0.05}, {3, 0, "Wall", 0.4},  {3, 0, "Shelf", 0.2}, {3, 1, "Wall", 0.4},
      {3, 1, "Shelf", 0.2},   {4, 0, "Wall", 0.4}};
  ASSERT_EQ(got.size(), want.size()) << result.out;
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(std::get<0>(got[i]), std::get<0>(want[i])) << i;
    EXPECT_EQ(std::get<1>(got[i]), std::get<1>(want[i])) << i;
    EXPECT_EQ(std::get<2>(got[i]), std::get<2>(want[i])) << i;
    EXPECT_NEAR(std::get<3>(got[i]), std::get<3>(want[i]), kRounded) << i;
  }
}

TEST(Distances, AreVerifiedAndRefusedWhereTheyMakeNoSense) {
  const PoleScene scene;
  const std::string report = scene.report({"--nearest", "0.5"});
  scene.write("report.jsonl", report);
  const CommandResult good = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  EXPECT_TRUE(matches(good.out,
                      "Nearest +9 of 9 poses within 0\\.5 m: [0-9]+ distances and "
                      "[0-9]+ pairs farther looked at, 0 undecided\n"))
      << good.out;
  std::string changed = report;
  const std::string line = lines_of_type(report, "distance").at(0);
  changed.replace(changed.find(line), line.size() + 1, "");
  scene.write("report.jsonl", changed);
  const CommandResult bad = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(bad.status, 1);
  EXPECT_TRUE(contains(bad.out, fmt::format("frame {}: the report lacks this distance: {}",
                                            Json::parse(line).at("frame").get<int>(), line)))
      << bad.out;
  for (const char* const wrong : {"0", "-1", "x", "2000", ""}) {
    const CommandResult refused = scene.check({"--nearest", wrong});
    EXPECT_EQ(refused.status, 2) << refused.out;
    EXPECT_TRUE(contains(refused.err, "--nearest")) << refused.err;
  }
}

}  // namespace
}  // namespace tocsin::test::distance_test
