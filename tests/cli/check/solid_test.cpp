// A link inside a closed object: the report, --surface, verify, and what the heading and info say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/scenes.h"
#include "support/contains.h"

namespace tocsin::test::solid_test {
namespace {

using Json = nlohmann::json;

/// The pole's take, and a closed box around its first pose, from x = -0.8 to x = 0.8, beside walls.
class BoxScene : public PoleScene {
 public:
  BoxScene() {
    std::string room =
        "o Box\nv -0.8 -1 -1\nv 0.8 -1 -1\nv 0.8 3 -1\nv -0.8 3 -1\nv -0.8 -1 1\nv 0.8 -1 1\n"
        "v 0.8 3 1\nv -0.8 3 1\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    room += wall("Wall", 9.0, 9);
    write("room.obj", room);
  }
};

std::vector<Json> solid_contacts(const std::string& report) {
  std::vector<Json> out;
  for (const std::string& line : lines_of_type(report, "contact")) out.push_back(Json::parse(line));
  return out;
}

Json options_of(const std::string& report) {
  return Json::parse(lines_of_type(report, "run").at(0))["options"];
}

TEST(Solid, WhoIsInsideTouches) {
  const BoxScene scene;
  const std::string report = scene.report();
  EXPECT_EQ(options_of(report)["surface"], Json::array());
  const auto contacts = solid_contacts(report);
  ASSERT_EQ(contacts.size(), 1U) << report;  // at x = 1 the pole is 0.2 m beside the box
  EXPECT_EQ(contacts[0]["step"], 0);
  EXPECT_EQ(contacts[0]["status"], "overlap");
  EXPECT_EQ(contacts[0]["inside"], true);
  EXPECT_NEAR(contacts[0]["depth"].get<double>(), 0.1 + 0.8, 1e-6);
  EXPECT_NEAR(std::abs(contacts[0]["point"][0].get<double>()), 0.8, 1e-6);
}

TEST(Solid, SurfacesAreAsBefore) {
  const BoxScene scene;
  const std::string report = scene.report({"--surface", "*"});
  EXPECT_FALSE(options_of(report).contains("surface"));
  const auto contacts = solid_contacts(report);
  ASSERT_EQ(contacts.size(), 1U);
  EXPECT_EQ(contacts[0]["status"], "hit");  // it leaves at x = 0.7
  EXPECT_NEAR(contacts[0]["toc"][1].get<double>(), 0.7, 1e-6);
  EXPECT_FALSE(contacts[0].contains("inside"));
  EXPECT_FALSE(contacts[0].contains("depth"));
  const std::string some = scene.report({"--surface", "B*"});
  EXPECT_EQ(options_of(some)["surface"], Json::array({"B*"}));
  EXPECT_EQ(solid_contacts(some), contacts);
  EXPECT_TRUE(contains(scene.check({"--surface", "Chair"}).err, "'Chair' matches no object"));
}

TEST(Solid, VerifyConfirmsBoth) {
  const BoxScene scene;
  for (const std::string pattern : {"*", "Box", "Wall"}) {
    const std::string file = scene.full("report.jsonl");
    ASSERT_EQ(scene.check({"--surface", pattern, "--clearance", "--out", file}).status, 0);
    const CommandResult verified = run_tocsin({"verify", file});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  }
  // A report of solids that says that nobody is inside.
  const std::string file = scene.full("free.jsonl");
  std::string text = scene.report({"--surface", "*"});
  const std::string before = "\"fail_on_contact\":false";
  text.replace(text.find(before), before.size(), before + ",\"surface\":[]");
  scene.write("free.jsonl", text);
  EXPECT_EQ(run_tocsin({"verify", file}).status, 1);
}

TEST(Solid, HeadingAndInfoSayWhatIsClosed) {
  const BoxScene scene;
  EXPECT_TRUE(matches(scene.check().out, "Solid +1 of 2 objects; not closed: Wall \\(4 boundary"));
  EXPECT_FALSE(contains(scene.check({"--surface", "*"}).out, "Solid"));
  const CommandResult info = run_tocsin({"info", scene.full("room.obj")});
  EXPECT_TRUE(matches(info.out, "Box .* closed\n")) << info.out;
  EXPECT_TRUE(matches(info.out, "Wall .* 4 boundary edges\n")) << info.out;
  const Json json = Json::parse(run_tocsin({"info", scene.full("room.obj"), "--json"}).out);
  EXPECT_EQ(json["objects"][0]["solid"], true);
  EXPECT_EQ(json["objects"][1]["closed"], false);
}

TEST(Solid, HeadingSaysWhatFacesInward) {
  const BoxScene scene;
  EXPECT_FALSE(contains(scene.check().out, "Inward"));
  // Every face of the box the other way round.
  std::string flipped;
  for (const std::string& line : lines_of(scene.read("room.obj"))) {
    int a = 0;
    int b = 0;
    int c = 0;
    int d = 0;
    const bool quad = std::sscanf(line.c_str(), "f %d %d %d %d", &a, &b, &c, &d) == 4 && d <= 8;
    flipped += quad ? fmt::format("f {} {} {} {}\n", d, c, b, a) : line + "\n";
  }
  scene.write("room.obj", flipped);
  const std::string out = scene.check().out;
  EXPECT_TRUE(matches(out, "Solid +0 of 2 objects; not closed: Wall")) << out;
  EXPECT_TRUE(matches(out, "\nInward +Box: closed, and faces inward: a room, free inside\\."))
      << out;
  EXPECT_FALSE(contains(scene.check({"--surface", "B?x"}).out, "Inward"));
}

}  // namespace
}  // namespace tocsin::test::solid_test
