// Plans: what is refused, and what is counted and said.
#include "io/robot/plan.h"

#include <gtest/gtest.h>

#include <string>

#include "support/contains.h"

namespace tocsin::io::plan_test {
namespace {

using test::contains;

RobotLink link_on(const std::string& name, int parent, const std::string& joint,
                  RobotJointKind kind) {
  RobotLink out;
  out.name = name;
  out.parent = parent;
  out.joint.name = joint;
  out.joint.kind = kind;
  return out;
}

/// turn, slide and follows (twice turn, and 0.5), then a plate, a ship and a fixed foot.
Robot small_robot() {
  Robot out;
  out.file = "r.urdf";
  out.links = {link_on("base", -1, "", RobotJointKind::kFixed),
               link_on("arm", 0, "turn", RobotJointKind::kRevolute),
               link_on("rail", 1, "slide", RobotJointKind::kPrismatic),
               link_on("finger", 1, "follows", RobotJointKind::kRevolute),
               link_on("plate", 0, "plate", RobotJointKind::kPlanar),
               link_on("ship", 0, "ship", RobotJointKind::kFloating),
               link_on("foot", 0, "foot", RobotJointKind::kFixed)};
  out.links[1].joint.limits = {-1.0, 2.0};
  out.links[1].joint.velocity = 1.5;
  out.links[2].joint.limits = {0.0, 0.5};
  out.links[3].joint.mimic = RobotMimic{1, 2.0, 0.5};
  out.links[3].joint.limits = {-10.0, 3.5};
  return out;
}

std::string warnings_of(const std::string& text) {
  const auto motion = parse_plan(text, "p.csv", small_robot(), UpAxis::kY);
  EXPECT_TRUE(motion.ok()) << motion.error().message;
  std::string out;
  if (!motion.ok()) return out;
  for (const std::string& one : motion->source().warnings) out += one + '\n';
  return out;
}

TEST(Plan, ReadsTimesAndValues) {
  const auto motion =
      parse_plan("\xEF\xBB\xBFtime, turn ,slide\r\n\r\n5,+0.5,1e-1\r\n 5.25 ,-1,0\r\n", "p.csv",
                 small_robot(), UpAxis::kY);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->frame_count(), 2);
  EXPECT_EQ(motion->seconds(1), 0.25);  // from its first row
  EXPECT_EQ(motion->source().format, "plan");
  EXPECT_EQ(motion->source().skeleton_file, "r.urdf");
  EXPECT_EQ(motion->pose(0)[2].translation, (Vec3{0.1, 0.0, 0.0}));
}

TEST(Plan, NamesLineAndColumnOfEveryMistake) {
  struct Bad {
    std::string text;
    std::string message;
  };
  const std::string head = "time,turn,slide\n";
  const std::string ship =
      "ship/trans_x,ship/trans_y,ship/trans_z,ship/rot_x,ship/rot_y,ship/rot_z";
  const Bad bad[] = {
      {"", "p.csv: is empty"},
      {"\n\n", "p.csv: is empty"},
      {head, "p.csv: has no row"},
      {"time\n0\n", "p.csv:1: names no joint"},
      {"turn,slide\n0,0\n", "p.csv:1: expected the header time,JOINT,..., found \"turn,slide\""},
      {"time,turn,,slide\n", "p.csv:1: column 3: has no name"},
      {"\ntime,trun\n",
       "p.csv:2: column 2: r.urdf has no joint \"trun\"; it has turn, slide, plate/x"},
      {"time,slide,turn,slide\n", "p.csv:1: column 4: \"slide\" is column 2 already"},
      {"time,turn,follows\n", "p.csv:1: column 3: joint \"follows\" follows \"turn\""},
      {"time,foot\n", "p.csv:1: column 2: joint \"foot\" is fixed"},
      {"time,plate\n", "p.csv:1: column 2: joint \"plate\" has several values: plate/x"},
      {"time,plate/x,plate/y\n",
       "p.csv:1: column 2: \"plate/x\" is given and \"plate/theta\" is not"},
      {"time," + ship + "\n", "\"ship/rot_w\" is not"},
      {"time," + ship + ",ship/rot_w\n0,0,0,0,0,0,0,1.1\n", "p.csv:2: ship: rot_x, rot_y"},
      {"time," + ship + ",ship/rot_w\n0,0,0,0,0,0,0,0\n", "must have length 1, have 0"},
      {head + "0,0\n", "p.csv:2: has 2 values, the header has 3 columns"},
      {head + "0,0,0,0\n", "p.csv:2: has 4 values"},
      {head + "0,,0\n", "p.csv:2: column 2 (turn): is empty"},
      {head + "0,0, \n", "p.csv:2: column 3 (slide): is empty"},
      {head + ",0,0\n", "p.csv:2: column 1 (time): is empty"},
      {head + "0,0,x\n", "p.csv:2: column 3 (slide): expected a finite number, found \"x\""},
      {head + "0,nan,0\n", "p.csv:2: column 2 (turn): expected a finite number"},
      {head + "0,0,inf\n", "p.csv:2: column 3 (slide): expected a finite number"},
      {head + "0,1e999,0\n", "p.csv:2: column 2 (turn): expected a finite number"},
      {head + "0,2e6,0\n", "p.csv:2: turn: a value must be within 1e6"},
      {head + "0,6e5,0\n", "p.csv:2: follows: a value must be within 1e6"},
      {head + "2e6,0,0\n", "p.csv:2: a time must be within 1e6 s"},
      {head + "0,0,0\n\n0,0,0\n", "p.csv:4: times must increase: 0 comes after 0"},
      {head + "0,0,0\n-1,0,0\n", "p.csv:3: times must increase"},
      {head + "0,-1,0\n9,2.2,0\n", "p.csv:3: turn turns by 3.2 rad since the row before"},
      {head + "0,0,0\n9,1.6,0\n", "p.csv:3: follows turns by 3.2 rad"},  // a mimic, too
      {"time,plate/x,plate/y,plate/theta\n0,0,0,0\n1,0,0,-4\n",
       "p.csv:3: plate/theta turns by 4 rad"},
  };
  for (const Bad& one : bad) {
    const auto motion = parse_plan(one.text, "p.csv", small_robot(), UpAxis::kY);
    ASSERT_FALSE(motion.ok()) << one.text;
    EXPECT_EQ(motion.error().code, ErrorCode::kInput);
    EXPECT_TRUE(contains(motion.error().message, one.message))
        << one.text << "gives: " << motion.error().message;
  }
}

TEST(Plan, HalfATurnIsTooMuchAndALittleLessIsNot) {
  Robot robot = small_robot();
  robot.links[3].joint.mimic->multiplier = 0.5;
  const auto turning = [&](const char* value) {
    return parse_plan(std::string("time,turn\n0,0\n1,") + value + '\n', "p.csv", robot, UpAxis::kY);
  };
  EXPECT_TRUE(turning("3.14158").ok());
  EXPECT_FALSE(turning("3.141592").ok());
  EXPECT_FALSE(turning("-3.1415927").ok());
}

TEST(Plan, SaysWhichJointsStayAtZero) {
  const std::string all = warnings_of("time,slide\n0,0\n");
  EXPECT_TRUE(contains(all, "p.csv: 3 joints have no column and stay at 0: turn, plate, ship\n"))
      << all;
  const std::string one = warnings_of("time,turn,slide,plate/x,plate/y,plate/theta\n0,0,0,0,0,0\n");
  EXPECT_TRUE(contains(one, "p.csv: 1 joint has no column and stays at 0: ship\n")) << one;
  EXPECT_TRUE(contains(one, "r.urdf: 7 links have no collision geometry and touch nothing")) << one;
}

TEST(Plan, CountsWhatLeavesLimits) {
  const std::string said =
      warnings_of("time,turn,slide\n0,0,0\n1,1.4,0.6\n2,1.6,0.5\n2.1,1.8,-0.1\n");
  // slide twice; follows, which is 2 * 1.6 + 0.5 = 3.7 and 4.1, twice
  EXPECT_TRUE(contains(said,
                       "4 values are outside of the limits of joints; first p.csv:3: slide is "
                       "at 0.6 m, its limits are 0 and 0.5\n"))
      << said;
  // turn from 1.6 to 1.8 in a tenth of a second
  EXPECT_TRUE(contains(said,
                       "1 move is faster than the limits of joints; first p.csv:5: turn moves "
                       "at "))
      << said;
  const std::string fine = warnings_of("time,turn,slide\n0,2,0.5\n1,0.5,0\n");
  EXPECT_FALSE(contains(fine, "faster")) << fine;
  EXPECT_TRUE(contains(fine,
                       "1 value is outside of the limits of joints; first p.csv:2: follows is "
                       "at 4.5 rad"))
      << fine;
}

TEST(Plan, RowsFromMemoryAreCountedFromZero) {
  PlanTable table;
  table.names = {"turn"};
  table.times = {0.0, 1.0};
  table.values = {0.0, 4.0};
  const auto motion = plan_motion(small_robot(), table, UpAxis::kY);
  ASSERT_FALSE(motion.ok());
  EXPECT_TRUE(contains(motion.error().message, "row 1: turn turns by 4 rad"))
      << motion.error().message;
  table.values.pop_back();
  EXPECT_TRUE(contains(plan_motion(small_robot(), table, UpAxis::kY).error().message,
                       "has 1 values, not 2 rows of 1"));
}

}  // namespace
}  // namespace tocsin::io::plan_test
