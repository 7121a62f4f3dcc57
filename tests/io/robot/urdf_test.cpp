// What is read of a URDF, and what is refused.
#include "io/robot/urdf.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "support/contains.h"

namespace tocsin::io::urdf_test {
namespace {

using test::contains;

/// Two links, and whatever else; from line 2 on.
std::string robot_of(const std::string& more) {
  return "<robot name=\"r\">\n<link name=\"a\"/>\n<link name=\"b\"/>\n" + more + "</robot>\n";
}

std::string joint_of(const std::string& name, const std::string& parent, const std::string& child,
                     const std::string& more =
                         "<limit lower=\"-1\" upper=\"1\" effort=\"1\" "
                         "velocity=\"2\"/>") {
  return "<joint name=\"" + name + "\" type=\"revolute\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/>" + more + "</joint>\n";
}

const std::string kJoint = joint_of("j", "a", "b");

TEST(Urdf, ReadsLinksJointsAndCollisions) {
  const auto robot = parse_urdf(
      "\n<robot name=\"two\">\n"
      "<link name=\"z\"><visual><geometry><mesh filename=\"not "
      "there\"/></geometry></visual></link>\n"
      "<link name=\"a\">\n"
      "<collision><origin xyz=\"1 2 3\"/><geometry><box size=\"1 2 3\"/></geometry></collision>\n"
      "<collision><geometry><sphere radius=\".5\"/></geometry></collision>\n"
      "<collision><geometry><cylinder radius=\"2\" length=\"4\"/></geometry></collision>\n"
      "<collision><geometry><mesh filename=\"m.stl\" scale=\"1 -2 3\"/></geometry></collision>\n"
      "</link>\n"
      "<joint name=\"j\" type=\"prismatic\"><parent link=\"z\"/><child link=\"a\"/>"
      "<axis xyz=\"0 3 4\"/><limit lower=\"-1\" upper=\"2.5\" effort=\"1\" "
      "velocity=\"0.5\"/></joint>\n"
      "<transmission name=\"t\"><joint name=\"j\"/></transmission>\n"
      "</robot>",
      "two.urdf");
  ASSERT_TRUE(robot.ok()) << robot.error().message;
  EXPECT_EQ(robot->name, "two");
  ASSERT_EQ(robot->links.size(), 2U);
  EXPECT_EQ(robot->links[0].name, "z");
  EXPECT_TRUE(robot->links[0].collisions.empty());
  const RobotLink& a = robot->links[1];
  EXPECT_EQ(a.parent, 0);
  EXPECT_EQ(a.joint.kind, RobotJointKind::kPrismatic);
  EXPECT_EQ(a.joint.axis, (Vec3{0.0, 0.6, 0.8}));
  EXPECT_EQ(a.joint.limits, (std::array<double, 2>{-1.0, 2.5}));
  EXPECT_EQ(a.joint.velocity, 0.5);
  ASSERT_EQ(a.collisions.size(), 4U);
  EXPECT_EQ(a.collisions[0].size, (Vec3{1, 2, 3}));
  EXPECT_EQ(a.collisions[0].origin.translation, (Vec3{1, 2, 3}));
  EXPECT_EQ(a.collisions[0].line, 5);
  EXPECT_EQ(a.collisions[1].kind, RobotGeometry::kSphere);
  EXPECT_EQ(a.collisions[1].size.x, 0.5);
  EXPECT_EQ(a.collisions[2].kind, RobotGeometry::kCylinder);
  EXPECT_EQ(a.collisions[2].size, (Vec3{2, 4, 0}));
  EXPECT_EQ(a.collisions[3].mesh, "m.stl");
  EXPECT_EQ(a.collisions[3].size, (Vec3{1, -2, 3}));
}

TEST(Urdf, OrdersLinksAsTheFileHasThemParentsFirst) {
  const auto robot = parse_urdf(
      "<robot name=\"r\"><link name=\"c\"/><link name=\"b\"/><link name=\"d\"/><link name=\"a\"/>" +
          joint_of("j1", "a", "d") + joint_of("j2", "a", "b") + joint_of("j3", "b", "c") +
          "</robot>",
      "r.urdf");
  ASSERT_TRUE(robot.ok()) << robot.error().message;
  std::vector<std::string> names;
  for (const RobotLink& link : robot->links) names.push_back(link.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_EQ(robot->links[2].parent, 1);
  EXPECT_EQ(robot->links[3].parent, 0);
}

TEST(Urdf, SaysWhatIsWrongAndWhere) {
  struct Bad {
    std::string text;
    std::string message;
  };
  const std::string origin = "<origin xyz=\"0 0 0\" rpy=\"0 1\"/>";
  const std::string limit = "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"2\"/>";
  const Bad bad[] = {
      {"", "r.urdf: has no element"},
      {"<sdf/>", "r.urdf:1: expected one element <robot>, found <sdf>"},
      {"<robot name=\"r\">\n<link name=\"a\">\n", "r.urdf:3: ends inside of <link>"},
      {"<robot name=\"r\">\n</link></robot>", "r.urdf:2: </link> closes nothing"},
      {robot_of("<xacro:property name=\"x\" value=\"1\"/>"), "r.urdf:4: is a xacro file"},
      {robot_of(kJoint + "<link name=\"a\"/>"), "r.urdf:5: link \"a\" is in line 2 already"},
      {robot_of(kJoint + kJoint), "r.urdf:5: joint \"j\" is in line 4 already"},
      {robot_of("<link/>"), "r.urdf:4: <link> has no name"},
      {robot_of("<link name=\"x:y\"/>"), "':'"},
      {robot_of(""), "Two root links found: [a] and [b]"},
      {robot_of(joint_of("j", "a", "c")),
       "r.urdf:4: Failed to build tree: child link [c] of joint [j] not found"},
      {robot_of(joint_of("j", "a", "b", "")), "r.urdf:4: "},  // a revolute joint without limits
      {robot_of(joint_of("j", "a", "b", limit + "<axis xyz=\"0 0 0\"/>")),
       "r.urdf:4: joint \"j\": its axis has no length"},
      {robot_of(joint_of("j", "a", "b", limit + "<axis xyz=\"0 0 nan\"/>")), "r.urdf"},
      {robot_of(joint_of("j", "a", "b", limit + origin)), "r.urdf"},
      {robot_of(joint_of("j", "a", "b", limit + "<origin xyz=\"2e6 0 0\"/>")),
       "r.urdf:4: has the number 2000000; all must be within 1e6"},
      {robot_of(joint_of("j", "a", "b", limit + "<mimic joint=\"k\"/>")),
       "r.urdf:4: joint \"j\" mimics \"k\", which is no joint of the robot"},
      {robot_of(joint_of("j", "a", "b", limit + "<mimic joint=\"j\"/>")),
       "r.urdf:4: joint \"j\" mimics itself in the end"},
      {robot_of("<link name=\"c\"/>" + kJoint + joint_of("k", "b", "c") + joint_of("l", "a", "c")),
       "link \"c\" has two joints above it, \"k\" and \"l\""},
      {robot_of("<link name=\"c\"/>\n<link name=\"d\"/>\n" + kJoint + joint_of("k", "c", "d") +
                joint_of("l", "d", "c")),
       "r.urdf:4: link \"c\" hangs on a loop of joints"},
      {robot_of("<link name=\"c\"><collision><geometry><capsule/></geometry></collision></link>" +
                kJoint + joint_of("k", "b", "c")),
       "r.urdf"},
      {robot_of("<link name=\"c\"><collision><geometry><box size=\"1 2\"/></geometry></collision>"
                "</link>" +
                kJoint + joint_of("k", "b", "c")),
       "r.urdf"},
      {robot_of(
           "<link name=\"c\"><collision>\n<geometry><sphere radius=\"1\"/>\n<box size=\"1 1 1\"/>"
           "</geometry></collision></link>" +
           kJoint + joint_of("k", "b", "c")),
       "r.urdf:6: a second shape in one collision element"},
      {std::string("<robot name=\"r\">\0</robot>", 26),
       "r.urdf: has a character with the number 0"},
  };
  testing::internal::CaptureStderr();
  for (const Bad& one : bad) {
    const auto robot = parse_urdf(one.text, "r.urdf");
    ASSERT_FALSE(robot.ok()) << one.text;
    EXPECT_EQ(robot.error().code, ErrorCode::kInput);
    EXPECT_TRUE(contains(robot.error().message, one.message))
        << one.text << "\ngives: " << robot.error().message;
    EXPECT_TRUE(robot.error().message.starts_with("r.urdf")) << robot.error().message;
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "a library wrote to standard error";
}

TEST(Urdf, RefusesWhatIsNestedOrLongBeyondReason) {
  std::string deep = "<robot name=\"r\">";
  for (int i = 0; i < 100'000; ++i) deep += "<x>";
  EXPECT_TRUE(contains(parse_urdf(deep, "r.urdf").error().message, "nested more than"));
  std::string many = "<robot name=\"r\">";
  for (int i = 0; i < 5000; ++i) many += "<link name=\"l" + std::to_string(i) + "\"/>";
  EXPECT_TRUE(
      contains(parse_urdf(many + "</robot>", "r.urdf").error().message, "more than 4096 links"));
}

TEST(Urdf, ALongChainIsReadAndEnds) {
  std::string text = "<robot name=\"r\"><link name=\"l0\"/>";
  for (int i = 1; i < 4000; ++i) {
    const std::string link = "l" + std::to_string(i);
    text += "<link name=\"" + link + "\"/>" +
            joint_of("j" + std::to_string(i), "l" + std::to_string(i - 1), link);
  }
  const auto robot = parse_urdf(text + "</robot>", "r.urdf");
  ASSERT_TRUE(robot.ok()) << robot.error().message;
  EXPECT_EQ(robot->links.size(), 4000U);
}

TEST(Urdf, ManyThreadsMayRead) {
  const std::string good = robot_of(kJoint);
  const std::string bad = robot_of("");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int& count : wrong) {
    threads.emplace_back([&] {
      for (int i = 0; i < 25; ++i) {
        if (!parse_urdf(good, "g.urdf").ok()) ++count;
        const auto refused = parse_urdf(bad, "b.urdf");
        if (refused.ok() || !contains(refused.error().message, "Two root links")) ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::vector<int>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace tocsin::io::urdf_test
