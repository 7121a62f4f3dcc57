// ASF/AMC takes on the command line: the skeleton beside them, the rate that they do not say, and
// that a report of one can be verified.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/scenes.h"
#include "support/data.h"

namespace tocsin::test::acclaim_test {
namespace {

using Json = nlohmann::json;

/// A pole of 1.7 m like that of scenes.h, in inches of 1/0.45: 1.7 m are 1.7 * 0.45 / 0.0254.
std::string pole_asf() {
  return ":version 1.10\n:name pole\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n"
         ":root\n  order TX TY TZ RX RY RZ\n  axis XYZ\n  position 0 0 0\n  orientation 0 0 0\n"
         ":bonedata\n  begin\n    id 1\n    name spine\n    direction 0 1 0\n"
         "    length 30.118110236220474\n    axis 0 0 0 XYZ\n    dof rx ry rz\n"
         "    limits (-180 180)\n           (-180 180)\n           (-180 180)\n  end\n"
         ":hierarchy\n  begin\n    root spine\n  end\n";
}

std::string pole_amc() {
  std::string out = "#!OML:ASF\n:FULLY-SPECIFIED\n:DEGREES\n";
  int frame = 0;
  for (const double x : {0.0, 1.0, 2.0, 2.5, 2.55, 2.5, 2.0, 1.0, 3.0}) {
    out += std::to_string(++frame) + "\nroot " + std::to_string(x * 0.45 / 0.0254) +
           " 0 0 0 0 0\nspine 0 0 0\n";
  }
  return out;
}

std::string model() {
  return R"({"format":"tocsin.avatar.v1","name":"pole","links":[{"name":"pole","joint":"root",)"
         R"("b":{"joint":"spine_end"},"radius":0.1}]})";
}

class AcclaimScene : public TemporaryFolder {
 public:
  AcclaimScene() {
    write("pole.asf", pole_asf());
    write("pole_7.amc", pole_amc());
    write("pole.json", model());
    write("room.obj", pole_room());
  }
};

TEST(Acclaim, AutoIsATakesOwnDefaultBesideAnother) {
  const AcclaimScene scene;
  scene.write("a.bvh", pole_take({20, 21}));
  scene.write("b.json", pole_model());
  std::filesystem::rename(scene.path() / "pole.asf", scene.path() / "auto");
  const std::vector<std::string> check{
      "check",    "a.bvh",  "pole_7.amc", "--env",      "room.obj", "--motion-unit", "m",
      "--avatar", "b.json", "--avatar",   "pole.json",  "--rate",   "auto",          "--rate",
      "60",       "--clip", "auto",       "--skeleton", "auto",     "--skeleton"};
  auto found = check;
  found.insert(found.end(), {"./auto", "--out", "-"});
  const CommandResult result = run_tocsin(found, scene.path());
  ASSERT_EQ(result.status, 0) << result.err;
  const auto run = nlohmann::json::parse(lines_of(result.out).at(0));
  EXPECT_EQ(run["options"]["rate"], (nlohmann::json{nullptr, 60.0}));
  EXPECT_EQ(run["avatars"][1]["frame_time"], 1.0 / 60.0);
  // Not the file of that name.
  auto missing = check;
  missing.insert(missing.end(), {"auto", "--out", "-"});
  const CommandResult none = run_tocsin(missing, scene.path());
  EXPECT_EQ(none.status, 3);
  EXPECT_NE(none.err.find("pole.asf"), std::string::npos) << none.err;
}

TEST(Acclaim, TheSkeletonBesideTheTakeIsFound) {
  const AcclaimScene scene;
  const CommandResult checked = run_tocsin(
      {"check", "pole_7.amc", "--env", "room.obj", "--avatar", "pole.json", "--out", "r.jsonl"},
      scene.path());
  ASSERT_EQ(checked.status, 0) << checked.err;
  const std::string report = scene.read("r.jsonl");
  const Json run = Json::parse(lines_of_type(report, "run").at(0));
  EXPECT_EQ(run["options"]["rate"], 120.0);
  EXPECT_EQ(run["options"]["skeleton"], "pole.asf");
  EXPECT_EQ(run["inputs"][1]["role"], "skeleton");
  EXPECT_NEAR(run["unit_metres"].get<double>(), 0.0254 / 0.45, 1e-17);
  EXPECT_EQ(lines_of_type(report, "contact").size(), 8U);  // as in scenes.h
  const CommandResult verified = run_tocsin({"verify", "r.jsonl"}, scene.path());
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
}

TEST(Acclaim, ASkeletonElsewhereAndARateThatIsTold) {
  const AcclaimScene scene;
  std::filesystem::rename(scene.path() / "pole.asf", scene.path() / "other.asf");
  const std::vector<std::string> check{"check",    "pole_7.amc", "--env",
                                       "room.obj", "--avatar",   "pole.json"};
  const CommandResult missing = run_tocsin(check, scene.path());
  EXPECT_EQ(missing.status, 3);
  EXPECT_NE(missing.err.find("pole.asf"), std::string::npos) << missing.err;
  EXPECT_NE(missing.err.find("--skeleton"), std::string::npos) << missing.err;
  std::vector<std::string> told = check;
  told.insert(told.end(), {"--skeleton", "other.asf", "--rate", "60", "--out", "r.jsonl"});
  ASSERT_EQ(run_tocsin(told, scene.path()).status, 0);
  const Json run = Json::parse(lines_of_type(scene.read("r.jsonl"), "run").at(0));
  EXPECT_EQ(run["frame_time"], 1.0 / 60.0);
  EXPECT_EQ(run["options"]["skeleton"], "other.asf");
  EXPECT_EQ(run_tocsin({"verify", "r.jsonl"}, scene.path()).status, 0);
}

TEST(Acclaim, PeopleAreToldWhatWasDecided) {
  const AcclaimScene scene;
  const CommandResult result = run_tocsin({"info", "pole_7.amc"}, scene.path());
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(matches(result.out, "Skeleton +pole.asf\n")) << result.out;
  EXPECT_TRUE(matches(result.out, "Frames +9 at 120 Hz")) << result.out;
  EXPECT_TRUE(matches(result.out, "Rate +120 Hz")) << result.out;
  EXPECT_TRUE(matches(result.out, "Height +1.7 m")) << result.out;
}

TEST(Acclaim, AReportMustNotOverwriteTheSkeleton) {
  const AcclaimScene scene;
  const CommandResult result = run_tocsin(
      {"check", "pole_7.amc", "--env", "room.obj", "--avatar", "pole.json", "--out", "pole.asf"},
      scene.path());
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_EQ(scene.read("pole.asf"), pole_asf());
}

TEST(Acclaim, EveryRecordedTakeBindsTheModel) {
  for (const std::string take :
       {"01_01", "02_01", "02_03", "02_04", "02_05", "02_07", "03_01", "03_02", "03_03"}) {
    TOCSIN_NEEDS_DATA("motions/cmu/" + take + ".amc");
    const CommandResult result =
        run_tocsin({"info", data_path("motions/cmu/" + take + ".amc").string(), "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json json = Json::parse(result.out);
    EXPECT_EQ(json["avatars"], Json::array({"humanoid16"})) << take;
    EXPECT_EQ(json["unit_metres"], 0.0254 / 0.45) << take;
  }
}

}  // namespace
}  // namespace tocsin::test::acclaim_test
