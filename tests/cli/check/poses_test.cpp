// `.poses` files through every command that reads takes.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.h"
#include "support/places.h"

namespace tocsin::test::poses_test {
namespace {

using Json = nlohmann::json;

const std::string kRoom = source_dir() + "/environments/music_room.obj";
const std::string kTake = source_dir() + "/motions/walk_and_reach.bvh";

/// A ball of a joint falls by a metre in 0.5, 0.25 and 1.25 s.
constexpr const char* kFall =
    R"({"type":"motion","format":"tocsin.poses.v1","frame_time":1,"joints":[{"name":"ball","parent":-1,"rest":[1,0,0,0,0,3,0]},{"name":"top","parent":0,"rest":[1,0,0,0,0,0.2,0]}]}
{"type":"pose","tick":100,"local":[1,0,0,0,0,3,0,1,0,0,0,0,0.2,0]}
{"type":"pose","tick":100.5,"local":[1,0,0,0,0,2,0,1,0,0,0,0,0.2,0]}
{"type":"pose","tick":100.75,"local":[1,0,0,0,0,1,0,1,0,0,0,0,0.2,0]}
{"type":"pose","tick":102,"local":[1,0,0,0,0,0,0,1,0,0,0,0,0.2,0]}
{"type":"end","poses":4}
)";
constexpr const char* kFloor = "o Floor\nv -5 0.5 -5\nv 0 0.5 9\nv 5 0.5 -5\nf 1 2 3\n";

std::string contact_text(const std::string& report) {
  std::string out;
  for (const std::string& line : lines_of_type(report, "contact")) out += line + '\n';
  return out;
}

TEST(PosesCommand, AConvertedTakeHasTheSameContacts) {
  const TemporaryFolder folder;
  const auto converted = run_tocsin({"convert", kTake, folder.full("take.poses")});
  ASSERT_EQ(converted.status, 0) << converted.err;
  EXPECT_NE(converted.out.find("130 frames at 30 Hz (4.333 s), 38 joints"), std::string::npos)
      << converted.out;
  const auto of_bvh = run_tocsin({"check", kTake, "--env", kRoom, "--out", "-"});
  const auto of_poses =
      run_tocsin({"check", folder.full("take.poses"), "--env", kRoom, "--out", "-"});
  ASSERT_EQ(of_poses.status, 0) << of_poses.err;
  EXPECT_FALSE(contact_text(of_poses.out).empty());
  EXPECT_EQ(contact_text(of_poses.out), contact_text(of_bvh.out));
  // And back: a .bvh of it reads as it was.
  ASSERT_EQ(run_tocsin({"convert", folder.full("take.poses"), folder.full("back.bvh")}).status, 0);
}

TEST(PosesCommand, TimesAreThoseOfTheTicks) {
  const TemporaryFolder folder;
  folder.write("fall.poses", kFall);
  folder.write("floor.obj", kFloor);
  const auto checked = run_tocsin(
      {"check", "fall.poses", "--env", "floor.obj", "--out", "report.jsonl"}, folder.path());
  ASSERT_EQ(checked.status, 0) << checked.err;
  const auto lines = lines_of_type(folder.read("report.jsonl"), "contact");
  ASSERT_EQ(lines.size(), 1U);
  const Json contact = Json::parse(lines[0]);
  EXPECT_EQ(contact["frames"], Json({2, 3}));
  // The link's lower end, at y = 1 - t, is its radius r above the floor: t = 0.5 - r; the step
  // lasts from 0.75 to 2 s.
  const double t = contact["toc"][1];
  EXPECT_GT(t, 0.3);
  EXPECT_LT(t, 0.5);
  EXPECT_NEAR(contact["seconds"][1].get<double>(), 0.75 + 1.25 * t, 1e-12);
  const auto verified = run_tocsin({"verify", "report.jsonl"}, folder.path());
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  const auto table = run_tocsin({"check", "fall.poses", "--env", "floor.obj"}, folder.path());
  EXPECT_NE(table.out.find("4 frames at uneven times, 1.5 Hz on average (2 s), 2 joints"),
            std::string::npos)
      << table.out;
}

TEST(PosesCommand, Info) {
  const TemporaryFolder folder;
  folder.write("fall.poses", kFall);
  const auto text = run_tocsin({"info", "fall.poses"}, folder.path());
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_TRUE(matches(
      text.out, "Frames +4 at uneven times, 1.5 Hz on average \\(2 s\\), 0.25 to 1.25 s apart\n"))
      << text.out;
  EXPECT_TRUE(matches(text.out, "Fastest +(ball|top) at 4 m/s, between frames 1 and 2\n"))
      << text.out;
  const Json json = Json::parse(run_tocsin({"info", "fall.poses", "--json"}, folder.path()).out);
  EXPECT_TRUE(json["frame_time"].is_null());
  EXPECT_EQ(json["uneven"],
            (Json{{"mean_rate", 1.5}, {"least_gap", 0.25}, {"greatest_gap", 1.25}}));
  const Json even = Json::parse(run_tocsin({"info", kTake, "--json"}).out);
  EXPECT_TRUE(even["uneven"].is_null());
  EXPECT_GT(even["frame_time"], 0.0);
}

TEST(PosesCommand, Convert) {
  const TemporaryFolder folder;
  folder.write("fall.poses", kFall);
  const auto glb = run_tocsin({"convert", "fall.poses", "fall.glb"}, folder.path());
  EXPECT_EQ(glb.status, 0) << glb.err;
  const auto bvh = run_tocsin({"convert", "fall.poses", "fall.bvh"}, folder.path());
  EXPECT_EQ(bvh.status, 3);
  EXPECT_NE(bvh.err.find("not evenly spaced"), std::string::npos) << bvh.err;
  const auto again = run_tocsin({"convert", "fall.poses", "again.poses"}, folder.path());
  EXPECT_EQ(again.status, 0) << again.err;
  const auto room = run_tocsin({"convert", "fall.poses", "fall.obj"}, folder.path());
  EXPECT_EQ(room.status, 2);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"again.poses", "fall.glb", "fall.poses"}));
}

TEST(PosesCommand, RefusesWhatDoesNotGoWithIt) {
  const TemporaryFolder folder;
  folder.write("fall.poses", kFall);
  folder.write("bad.poses", std::string(kFall) + "x\n");
  folder.write("floor.obj", kFloor);
  const std::vector<std::vector<std::string>> options{
      {"--motion-unit", "cm"}, {"--motion-up", "z"}, {"--rate", "30"}, {"--clip", "a"}};
  for (const auto& option : options) {
    std::vector<std::string> arguments{"check", "fall.poses", "--env", "floor.obj"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    const auto result = run_tocsin(arguments, folder.path());
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_NE(result.err.find(option[0]), std::string::npos) << result.err;
  }
  const auto bad = run_tocsin({"check", "bad.poses", "--env", "floor.obj"}, folder.path());
  EXPECT_EQ(bad.status, 3);
  EXPECT_NE(bad.err.find("bad.poses:7: "), std::string::npos) << bad.err;
  const auto as_room = run_tocsin({"check", kTake, "--env", "fall.poses"}, folder.path());
  EXPECT_EQ(as_room.status, 3);
}

}  // namespace
}  // namespace tocsin::test::poses_test
