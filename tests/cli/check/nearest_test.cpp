// What is nearest to every link with `check --clearance`: in the table and in the report.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/check/crates_scene.h"
#include "cli/check/meeting_scene.h"

namespace tocsin::test::nearest_test {
namespace {

using Json = nlohmann::json;
using crates::Crates;
using crates::distance_at;

TEST(Nearest, IsToldBesideTheClearance) {
  const PoleScene scene;
  const auto table = [&](std::vector<std::string> more) {
    more.emplace_back("--clearance");
    return scene.check(more).out;
  };
  const std::string some = table({"--frames", ":2"});
  EXPECT_TRUE(matches(some,
                      "Link +Clearance of at least +Least at +Frames +Distance +Nearest\n"
                      "pole +0\\.(19..|2000) m +0\\.1000 s +1-2 +0\\.2000 m +Shelf\n"))
      << some;
  const std::string wall = table({"--frames", ":2", "--ignore", "*:Shelf"});
  EXPECT_TRUE(matches(wall, "pole +0\\.(39..|4000) m +0\\.1000 s +1-2 +0\\.4000 m +Wall\n"))
      << wall;
  const std::string touches = table({});
  EXPECT_TRUE(matches(touches, "pole +touches +0\\.2000 s +2-3 +(Wall|Shelf)\n")) << touches;
  const std::string nothing = table({"--ignore", "*:*"});
  EXPECT_TRUE(matches(nothing, "pole +nothing to touch +[0-9.]+ s +0-1\n")) << nothing;
}

TEST(Nearest, IsNearerThanAllElse) {
  // Single steps of the arm: what is told is as near as anything at both frames, and the bound
  // that is proved is below it.
  int steps = 0;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const Crates scene(seed);
    for (int f = 0; f < 140; f += 20) {
      const std::string frames = fmt::format("{}:{}", f, f + 1);
      const std::string out = scene.check({"--clearance", "--frames", frames}).out;
      for (const auto& [link, radius] : crates::kRadii) {
        for (const std::string& line : lines_of(out)) {
          if (!matches(line,
                       "^" + link + " +[0-9.]+ m +[0-9.]+ s +[0-9-]+ +[0-9.]+ m +[A-Za-z0-9]+$"))
            continue;
          std::istringstream words(line);
          std::string name;
          std::string m;
          double bound = 0.0;
          double at = 0.0;
          double told = 0.0;
          std::string nearest;
          std::string span;
          words >> name >> bound >> m >> at >> m >> span >> told >> m >> nearest;
          EXPECT_LE(bound, told + 1e-4) << line;
          for (const auto& [thing, unused] : scene.things()) {
            const double least = std::min(distance_at(scene, {link, thing}, std::size_t(f)),
                                          distance_at(scene, {link, thing}, std::size_t(f) + 1));
            EXPECT_GE(least, told - 1e-4) << line << thing;
            if (thing == nearest) {
              EXPECT_LE(told, least + 1e-4) << line;
              EXPECT_GE(told, least - 0.1) << line;
            }
          }
          ++steps;
        }
      }
    }
  }
  EXPECT_GE(steps, 8);
}

std::vector<Json> nearest_lines(const std::string& report) {
  std::vector<Json> out;
  for (const std::string& line : lines_of_type(report, "nearest")) out.push_back(Json::parse(line));
  return out;
}

TEST(Nearest, IsInTheReport) {
  // cli/scenes.h: at frame 2 the pole's surface is at x = 2.1; the shelf is at 2.3, the wall
  // at 2.5.
  const PoleScene scene;
  const auto line = [&](std::vector<std::string> more) {
    more.emplace_back("--clearance");
    const auto lines = nearest_lines(scene.report(more));
    EXPECT_EQ(lines.size(), 1U);
    return lines.at(0);
  };
  const Json some = line({"--frames", ":2"});
  EXPECT_EQ(some["avatar"], 0);
  EXPECT_EQ(some["link"], "pole");
  EXPECT_EQ(some["object"], "Shelf");
  EXPECT_EQ(some["step"], 1);
  EXPECT_EQ(some["frames"], Json({1, 2}));
  EXPECT_EQ(some["seconds"], 0.1);
  const double least = static_cast<double>(2.3F) - 2.1;  // rooms are floats
  EXPECT_NEAR(some["metres"].get<double>(), least, 1e-9);
  EXPECT_GT(some["clearance"].get<double>(), 0.19);
  EXPECT_LE(some["clearance"].get<double>(), least);
  const Json wall = line({"--frames", ":2", "--ignore", "*:Shelf"});
  EXPECT_EQ(wall["object"], "Wall");
  EXPECT_NEAR(wall["metres"].get<double>(), 0.4, 1e-9);
  // Its axis meets both.
  const Json touches = line({});
  EXPECT_EQ(touches["clearance"], 0.0);
  EXPECT_EQ(touches["step"], 2);
  EXPECT_TRUE(touches["object"] == "Wall" || touches["object"] == "Shelf") << touches;
  EXPECT_FALSE(touches.contains("metres")) << touches;
  const Json nothing = line({"--ignore", "*:*"});
  EXPECT_TRUE(nothing["clearance"].is_null()) << nothing;
  for (const std::string absent : {"object", "other", "metres"}) {
    EXPECT_FALSE(nothing.contains(absent)) << nothing;
  }
  EXPECT_TRUE(nearest_lines(scene.report({})).empty());
}

TEST(Nearest, InTheReportIsTheLeastOfItsClearances) {
  const Crates scene(7);
  const std::string report = scene.check({"--clearance", "--out", "-"}).out;
  const auto lines = nearest_lines(report);
  ASSERT_EQ(lines.size(), crates::kRadii.size());
  for (const Json& line : lines) {
    double least = std::numeric_limits<double>::infinity();
    for (const std::string& text : lines_of_type(report, "clearance")) {
      const Json one = Json::parse(text);
      if (one["link"] != line["link"] || !(one["metres"].get<double>() < least)) continue;
      least = one["metres"];
      EXPECT_LE(one["step"], line["step"]) << "the first of the least";
    }
    EXPECT_EQ(line["clearance"], least);
  }
}

TEST(Nearest, InTheReportIsTheNearestByEveryTriangle) {
  int told = 0;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    const Crates scene(seed);
    for (int f = 0; f < 140; f += 20) {
      const std::string frames = fmt::format("{}:{}", f, f + 1);
      const auto lines =
          nearest_lines(scene.check({"--clearance", "--frames", frames, "--out", "-"}).out);
      ASSERT_EQ(lines.size(), 2U);
      for (const Json& line : lines) {
        if (!line.contains("metres")) continue;
        ++told;
        // docs/reference/check.md: at both frames and 7 times between them.
        const auto least_to = [&](const std::string& thing) {
          double out = std::numeric_limits<double>::infinity();
          for (int i = 0; i <= 8; ++i) {
            const auto frame = static_cast<std::size_t>(i < 8 ? f : f + 1);
            const double t = i < 8 ? i / 8.0 : 0.0;
            out = std::min(out, distance_at(scene, {line["link"], thing}, frame, t));
          }
          return out;
        };
        const double metres = line["metres"];
        EXPECT_NEAR(metres, least_to(line["object"]), 1e-8) << line;
        for (const auto& [thing, unused] : scene.things()) {
          EXPECT_GE(least_to(thing), metres - 1e-8) << line << thing;
        }
        EXPECT_LE(line["clearance"].get<double>(), metres + 1e-9) << line;
      }
    }
  }
  EXPECT_GE(told, 8);
}

TEST(Nearest, OfTwoTakesNamesTheOthersLink) {
  // cli/check/meeting_scene.h, 0.5 m beside each other: 0.3 m between the surfaces.
  const MeetingScene scene;
  const auto lines = nearest_lines(scene
                                       .check({"--place", "0,0,0", "--place", "0,0,0.5", "--ignore",
                                               "*:*", "--clearance", "--out", "-"})
                                       .out);
  ASSERT_EQ(lines.size(), 2U);
  for (int i = 0; i < 2; ++i) {
    const Json& line = lines[static_cast<std::size_t>(i)];
    EXPECT_EQ(line["avatar"], i);
    EXPECT_EQ(line["other"]["avatar"], 1 - i);
    EXPECT_EQ(line["other"]["link"], "pole");
    EXPECT_NEAR(line["metres"].get<double>(), 0.3, 1e-9);
  }
}

}  // namespace
}  // namespace tocsin::test::nearest_test
