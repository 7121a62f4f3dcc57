// `tocsin check` with robots: plans, their cells, pairs of links.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/scenes.h"
#include "support/contains.h"

namespace tocsin::test::robot_test {
namespace {

using Json = nlohmann::json;
using Arguments = std::vector<std::string>;

/// The made robot.
class RobotScene : public TemporaryFolder {
 public:
  RobotScene() { EXPECT_EQ(run_tocsin({"make-robot", "r"}, path()).status, 0); }
  [[nodiscard]] CommandResult check(const std::string& plan, const Arguments& more = {}) const {
    Arguments all{"check", plan, "--avatar", "r/arm.urdf", "--env", "r/cell.obj"};
    all.insert(all.end(), more.begin(), more.end());
    return run_tocsin(all, path());
  }
  void put(const std::string& file, const std::string& text) const {
    std::ofstream(path() / file) << text;
  }
};

TEST(Robot, APlanIsProvedFree) {
  const RobotScene scene;
  const CommandResult checked = scene.check("r/free.csv", {"--self", "--fail-on-contact"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
  EXPECT_TRUE(matches(checked.out, "Avatar +r/arm.urdf, 11 links")) << checked.out;
  EXPECT_TRUE(matches(checked.out, "Mesh +upper_arm: 28 triangles, on joint upper_arm"))
      << checked.out;
  EXPECT_TRUE(contains(checked.err, "r/arm.srdf disables")) << checked.err;
  EXPECT_FALSE(contains(checked.err, "warning")) << checked.err;
}

TEST(Robot, AHitBetweenTwoRowsIsFoundAndVerified) {
  const RobotScene scene;
  // No row touches anything.
  const CommandResult rows =
      scene.check("r/hits.csv", {"--self", "--sampled", "--fail-on-contact"});
  EXPECT_EQ(rows.status, 0) << rows.out;
  const CommandResult checked =
      scene.check("r/hits.csv", {"--self", "--fail-on-contact", "--out", "report.jsonl"});
  EXPECT_EQ(checked.status, 1) << checked.err;
  const std::string report = scene.read("report.jsonl");
  int gripper = 0;
  for (const std::string& line : lines_of_type(report, "contact")) {
    const Json contact = Json::parse(line);
    EXPECT_EQ(contact["object"], "Plate") << line;
    if (contact["link"] == "gripper") ++gripper;
  }
  EXPECT_EQ(gripper, 1) << report;
  // Without the SRDF: the report has the pairs.
  std::filesystem::remove(scene.path() / "r" / "arm.srdf");
  const CommandResult verified = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  const CommandResult again =
      run_tocsin({"check", "--like", "report.jsonl", "--out", "-"}, scene.path());
  EXPECT_EQ(lines_of_type(again.out, "contact"), lines_of_type(report, "contact"));
}

TEST(Robot, EitherOptionNamesTheRobotAndPosesKeepIt) {
  const RobotScene scene;
  const auto contacts = [&](const Arguments& arguments) {
    const CommandResult out = run_tocsin(arguments, scene.path());
    EXPECT_EQ(out.status, 0) << out.err;
    return lines_of_type(out.out, "contact");
  };
  const auto expected = contacts(
      {"check", "r/hits.csv", "--avatar", "r/arm.urdf", "--env", "r/cell.obj", "--out", "-"});
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(contacts({"check", "r/hits.csv", "--skeleton", "r/arm.urdf", "--env", "r/cell.obj",
                      "--out", "-"}),
            expected);
  ASSERT_EQ(
      run_tocsin({"convert", "r/hits.csv", "hits.poses", "--skeleton", "r/arm.urdf"}, scene.path())
          .status,
      0);
  EXPECT_EQ(contacts({"check", "hits.poses", "--avatar", "r/arm.urdf", "--env", "r/cell.obj",
                      "--out", "-"}),
            expected);
}

/// How many pairs of its own links are checked.
int pairs_of(const CommandResult& checked) {
  const std::string& out = checked.out;
  const std::size_t end = out.find(" pairs of its own links");
  if (end == std::string::npos) return -1;
  return std::stoi(out.substr(out.rfind(' ', end - 1)));
}

TEST(Robot, LeavesOutDisabledPairsAndThoseThatNothingMovesApart) {
  const RobotScene scene;
  // 11 links: 55 pairs. Neighbours: 2 shoulders with base, each other, upper_arm (5), then
  // upper_arm-forearm, forearm-wrist, wrist-hand, hand-flange, flange-gripper, gripper-fingers (7).
  // Rigid besides: none, as flange and gripper are neighbours.
  const CommandResult all = scene.check("r/free.csv", {"--self", "--srdf", "none"});
  EXPECT_EQ(pairs_of(all), 43) << all.out;
  EXPECT_EQ(pairs_of(scene.check("r/free.csv", {"--self"})), 40);
  scene.put("other.srdf",
            "<robot name=\"arm\"><disable_collisions link1=\"shoulder\" link2=\"wrist\"/>"
            "<disable_collisions link1=\"hand\" link2=\"tail\"/></robot>");
  const CommandResult other = scene.check("r/free.csv", {"--self", "--srdf", "other.srdf"});
  EXPECT_EQ(pairs_of(other), 41) << other.out;  // both parts of the shoulder
  EXPECT_TRUE(
      contains(other.err, "other.srdf: names 1 link that r/arm.urdf does not have: \"tail\""))
      << other.err;
  scene.put("bad.srdf", "<robot name=\"arm\">\n<disable_collisions link1=\"hand\"/></robot>");
  const CommandResult bad = scene.check("r/free.csv", {"--self", "--srdf", "bad.srdf"});
  EXPECT_EQ(bad.status, 3);
  EXPECT_TRUE(contains(bad.err, "bad.srdf:2: <disable_collisions> has no link2")) << bad.err;
}

TEST(Robot, TheGripperHitsTheWristWhenItFoldsBack) {
  const RobotScene scene;
  // The tool, 0.14 to 0.21 m from the pitch axis, comes within 0.042 m of the wrist's axis at 2.9
  // rad; the wrist's radius and half of the gripper are 0.07 m.
  scene.put("fold.csv", "time,wrist_pitch,shoulder_lift\n0,0,0.1\n1,1.5,0.1\n2,2.9,0.1\n");
  const CommandResult folded = scene.check("fold.csv", {"--self", "--out", "-"});
  EXPECT_EQ(folded.status, 0) << folded.err;
  EXPECT_TRUE(contains(folded.err, "limits of joints; first fold.csv:4: wrist_pitch is at 2.9 rad"))
      << folded.err;
  bool found = false;
  for (const std::string& line : lines_of_type(folded.out, "contact")) {
    const Json contact = Json::parse(line);
    found = found || contact.contains("other");
  }
  EXPECT_TRUE(found) << folded.out;
}

TEST(Robot, SaysWhatIsWrong) {
  const RobotScene scene;
  struct Bad {
    Arguments arguments;
    int status;
    std::string message;
  };
  scene.put("plan.csv", "time,elbow\n0,0\n1,x\n");
  scene.put("still.csv", "time,elbow\n0,0\n1,0.5\n");
  scene.put(
      "lost.urdf",
      "<robot name=\"r\"><link name=\"a\"><collision><geometry>\n<mesh filename=\"lost.stl\"/>"
      "</geometry></collision></link></robot>");
  const std::string room = "r/cell.obj";
  const Bad bad[] = {
      {{"check", "plan.csv", "--avatar", "r/arm.urdf", "--env", room},
       3,
       "plan.csv:3: column 2 (elbow): expected a finite number"},
      {{"check", "still.csv", "--env", room}, 3, "still.csv: a .csv is a plan of a robot's joints"},
      {{"check", "still.csv", "--avatar", "humanoid16", "--env", room},
       3,
       "name the robot's .urdf"},
      {{"check", "still.csv", "--avatar", "no.urdf", "--env", room},
       3,
       "no.urdf: cannot be opened"},
      {{"check", "r/free.csv", "--avatar", "lost.urdf", "--env", room},
       3,
       "free.csv:1: column 2: "},
      {{"info", "lost.urdf"}, 3, "lost.urdf:1: link \"a\": mesh \"lost.stl\" is not found"},
      {{"check", "still.csv", "--avatar", "r/arm.urdf", "--env", room, "--srdf", "r/arm.srdf"},
       2,
       "--srdf: is about pairs of links"},
      {{"check", "still.csv", "--avatar", "r/arm.urdf", "--env", room, "--rate", "30"},
       2,
       "--rate"},
      {{"check", "still.csv", "--avatar", "r/arm.urdf", "--env", room, "--motion-unit", "cm"},
       2,
       "--motion-unit: a plan is in radians and metres"},
      {{"make-robot", "plan.csv"}, 4, "plan.csv: is no folder"},
  };
  for (const Bad& one : bad) {
    const CommandResult refused = run_tocsin(one.arguments, scene.path());
    EXPECT_EQ(refused.status, one.status) << refused.err << one.message;
    EXPECT_TRUE(contains(refused.err, one.message)) << refused.err << "\nwanted: " << one.message;
  }
}

TEST(Robot, InfoDescribesTheRobotAndItsPlan) {
  const RobotScene scene;
  const CommandResult robot = run_tocsin({"info", "r/arm.urdf"}, scene.path());
  EXPECT_EQ(robot.status, 0) << robot.err;
  EXPECT_TRUE(matches(robot.out, "shoulder.2 +shoulder +a shape")) << robot.out;
  const CommandResult plan =
      run_tocsin({"info", "r/free.csv", "--skeleton", "r/arm.urdf", "--tree"}, scene.path());
  EXPECT_EQ(plan.status, 0) << plan.err;
  EXPECT_TRUE(contains(plan.out, "left_finger")) << plan.out;
}

}  // namespace
}  // namespace tocsin::test::robot_test
