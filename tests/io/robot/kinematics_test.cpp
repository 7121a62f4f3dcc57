// Poses of plans against a second kinematics, at rows and between them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "io/robot/made_robot.h"
#include "io/robot/plan.h"
#include "io/robot/urdf.h"

namespace tocsin::io::kinematics_test {
namespace {

using test::LongFrame;
using test::LongReal;
using test::MadeTree;
using Values = std::map<std::string, LongReal>;

LongFrame frame_of(const Transform& t) {
  const LongReal w = t.rotation.w;
  const LongReal x = t.rotation.x;
  const LongReal y = t.rotation.y;
  const LongReal z = t.rotation.z;
  LongFrame out;
  out.m = {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), t.translation.x},
            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), t.translation.y},
            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), t.translation.z}}};
  return out;
}

/// Where the pose of a skeleton puts a joint.
LongFrame world_of(const Skeleton& skeleton, std::span<const Transform> pose, int joint) {
  const LongFrame own = frame_of(pose[static_cast<std::size_t>(joint)]);
  const int parent = skeleton.joints()[static_cast<std::size_t>(joint)].parent;
  return parent < 0 ? own : world_of(skeleton, pose, parent) * own;
}

LongReal difference(const LongFrame& a, const LongFrame& b) {
  LongReal out = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) out = std::max(out, std::fabs(a.m[i][j] - b.m[i][j]));
  }
  return out;
}

/// A plan's columns, and what the oracle knows of one row.
struct Row {
  std::string text;
  Values values;
};

Row random_row(const MadeTree& tree, std::mt19937_64& source, double time, const Values& before) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Row out{fmt::format("{}", time), {}};
  const auto add = [&](const std::string& name, double value) {
    out.text += fmt::format(",{}", value);
    out.values[name] = value;
  };
  for (std::size_t i = 0; i < tree.joints.size(); ++i) {
    const auto& joint = tree.joints[i];
    const std::string name = fmt::format("joint{}", i);
    const auto last = before.find(name);
    const double from = last == before.end() ? 0.0 : static_cast<double>(last->second);
    if (joint.mimics >= 0 || joint.type == "fixed") continue;
    if (joint.type == "planar") {
      for (const char* part : {"/x", "/y", "/theta"}) add(name + part, number(source));
    } else if (joint.type == "floating") {
      for (const char* part : {"/trans_x", "/trans_y", "/trans_z"})
        add(name + part, number(source));
      double q[4];
      double length = 0.0;
      for (double& part : q) {
        part = number(source);
        length += part * part;
      }
      const char* const parts[4] = {"/rot_x", "/rot_y", "/rot_z", "/rot_w"};
      for (int k = 0; k < 4; ++k) add(name + parts[k], q[k] / std::sqrt(length));
    } else {
      add(name, from + 3.1 * number(source));  // almost half a turn
    }
  }
  return out;
}

std::string header_of(const MadeTree& tree) {
  std::string out = "time";
  for (std::size_t i = 0; i < tree.joints.size(); ++i) {
    const auto& joint = tree.joints[i];
    if (joint.mimics >= 0 || joint.type == "fixed") continue;
    RobotJoint named;
    named.name = fmt::format("joint{}", i);
    named.kind = joint.type == "planar"     ? RobotJointKind::kPlanar
                 : joint.type == "floating" ? RobotJointKind::kFloating
                                            : RobotJointKind::kRevolute;
    for (const std::string& name : value_names(named)) out += ',' + name;
  }
  return out + '\n';
}

TEST(RobotKinematics, PosesAreThoseOfASecondKinematics) {
  std::mt19937_64 source(20261126);
  std::map<std::string, int> seen;
  for (int round = 0; round < 60; ++round) {
    const MadeTree tree = MadeTree::random(source, 2 + round % 12);
    const auto robot = parse_urdf(tree.urdf(), "made.urdf");
    ASSERT_TRUE(robot.ok()) << robot.error().message;
    std::vector<Values> rows;
    std::string text = header_of(tree);
    if (text == "time\n") continue;
    for (int row = 0; row < 4; ++row) {
      const Row one = random_row(tree, source, 0.5 * row, rows.empty() ? Values{} : rows.back());
      text += one.text + '\n';
      rows.push_back(one.values);
    }
    const auto motion = parse_plan(text, "plan.csv", *robot, UpAxis::kY);
    ASSERT_TRUE(motion.ok()) << motion.error().message << '\n' << text;
    ASSERT_EQ(motion->frame_count(), 4);
    ASSERT_EQ(motion->skeleton().size(), static_cast<int>(tree.joints.size()) + 1);
    for (const auto& joint : tree.joints) ++seen[joint.mimics >= 0 ? "mimic" : joint.type];
    for (int row = 0; row < 4; ++row) {
      for (int link = 0; link <= static_cast<int>(tree.joints.size()); ++link) {
        const int joint = motion->skeleton().find(fmt::format("link{}", link));
        ASSERT_GE(joint, 0);
        EXPECT_LT(difference(world_of(motion->skeleton(), motion->pose(row), joint),
                             tree.link_frame(link, rows[static_cast<std::size_t>(row)])),
                  1e-12L);
      }
    }
  }
  for (const char* const kind :
       {"revolute", "continuous", "prismatic", "fixed", "planar", "floating", "mimic"}) {
    EXPECT_GE(seen[kind], 20) << kind;
  }
}

// What is proved is proved about this motion: each joint's value goes straight from row to row, and
// with it the angle, also where that is almost half a turn.
TEST(RobotKinematics, BetweenRowsEveryValueGoesStraight) {
  std::mt19937_64 source(7);
  double largest = 0.0;
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    MadeTree tree = MadeTree::random(source, 6);
    for (auto& joint : tree.joints) {
      if (joint.type == "planar" || joint.type == "floating") joint.type = "revolute";
    }
    const auto robot = parse_urdf(tree.urdf(), "made.urdf");
    ASSERT_TRUE(robot.ok()) << robot.error().message;
    const Row first = random_row(tree, source, 0.0, {});
    const Row second = random_row(tree, source, 0.5, first.values);
    const std::string text = header_of(tree) + first.text + '\n' + second.text + '\n';
    if (first.values.empty()) continue;
    const auto motion = parse_plan(text, "plan.csv", *robot, UpAxis::kY);
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
      for (const double t : {0.25, 0.5, 0.9}) {
        Values values;
        for (const auto& [name, value] : first.values) {
          const LongReal turn = second.values.at(name) - value;
          largest = std::max(largest, std::fabs(static_cast<double>(turn)));
          values[name] = value + static_cast<LongReal>(t) * turn;
        }
        const auto pose = pose_between(motion->pose(0), motion->pose(1), kind, t);
        for (int link = 0; link <= 6; ++link) {
          const int joint = motion->skeleton().find(fmt::format("link{}", link));
          // Near half a turn the axis of the rounded quaternions is known to some 1e-14.
          EXPECT_LT(
              difference(world_of(motion->skeleton(), pose, joint), tree.link_frame(link, values)),
              1e-11L);
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(largest, 3.05);
  EXPECT_GT(compared, 2000);
}

TEST(RobotKinematics, TurnsTheRootForAnotherUpAxis) {
  const auto robot = parse_urdf(
      "<robot name=\"r\"><link name=\"a\"/><link name=\"b\"/><joint name=\"j\" type=\"prismatic\">"
      "<parent link=\"a\"/><child link=\"b\"/><axis xyz=\"0 0 1\"/>"
      "<limit lower=\"0\" upper=\"9\" effort=\"1\" velocity=\"9\"/></joint></robot>",
      "r.urdf");
  ASSERT_TRUE(robot.ok()) << robot.error().message;
  const auto motion = parse_plan("time,j\n0,0\n1,2\n", "p.csv", *robot, UpAxis::kZ);
  ASSERT_TRUE(motion.ok());
  const LongFrame tip = world_of(motion->skeleton(), motion->pose(1), 1);
  EXPECT_NEAR(static_cast<double>(tip.m[1][3]), 2.0, 1e-15);  // up is y
  EXPECT_NEAR(static_cast<double>(tip.m[2][3]), 0.0, 1e-15);
}

}  // namespace
}  // namespace tocsin::io::kinematics_test
