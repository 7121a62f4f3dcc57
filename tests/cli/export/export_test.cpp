// `tocsin export`: what other programs read.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "cli/check/meeting_scene.h"
#include "cli/scenes.h"
#include "support/contains.h"
#include "support/glb_parts.h"

namespace tocsin::test::export_test {
namespace {

using Texts = std::vector<std::string>;

CommandResult exported(const TemporaryFolder& folder, Texts arguments) {
  arguments.insert(arguments.begin(), "export");
  return run_tocsin(arguments, folder.path());
}

/// The value that holds at a time; `width` numbers.
std::vector<double> held(const std::pair<std::vector<double>, std::vector<double>>& keys,
                         double seconds, std::size_t width) {
  std::size_t i = 0;
  while (i + 1 < keys.first.size() && keys.first[i + 1] <= seconds) ++i;
  const auto at = keys.second.begin() + static_cast<std::ptrdiff_t>(width * i);
  return {at, at + static_cast<std::ptrdiff_t>(width)};
}

TEST(Export, TheCsvIsThatOfCheck) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl", "--csv", "check.csv"}).status, 0);
  const CommandResult result = exported(scene, {"report.jsonl", "out.csv"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "out.csv: 6 lines")) << result.out;
  EXPECT_EQ(scene.read("out.csv"), scene.read("check.csv"));
}

TEST(Export, TheCsvOfSeveralTakesToo) {
  const MeetingScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl", "--csv", "check.csv"}).status, 0);
  EXPECT_EQ(exported(scene, {"report.jsonl", "out.csv"}).status, 0);
  EXPECT_GT(lines_of(scene.read("out.csv")).size(), 1U);
  EXPECT_EQ(scene.read("out.csv"), scene.read("check.csv"));
}

TEST(Export, OfAReportWithoutEpisodeLinesTheyArePutTogether) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl", "--csv", "check.csv"}).status, 0);
  std::string old;
  for (const std::string& line : lines_of(scene.read("report.jsonl"))) {
    if (!contains(line.substr(0, 20), "episode")) old += line + "\n";
  }
  scene.write("old.jsonl", old);
  const CommandResult result = exported(scene, {"old.jsonl", "old.csv"});
  EXPECT_EQ(result.status, 0) << result.err;
  // All but the depths, which such a report does not tell.
  const Texts whole = lines_of(scene.read("check.csv"));
  const Texts without = lines_of(scene.read("old.csv"));
  ASSERT_EQ(without.size(), whole.size());
  for (std::size_t i = 1; i < whole.size(); ++i) {
    ASSERT_TRUE(without[i].ends_with(",,,")) << without[i];
    const std::string same = without[i].substr(0, without[i].size() - 3);
    EXPECT_TRUE(whole[i].starts_with(same + ",")) << whole[i] << '\n' << without[i];
  }
}

TEST(Export, AGlbHasThePoleTheRoomAndTheContacts) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  const CommandResult result = exported(scene, {"report.jsonl", "out.glb"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "out.glb: 1 figure, 9 poses, 5 episodes of contact, 3 objects"))
      << result.out;
  const GlbParts glb(scene.read("out.glb"));
  glb.expect_sound();
  for (const char* const name : {"Wall", "Shelf", "Floor", "pole", "take (avatar)"}) {
    EXPECT_GE(glb.node(name), 0) << name;
  }
  // scenes.h has where the pole is at each frame.
  const auto [times, places] = glb.channel(glb.node("Hips (joint)"), "translation");
  const std::vector<double> x{0, 1, 2, 2.5, 2.55, 2.5, 2, 1, 3};
  ASSERT_EQ(times.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(times[i], 0.1 * static_cast<double>(i), 1e-6);
    EXPECT_NEAR(places[3 * i], x[i], 1e-6);
  }
  // The marks: at 0.28 s the pole touches the wall, which it leaves in step 5; then again at 0.77.
  const auto shown = [&glb](const char* name, double seconds) {
    const int node = glb.node(name);
    EXPECT_GE(node, 0) << name;
    return held(glb.channel(node, "scale"), seconds, 3)[0] == 1.0;
  };
  for (const auto& [seconds, is_shown] : std::vector<std::pair<double, bool>>{
           {0.27, false}, {0.281, true}, {0.35, true}, {0.599, true}, {0.61, false}}) {
    EXPECT_EQ(shown("pole - Wall", seconds), is_shown) << seconds;
  }
  EXPECT_FALSE(shown("pole - Wall@2", 0.769));
  EXPECT_TRUE(shown("pole - Wall@2", 0.771));
  EXPECT_NEAR(held(glb.channel(glb.node("pole - Wall"), "translation"), 0.29, 3)[0], 2.5, 1e-6);
  EXPECT_NEAR(held(glb.channel(glb.node("pole - Shelf"), "translation"), 0.25, 3)[0], 2.3, 1e-6);
  const auto& extras =
      glb.json["nodes"][static_cast<std::size_t>(glb.node("pole - Wall"))]["extras"];
  EXPECT_EQ(extras["link"], "pole");
  EXPECT_EQ(extras["object"], "Wall");
  EXPECT_EQ(extras["status"], "hit");
  EXPECT_NEAR(extras["touch_s"].get<double>(), 0.28, 1e-9);
}

TEST(Export, WithoutTheRoomAndWithSubsteps) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  ASSERT_EQ(exported(scene, {"report.jsonl", "out.glb", "--no-room", "--substeps", "4"}).status, 0);
  const GlbParts glb(scene.read("out.glb"));
  glb.expect_sound();
  EXPECT_LT(glb.node("Wall"), 0);
  EXPECT_GE(glb.node("pole - Wall"), 0);
  EXPECT_EQ(glb.channel(glb.node("Hips (joint)"), "translation").first.size(), 8 * 4 + 1U);
}

TEST(Export, SeveralAvatarsAreFiguresOfTheirOwn) {
  const MeetingScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  const CommandResult result = exported(scene, {"report.jsonl", "out.glb"});
  ASSERT_EQ(result.status, 0) << result.err;
  const GlbParts glb(scene.read("out.glb"));
  glb.expect_sound();
  std::size_t figures = 0;
  for (const auto& node : glb.json["nodes"]) {
    figures += contains(node["name"].get<std::string>(), "(avatar)") ? 1 : 0;
  }
  EXPECT_GE(figures, 2U);
}

TEST(Export, HostileNamesComeThrough) {
  const PoleScene scene;
  std::string room = scene.read("room.obj");
  room.replace(room.find("o Wall"), 6, "o </script><script>alert(1)</script>\"\\");
  scene.write("room.obj", room);
  ASSERT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  ASSERT_EQ(exported(scene, {"report.jsonl", "out.glb"}).status, 0);
  const GlbParts glb(scene.read("out.glb"));
  glb.expect_sound();
  EXPECT_GE(glb.node("</script><script>alert(1)</script>\"\\"), 0);
}

TEST(Export, WhatIsWrongIsSaidAndNothingIsLeft) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  const auto refused = [&scene](Texts arguments, int status, const std::string& why) {
    const CommandResult result = exported(scene, std::move(arguments));
    EXPECT_EQ(result.status, status) << result.err;
    EXPECT_TRUE(contains(result.err, why)) << result.err;
  };
  refused({"report.jsonl", "out.fbx"}, 2, ".glb, .usda or .csv, not to out.fbx");
  refused({"report.jsonl", "out.glb", "--substeps", "0"}, 2, "--substeps");
  refused({"report.jsonl", "out.glb", "--substeps", "65"}, 2, "--substeps");
  refused({"report.jsonl", "out.csv", "--no-room"}, 2, "go with .glb and .usda");
  refused({"nothing.jsonl", "out.glb"}, 3, "nothing.jsonl: there is no such file");
  refused({"take.bvh", "out.glb"}, 3, "take.bvh:1:");
  refused({"report.jsonl", "missing/out.glb"}, 4, "missing/out.glb");
  const std::string report = scene.read("report.jsonl");
  std::string changed = report;
  const std::string hit = R"("status":"hit")";
  const std::size_t at = changed.find(hit);
  ASSERT_NE(at, std::string::npos);
  changed.replace(at, hit.size(), R"("status":"graze")");
  scene.write("changed.jsonl", changed);
  refused({"changed.jsonl", "out.glb"}, 3, "it was changed after it was written");
  scene.write("cut.jsonl", report.substr(0, report.size() / 2));
  refused({"cut.jsonl", "out.glb"}, 3, "cut.jsonl");
  scene.write("room.obj", scene.read("room.obj") + "# changed\n");
  refused({"report.jsonl", "out.glb"}, 3,
          "room.obj is not the file that this report was made from");
  std::filesystem::remove(scene.path() / "room.obj");
  for (const char* const out : {"out.glb", "out.usda", "out.csv"}) {
    refused({"report.jsonl", out}, 3, "environment room.obj is not found");
  }
  EXPECT_EQ(scene.files(),
            (Texts{"changed.jsonl", "cut.jsonl", "pole.json", "report.jsonl", "take.bvh"}));
}

TEST(Export, AnInputIsNotOverwritten) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.csv"}).status, 0);
  const std::string before = scene.read("report.csv");
  const CommandResult result = exported(scene, {"report.csv", "report.csv"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(scene.read("report.csv"), before);
}

TEST(Export, AFullDiskLeavesNothing) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  std::filesystem::create_symlink("/dev/full", scene.path() / "full.usda");
  EXPECT_EQ(exported(scene, {"report.jsonl", "full.usda"}).status, 4);
}

TEST(Export, PosesThatWereSampledAreHeld) {
  const PoleScene scene;
  ASSERT_EQ(scene.check({"--out", "report.jsonl", "--sampled"}).status, 0);
  ASSERT_EQ(exported(scene, {"report.jsonl", "out.glb"}).status, 0);
  const GlbParts glb(scene.read("out.glb"));
  glb.expect_sound();
  for (const auto& sampler : glb.json["animations"][0]["samplers"]) {
    EXPECT_EQ(sampler["interpolation"], "STEP");
  }
}

}  // namespace
}  // namespace tocsin::test::export_test
