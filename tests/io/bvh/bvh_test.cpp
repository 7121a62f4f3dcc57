// What a BVH file means, on small files. Expected rotations are products of Eigen's AngleAxis.
#include "io/bvh/bvh.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <string>
#include <vector>

namespace tocsin::io::bvh_test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

const Vector3d kX = Vector3d::UnitX();
const Vector3d kY = Vector3d::UnitY();
const Vector3d kZ = Vector3d::UnitZ();

AngleAxisd turn(double degrees, const Vector3d& axis) {
  return AngleAxisd(degrees * 3.14159265358979323846 / 180.0, axis);
}

void expect_rotation(const Quat& got, const Quaterniond& want) {
  const double sign = got.w * want.w() + got.x * want.x() + got.y * want.y() + got.z * want.z();
  EXPECT_NEAR(std::fabs(sign), 1.0, 1e-15);
  const Quaterniond q(got.w, got.x, got.y, got.z);
  EXPECT_LT((q.toRotationMatrix() - want.toRotationMatrix()).norm(), 2e-15);
}

void expect_near(const Vec3& got, const Vector3d& want) {
  EXPECT_LT((Vector3d(got.x, got.y, got.z) - want).norm(), 1e-14)
      << got.x << ' ' << got.y << ' ' << got.z;
}

Result<Motion> parse(const std::string& text, std::optional<double> unit = 1.0,
                     UpAxis up = UpAxis::kY) {
  return parse_bvh(text, "take.bvh", {unit, up});
}

/// One joint with an offset, some channels, and frame lines.
std::string one_joint(const std::string& channels, const std::string& frames, int count = 1) {
  return fmt::format(
      "HIERARCHY\nROOT r\n{{\nOFFSET 1 2 3\nCHANNELS {}\n}}\nMOTION\nFrames: {}\nFrame Time: "
      "0.1\n{}",
      channels, count, frames);
}

constexpr const char* kPerson = R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Spine
  {
    OFFSET 0 55 1
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 20 0
    }
    End Site
    {
      OFFSET 10 0 0
    }
  }
  JOINT Leg
  {
    OFFSET 9 0 0
    CHANNELS 3 Xrotation Yrotation Zrotation
    End Site
    {
      OFFSET 0 -85 0
    }
  }
}
MOTION
Frames: 2
Frame Time: .0083333
0 90 0 10 -20 30 1 2 3 4 5 6
1 91 -1 370 -100 .5 -0 0 +7 40 180 90
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

void expect_same(const Motion& a, const Motion& b) {
  ASSERT_EQ(a.skeleton().size(), b.skeleton().size());
  ASSERT_EQ(a.frame_count(), b.frame_count());
  EXPECT_EQ(a.frame_time(), b.frame_time());
  for (int j = 0; j < a.skeleton().size(); ++j) {
    const auto i = static_cast<std::size_t>(j);
    EXPECT_EQ(a.skeleton().joints()[i].name, b.skeleton().joints()[i].name);
    EXPECT_EQ(a.skeleton().joints()[i].rest, b.skeleton().joints()[i].rest);
  }
  for (std::int64_t f = 0; f < a.frame_count(); ++f) {
    for (std::size_t j = 0; j < a.pose(f).size(); ++j) EXPECT_EQ(a.pose(f)[j], b.pose(f)[j]);
  }
}

TEST(Bvh, ReadsTheTree) {
  const Result<Motion> motion = parse(kPerson, {});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  const auto joints = motion->skeleton().joints();
  const std::vector<std::string> names{"Hips",       "Spine", "Spine_end",
                                       "Spine_end2", "Leg",   "Leg_end"};
  const std::vector<int> parents{-1, 0, 1, 1, 0, 4};
  ASSERT_EQ(joints.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(joints[i].name, names[i]);
    EXPECT_EQ(joints[i].parent, parents[i]);
    EXPECT_EQ(joints[i].rest.rotation, Quat{});
  }
  EXPECT_EQ(joints[1].rest.translation, (Vec3{0, 0.01 * 55, 0.01}));
  EXPECT_EQ(motion->frame_count(), 2);
  EXPECT_EQ(motion->frame_time(), 0.0083333);
  EXPECT_EQ(motion->source().file, "take.bvh");
  EXPECT_EQ(motion->source().format, "bvh");
  EXPECT_EQ(motion->source().unit_metres, 0.01);
  EXPECT_EQ(motion->source().unit_reason, "rest height 1.60 m in cm");
  EXPECT_TRUE(motion->source().warnings.empty());
}

TEST(Bvh, ChannelsMultiplyFromLeftToRight) {
  const Result<Motion> motion = parse(kPerson);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  const auto pose = motion->pose(1);
  expect_rotation(pose[0].rotation, turn(10, kZ) * turn(-100, kY) * turn(0.5, kX));
  expect_rotation(pose[1].rotation, Quaterniond(turn(7, kY)));
  expect_rotation(pose[4].rotation, turn(40, kX) * turn(180, kY) * turn(90, kZ));
  expect_rotation(motion->pose(0)[1].rotation, turn(1, kZ) * turn(2, kX) * turn(3, kY));
  EXPECT_EQ(pose[0].translation, (Vec3{1, 91, -1}));
  EXPECT_EQ(pose[1].translation, (Vec3{0, 55, 1}));
  EXPECT_EQ(pose[2], (Transform{{}, {0, 20, 0}}));
}

TEST(Bvh, EveryOrderOfRotations) {
  const std::string axes = "XYZ";
  const Vector3d units[] = {kX, kY, kZ};
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      for (std::size_t c = 0; c < 3; ++c) {  // repeated axes as well
        const Result<Motion> motion = parse(
            one_joint(fmt::format("3 {}rotation {}rotation {}rotation", axes[a], axes[b], axes[c]),
                      "-35 72.5 140\n"));
        ASSERT_TRUE(motion.ok()) << motion.error().message;
        expect_rotation(motion->pose(0)[0].rotation,
                        turn(-35, units[a]) * turn(72.5, units[b]) * turn(140, units[c]));
      }
    }
  }
}

TEST(Bvh, AnySubsetOfRotations) {
  expect_rotation(parse(one_joint("1 Yrotation", "200"))->pose(0)[0].rotation,
                  Quaterniond(turn(200, kY)));
  expect_rotation(parse(one_joint("2 Zrotation Xrotation", "20 30"))->pose(0)[0].rotation,
                  turn(20, kZ) * turn(30, kX));
  expect_rotation(
      parse(one_joint("5 Xrotation Xrotation Yrotation Zrotation Xrotation", "1 2 3 4 5"))
          ->pose(0)[0]
          .rotation,
      turn(3, kX) * turn(3, kY) * turn(4, kZ) * turn(5, kX));
}

TEST(Bvh, QuarterTurnsAreExact) {
  const auto rotation = [](const char* degrees) {
    return parse(one_joint("1 Zrotation", degrees))->pose(0)[0].rotation;
  };
  EXPECT_EQ(rotation("180"), (Quat{0, 0, 0, 1}));
  EXPECT_EQ(rotation("-180"), (Quat{0, 0, 0, -1}));
  EXPECT_EQ(rotation("360"), (Quat{-1, 0, 0, 0}));
  EXPECT_EQ(rotation("720"), (Quat{1, 0, 0, 0}));
  EXPECT_EQ(rotation("0"), Quat{});
}

TEST(Bvh, PositionsReplaceTheOffsetAxisByAxis) {
  const auto translation = [](const char* channels, const char* line) {
    return parse(one_joint(channels, line))->pose(0)[0].translation;
  };
  EXPECT_EQ(translation("1 Yposition", "7"), (Vec3{1, 7, 3}));
  EXPECT_EQ(translation("2 Zposition Xposition", "7 8"), (Vec3{8, 2, 7}));
  EXPECT_EQ(translation("3 Xposition Yposition Zposition", "0 0 0"), (Vec3{0, 0, 0}));
}

TEST(Bvh, PositionsStandAnywhereAmongRotations) {
  const Result<Motion> mixed = parse(
      one_joint("6 Zrotation Yposition Xrotation Xposition Zposition Yrotation", "10 5 20 4 6 30"));
  ASSERT_TRUE(mixed.ok()) << mixed.error().message;
  EXPECT_EQ(mixed->pose(0)[0].translation, (Vec3{4, 5, 6}));
  expect_rotation(mixed->pose(0)[0].rotation, turn(10, kZ) * turn(20, kX) * turn(30, kY));
}

TEST(Bvh, PositionsOfInnerJoints) {
  const Result<Motion> motion = parse(
      "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT j\n{\nOFFSET 1 2 3\n"
      "CHANNELS 4 Yposition Zrotation Xposition Zposition\n}\n}\nMOTION\nFrames: 1\nFrame Time: "
      "1\n4 90 5 6\n");
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->pose(0)[1].translation, (Vec3{5, 4, 6}));
}

TEST(Bvh, ZeroLengthJointsStay) {
  const Result<Motion> motion = parse(replaced(kPerson, "OFFSET 0 55 1", "OFFSET 0 0 0"));
  ASSERT_TRUE(motion.ok());
  EXPECT_EQ(motion->skeleton().joints()[1].rest.translation, Vec3{});
  EXPECT_EQ(motion->pose(1)[1].translation, Vec3{});
  expect_rotation(motion->pose(1)[1].rotation, Quaterniond(turn(7, kY)));
}

TEST(Bvh, SeveralRoots) {
  const Result<Motion> motion = parse(
      "HIERARCHY\nROOT a\n{\nOFFSET 0 1 0\nCHANNELS 1 Xposition\n}\nROOT b\n{\nOFFSET 0 2 "
      "0\nCHANNELS 1 "
      "Zposition\n}\nMOTION\nFrames: 1\nFrame Time: 1\n7 8\n");
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->skeleton().joints()[1].parent, -1);
  EXPECT_EQ(motion->pose(0)[0].translation, (Vec3{7, 1, 0}));
  EXPECT_EQ(motion->pose(0)[1].translation, (Vec3{0, 2, 8}));
}

TEST(Bvh, LayoutDoesNotMatter) {
  const Result<Motion> plain = parse(kPerson);
  const std::string text = kPerson;
  for (const std::string& same : {
           replaced(text, "\n", "\r\n"),
           replaced(text, "\n", "\r"),
           replaced(text, " ", "\t"),
           "\xef\xbb\xbf" + text,
           "\n \n" + replaced(text, "\n", " \n\n"),
           replaced(text, "\n{", " {"),
           replaced(replaced(text, "rotation", "ROTATION"), "CHANNELS", "Channels"),
           replaced(replaced(text, "HIERARCHY", "hierarchy"), "Xposition", "xposition"),
           replaced(text, "Frames: 2", "FRAMES:2"),
           replaced(text, "Frame Time: .0083333", "Frame Time:+8.3333e-003"),
           text.substr(0, text.size() - 1),
       }) {
    const Result<Motion> motion = parse(same);
    ASSERT_TRUE(motion.ok()) << motion.error().message << '\n' << same;
    expect_same(*motion, *plain);
    EXPECT_TRUE(motion->source().warnings.empty());
  }
}

TEST(Bvh, TheHierarchyMayStandOnOneLine) {
  std::string text = kPerson;
  const std::size_t motion = text.find("MOTION");
  for (std::size_t i = 0; i < motion; ++i) {
    if (text[i] == '\n') text[i] = ' ';
  }
  const Result<Motion> one_line = parse(text);
  ASSERT_TRUE(one_line.ok()) << one_line.error().message;
  expect_same(*one_line, *parse(kPerson));
}

TEST(Bvh, NamesMayHaveBlanks) {
  const Result<Motion> motion = parse(replaced(kPerson, "JOINT Spine", "JOINT  Bip01 L Spine\t"));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->skeleton().joints()[1].name, "Bip01 L Spine");
  EXPECT_EQ(motion->skeleton().joints()[3].name, "Bip01 L Spine_end2");
}

TEST(Bvh, NamesThatAreNotUtf8AreMadeSo) {
  const Result<Motion> motion = parse(replaced(kPerson, "JOINT Spine",
                                               "JOINT R\xfc"
                                               "cken"));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->skeleton().joints()[1].name,
            "R\xc3\xbc"
            "cken");
  ASSERT_EQ(motion->source().warnings.size(), 1U);
  EXPECT_EQ(motion->source().warnings[0],
            "take.bvh:6: 1 joint names are not UTF-8 text, the first is \"R\\xfccken\"");
}

TEST(Bvh, RepeatedNamesAreWarnedAbout) {
  const Result<Motion> motion = parse(replaced(kPerson, "JOINT Leg", "JOINT Spine"));
  ASSERT_TRUE(motion.ok());
  ASSERT_EQ(motion->source().warnings.size(), 1U);
  EXPECT_EQ(motion->source().warnings[0],
            "take.bvh:29: 2 joint names come more than once, the first is \"Spine\"; a name means "
            "the first "
            "joint that bears it");
}

TEST(Bvh, AnotherNumberOfFramesThanAnnouncedIsWarnedAbout) {
  const char* const lines = "1\n2\n3\n";
  const Result<Motion> fewer = parse(one_joint("1 Xposition", lines, 5));
  ASSERT_TRUE(fewer.ok());
  EXPECT_EQ(fewer->frame_count(), 3);
  EXPECT_EQ(fewer->source().warnings,
            std::vector<std::string>{"take.bvh:8: 5 frames announced, 3 read"});

  const Result<Motion> more = parse(one_joint("1 Xposition", lines, 0));
  ASSERT_TRUE(more.ok());
  EXPECT_EQ(more->frame_count(), 3);
  EXPECT_EQ(more->pose(2)[0].translation.x, 3.0);
  EXPECT_EQ(more->source().warnings,
            std::vector<std::string>{"take.bvh:8: 0 frames announced, 3 read"});
}

TEST(Bvh, TheUnitScalesLengthsOnce) {
  const double cmu = 0.0254 / 0.45;
  const Result<Motion> motion = parse(kPerson, cmu);
  ASSERT_TRUE(motion.ok());
  EXPECT_EQ(motion->source().unit_reason, "as told");
  EXPECT_EQ(motion->pose(1)[0].translation, (Vec3{1 * cmu, 91 * cmu, -1 * cmu}));
  EXPECT_EQ(motion->pose(1)[5].translation, (Vec3{0, -85 * cmu, 0}));
  EXPECT_EQ(motion->skeleton().joints()[1].rest.translation, (Vec3{0, 55 * cmu, cmu}));
}

TEST(Bvh, WithoutAFittingUnitThePersonIsAsked) {
  const Result<Motion> motion = parse(one_joint("1 Xposition", "1"), {});
  ASSERT_FALSE(motion.ok());
  EXPECT_EQ(motion.error().code, ErrorCode::kInput);
  EXPECT_EQ(motion.error().message.rfind(
                "take.bvh: cannot tell the unit of length: the rest skeleton is 0 "
                "units high",
                0),
            0U)
      << motion.error().message;
}

/// World position of the last joint of a chain in a pose.
Vector3d end_of_chain(std::span<const Transform> pose) {
  Eigen::Isometry3d world = Eigen::Isometry3d::Identity();
  for (const Transform& t : pose) {
    const Quaterniond q(t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z);
    world = world * Eigen::Translation3d(t.translation.x, t.translation.y, t.translation.z) * q;
  }
  return world.translation();
}

TEST(Bvh, TurnsTheUpAxisAtTheRoot) {
  const std::string chain =
      "HIERARCHY\nROOT r\n{\nOFFSET 1 2 3\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
      "Xrotation "
      "Yrotation\nJOINT j\n{\nOFFSET 4 5 60\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd "
      "Site\n{\n"
      "OFFSET 7 8 90\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n10 20 30 40 50 60 70 80 90\n";
  const Result<Motion> as_is = parse(chain, 0.01);
  const Result<Motion> z_up = parse(chain, {}, UpAxis::kZ);
  const Result<Motion> x_up = parse(chain, 0.01, UpAxis::kX);
  ASSERT_TRUE(z_up.ok()) << z_up.error().message;
  EXPECT_EQ(z_up->source().unit_reason, "rest height 1.50 m in cm");  // 60 + 90 along z

  EXPECT_EQ(z_up->pose(0)[0].translation, (Vec3{0.01 * 10, 0.01 * 30, -(0.01 * 20)}));
  EXPECT_EQ(x_up->pose(0)[0].translation, (Vec3{-(0.01 * 20), 0.01 * 10, 0.01 * 30}));
  for (std::size_t j = 1; j < 3; ++j) {
    EXPECT_EQ(z_up->pose(0)[j], as_is->pose(0)[j]);
    EXPECT_EQ(x_up->pose(0)[j], as_is->pose(0)[j]);
  }

  const auto z_turned = [](const Vector3d& p) { return Vector3d(p.x(), p.z(), -p.y()); };
  const auto x_turned = [](const Vector3d& p) { return Vector3d(-p.y(), p.x(), p.z()); };
  const Vector3d end = end_of_chain(as_is->pose(0));
  EXPECT_LT((end_of_chain(z_up->pose(0)) - z_turned(end)).norm(), 1e-15);
  EXPECT_LT((end_of_chain(x_up->pose(0)) - x_turned(end)).norm(), 1e-15);

  const Vector3d rest(0.01 * (1 + 4 + 7), 0.01 * (2 + 5 + 8), 0.01 * (3 + 60 + 90));
  expect_near(z_up->skeleton().rest_positions()[2], z_turned(rest));
  expect_near(x_up->skeleton().rest_positions()[2], x_turned(rest));
}

}  // namespace
}  // namespace tocsin::io::bvh_test
