// What an ASF and an AMC file mean, on small files. Expected values are worked out by hand, or are
// products of Eigen's AngleAxis.
#include "io/acclaim/amc.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "amc_files.h"
#include "support/scenes/world_frames.h"

namespace tocsin::io::amc_test {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using test::changed;
using test::kSmallAmc;
using test::kSmallAsf;
using test::parse;
using test::replaced;

constexpr double kRadian = 3.14159265358979323846 / 180.0;

Matrix3d about(char axis, double degrees) {
  return AngleAxisd(degrees * kRadian, Vector3d::Unit(axis - 'x')).toRotationMatrix();
}

/// The first letter's rotation is applied first; angles by axis.
Matrix3d in_order(const std::string& axes, const Vector3d& degrees) {
  Matrix3d out = Matrix3d::Identity();
  for (const char axis : axes) out = about(axis, degrees[axis - 'x']) * out;
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(c - 'a' + 'A');
  return text;
}

void expect_rotation(const Quat& got, const Matrix3d& want) {
  const Eigen::Quaterniond q(got.w, got.x, got.y, got.z);
  EXPECT_LT((q.toRotationMatrix() - want).norm(), 3e-15) << q.toRotationMatrix() << "\n\n" << want;
}

void expect_near(const Vec3& got, const Vector3d& want) {
  EXPECT_LT((Vector3d(got.x, got.y, got.z) - want).norm(), 1e-14)
      << got.x << ' ' << got.y << ' ' << got.z;
}

Transform pose(const Motion& motion, const std::string& joint, std::int64_t frame = 0) {
  return motion.pose(frame)[static_cast<std::size_t>(motion.skeleton().find(joint))];
}

Vector3d place(const Motion& motion, const std::string& joint, std::int64_t frame = 0) {
  return test::world_positions(motion,
                               frame)[static_cast<std::size_t>(motion.skeleton().find(joint))];
}

void expect_same(const Motion& a, const Motion& b) {
  ASSERT_EQ(a.skeleton().size(), b.skeleton().size());
  ASSERT_EQ(a.frame_count(), b.frame_count());
  for (std::size_t i = 0; i < a.skeleton().joints().size(); ++i) {
    EXPECT_EQ(a.skeleton().joints()[i].name, b.skeleton().joints()[i].name);
    EXPECT_EQ(a.skeleton().joints()[i].rest, b.skeleton().joints()[i].rest);
    for (std::int64_t f = 0; f < a.frame_count(); ++f) EXPECT_EQ(a.pose(f)[i], b.pose(f)[i]);
  }
}

TEST(Amc, JointsStandAtTheStartsOfBonesAndAtTheLastEnds) {
  const Result<Motion> motion = parse(kSmallAsf, kSmallAmc);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  const auto joints = motion->skeleton().joints();
  const std::vector<std::string> names{"root", "arm", "hand", "hand_end"};
  const std::vector<Vec3> offsets{{}, {}, {2, 0, 0}, {0, 1, 0}};
  ASSERT_EQ(joints.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(joints[i].name, names[i]);
    EXPECT_EQ(joints[i].parent, static_cast<int>(i) - 1);
    EXPECT_EQ(joints[i].rest.rotation, Quat{});
    EXPECT_EQ(joints[i].rest.translation, offsets[i]) << names[i];
  }
  EXPECT_EQ(motion->frame_count(), 2);
  EXPECT_EQ(motion->frame_time(), 1.0 / 120.0);
  EXPECT_EQ(motion->source().format, "amc");
  EXPECT_EQ(motion->source().file, "take.amc");
  EXPECT_EQ(motion->source().skeleton_file, "small.asf");
  EXPECT_EQ(motion->source().unit_metres, 1.0);
  EXPECT_TRUE(motion->source().warnings.empty());
}

TEST(Amc, BonesTurnAboutTheirOwnAxes) {
  const Result<Motion> motion = parse(kSmallAsf, kSmallAmc);
  // arm: x first, then y: (2, 0, 0) stays, then goes to (0, 0, -2).
  expect_rotation(pose(*motion, "arm").rotation, about('y', 90) * about('x', 90));
  // hand: its x axis is the arm's y.
  expect_rotation(pose(*motion, "hand").rotation, about('y', 90));
  EXPECT_LT((place(*motion, "hand") - Vector3d(1, 2, 3 - 2)).norm(), 1e-14);
  // y of the arm's frame: x turns it to z, then y turns that to x.
  EXPECT_LT((place(*motion, "hand_end") - Vector3d(1 + 1, 2, 3 - 2)).norm(), 1e-14);
  // The second frame is the rest pose, one up.
  EXPECT_LT((place(*motion, "hand_end", 1) - Vector3d(2, 2, 0)).norm(), 1e-13);
}

TEST(Amc, DofsApplyInTheirOrder) {
  std::string axes = "xyz";
  do {
    SCOPED_TRACE(axes);
    const std::string dofs = fmt::format("dof r{} r{} r{}", axes[0], axes[1], axes[2]);
    const Vector3d angles(20, -130, 75);
    const std::string values = fmt::format("arm {} {} {}", angles[axes[0] - 'x'],
                                           angles[axes[1] - 'x'], angles[axes[2] - 'x']);
    const Result<Motion> motion =
        parse(changed(kSmallAsf, "dof rx ry rz", dofs), changed(kSmallAmc, "arm 90 90 0", values));
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    expect_rotation(pose(*motion, "arm").rotation, in_order(axes, angles));
  } while (std::next_permutation(axes.begin(), axes.end()));
}

TEST(Amc, AxesApplyInTheirOrder) {
  std::string axes = "xyz";
  do {
    SCOPED_TRACE(axes);
    const Result<Motion> motion =
        parse(changed(kSmallAsf, "axis 0 0 90 XYZ", "axis 10 -20 130 " + upper(axes)),
              changed(kSmallAmc, "hand 90", "hand 40"));
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    const Matrix3d c = in_order(axes, {10, -20, 130});
    expect_rotation(pose(*motion, "hand").rotation, c * about('x', 40) * c.transpose());
  } while (std::next_permutation(axes.begin(), axes.end()));
}

TEST(Amc, RootHeedsItsOrder) {
  const Result<Motion> motion =
      parse(changed(kSmallAsf, "order TX TY TZ RX RY RZ", "order RZ TY RX TZ RY tx"),
            replaced(replaced(kSmallAmc, "root 1 2 3 0 0 0", "root 30 2 10 3 20 1"), "root 0 1 0",
                     "root 0 1 0"));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  expect_near(pose(*motion, "root").translation, {1, 2, 3});
  expect_rotation(pose(*motion, "root").rotation, in_order("zxy", {10, 20, 30}));
}

TEST(Amc, RootHeedsItsPositionAndOrientation) {
  std::string asf = changed(kSmallAsf, "position 0 0 0", "position 5 6 7");
  asf = changed(asf, "orientation 0 0 0", "orientation 0 90 0");
  const Result<Motion> motion = parse(
      asf, changed(kSmallAmc, "root 1 2 3 0 0 0\narm 90 90 0", "root 1 2 3 0 0 90\narm 0 0 0"));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  const Joint& root = motion->skeleton().joints()[0];
  expect_rotation(root.rest.rotation, about('y', 90));
  EXPECT_EQ(root.rest.translation, (Vec3{5, 6, 7}));
  // At rest the arm points along -z; z turned by 90 degrees makes it point up first.
  const std::vector<Vec3> rest = motion->skeleton().rest_positions();
  expect_near(rest[2], {5, 6, 7 - 2});
  EXPECT_LT((place(*motion, "hand") - Vector3d(5 + 1, 6 + 2 + 2, 7 + 3)).norm(), 1e-14);

  std::string axes = "xyz";
  do {
    const std::string turned = changed(changed(kSmallAsf, "axis XYZ", "axis " + upper(axes)),
                                       "orientation 0 0 0", "orientation 10 20 30");
    const Result<Motion> ordered = parse(turned, kSmallAmc);
    ASSERT_TRUE(ordered.ok()) << ordered.error().message;
    expect_rotation(pose(*ordered, "root").rotation, in_order(axes, {10, 20, 30}));
  } while (std::next_permutation(axes.begin(), axes.end()));
}

TEST(Amc, TranslationsGoAlongTheBonesAxes) {
  const std::string asf = changed(kSmallAsf, "dof rx\n", "dof ty rx tx\n");
  const std::string amc =
      replaced(changed(kSmallAmc, "hand 90", "hand 0.5 90 0.25"), "hand 0\n", "hand 0 0 0\n");
  const Result<Motion> motion = parse(asf, amc);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  // The hand's y is the arm's -x, its x the arm's y.
  expect_near(pose(*motion, "hand").translation, {2 - 0.5, 0.25, 0});
  expect_rotation(pose(*motion, "hand").rotation, about('y', 90));
  expect_near(pose(*motion, "hand", 1).translation, {2, 0, 0});
}

TEST(Amc, LengthsReplaceThatOfTheSkeleton) {
  std::string asf = changed(kSmallAsf, "dof rx ry rz", "dof rx l ry rz");
  asf = changed(asf, "dof rx\n", "dof l\n");
  std::string amc = changed(kSmallAmc, "arm 90 90 0", "arm 90 3 90 0");
  amc = changed(changed(amc, "arm 0 0 0", "arm 0 2 0 0"), "hand 90", "hand 1.5");
  amc = changed(amc, "hand 0\n", "hand 1\n");
  const Result<Motion> motion = parse(asf, amc);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(pose(*motion, "hand").translation, (Vec3{3, 0, 0}));
  EXPECT_EQ(pose(*motion, "hand_end").translation, (Vec3{0, 1.5, 0}));
  EXPECT_EQ(pose(*motion, "hand", 1).translation, (Vec3{2, 0, 0}));
  EXPECT_EQ(motion->skeleton().joints()[2].rest.translation, (Vec3{2, 0, 0}));
}

TEST(Amc, RadiansAreThoseOfTheAsfUnlessToldDegrees) {
  const Result<Motion> degrees = parse(kSmallAsf, kSmallAmc);
  const std::string asf = changed(changed(kSmallAsf, "angle deg", "angle rad"), "axis 0 0 90",
                                  "axis 0 0 1.5707963267948966");
  std::string amc = changed(kSmallAmc, ":DEGREES\n", "");
  amc = changed(amc, "arm 90 90 0", "arm 1.5707963267948966 1.5707963267948966 0");
  amc = changed(amc, "hand 90", "hand 1.5707963267948966");
  for (const Result<Motion>& motion : {parse(asf, amc), parse(asf, kSmallAmc)}) {
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    expect_rotation(pose(*motion, "arm").rotation, about('y', 90) * about('x', 90));
    expect_rotation(pose(*motion, "hand").rotation, about('y', 90));
  }
  // Degrees need not be said.
  expect_same(*parse(kSmallAsf, changed(kSmallAmc, ":DEGREES\n", "")), *degrees);
  expect_same(*parse(changed(kSmallAsf, "  angle deg\n", ""), kSmallAmc), *degrees);
}

TEST(Amc, TheUpAxisIsTurnedAtTheRoot) {
  const Result<Motion> y_up = parse(kSmallAsf, kSmallAmc);
  for (const UpAxis up : {UpAxis::kZ, UpAxis::kX}) {
    const Result<Motion> motion = parse(kSmallAsf, kSmallAmc, {.unit_metres = 1.0, .up = up});
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    for (const char* const joint : {"root", "hand", "hand_end"}) {
      const Vector3d p = place(*y_up, joint);
      const Vector3d want =
          up == UpAxis::kZ ? Vector3d(p.x(), p.z(), -p.y()) : Vector3d(-p.y(), p.x(), p.z());
      EXPECT_LT((place(*motion, joint) - want).norm(), 1e-14);
    }
    EXPECT_EQ(motion->pose(0)[2], y_up->pose(0)[2]);
  }
}

TEST(Amc, TheUnitIsTheAsfsUnlessTold) {
  const Result<Motion> told = parse(kSmallAsf, kSmallAmc, {.unit_metres = 0.5});
  EXPECT_EQ(told->source().unit_metres, 0.5);
  EXPECT_EQ(told->source().unit_reason, "as told");
  expect_near(pose(*told, "hand").translation, {1, 0, 0});
  expect_near(pose(*told, "root").translation, {0.5, 1, 1.5});

  const Result<Motion> said = parse(changed(kSmallAsf, "length 0.0254", "length 0.45"), kSmallAmc);
  EXPECT_EQ(said->source().unit_metres, 0.0254 / 0.45);
  EXPECT_EQ(said->source().unit_reason, "the .asf says length 0.45 (inches)");

  // It does not say: 1.5 m high in metres alone.
  const std::string silent =
      changed(changed(kSmallAsf, "  length 0.0254\n", ""), "    length 1\n", "    length 1.5\n");
  const Result<Motion> guessed = parse(silent, kSmallAmc);
  EXPECT_EQ(guessed->source().unit_metres, 1.0);
  EXPECT_EQ(guessed->source().unit_reason, "rest height 1.50 m in m");
  const Result<Motion> senseless =
      parse(changed(silent, "length 1.5", "length 3000000"), kSmallAmc);
  ASSERT_FALSE(senseless.ok());
  EXPECT_TRUE(senseless.error().message.starts_with("small.asf: cannot tell the unit of length"))
      << senseless.error().message;
}

TEST(Amc, ADoubtfulUnitIsWarnedAbout) {
  // 150 units are no inches, but centimetres.
  const std::string asf = changed(changed(kSmallAsf, "length 0.0254", "length 1"), "    length 1\n",
                                  "    length 150\n");
  const Result<Motion> motion = parse(asf, kSmallAmc);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->source().unit_metres, 0.0254);
  ASSERT_EQ(motion->source().warnings.size(), 1U);
  EXPECT_EQ(motion->source().warnings[0],
            "small.asf: length 1 (inches) makes the rest skeleton 3.81 m high; in cm it would be "
            "1.5 m: --motion-unit cm reads it so");
}

TEST(Amc, TheRateIsToldOrWrittenOr120) {
  const std::string written =
      changed(kSmallAmc, ":FULLY-SPECIFIED", ":SAMPLES-PER-SECOND 60\n:fully-specified");
  const Result<Motion> silent = parse(kSmallAsf, kSmallAmc);
  EXPECT_EQ(silent->source().rate_reason, "120 Hz, as .amc files do not say their rate");
  const Result<Motion> said = parse(kSmallAsf, written);
  ASSERT_TRUE(said.ok()) << said.error().message;
  EXPECT_EQ(said->frame_time(), 1.0 / 60.0);
  EXPECT_EQ(said->source().rate_reason, "");
  const Result<Motion> told = parse(kSmallAsf, written, {.rate = 25.0});
  EXPECT_EQ(told->frame_time(), 1.0 / 25.0);
  EXPECT_EQ(told->source().rate_reason, "as told");
}

TEST(Amc, WhatIsToleratedIsWarnedAbout) {
  std::string asf = changed(kSmallAsf, "    id 2\n", "    id 2\n    colour red\n    weight 3\n");
  asf = changed(asf, ":hierarchy", ":vendor\n  a b\n:skin hero.obj\n  hero_low.obj\n:hierarchy");
  asf = changed(asf, "direction 0 1 0", "direction 0 2 0");
  const std::string amc = replaced(
      replaced(changed(kSmallAmc, ":DEGREES", ":DEGREES\n:FRAME-RANGE 1 2"), "arm 90 90 0\n", ""),
      "arm 0 0 0\n", "");
  const Result<Motion> motion = parse(asf, amc);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  const std::vector<std::string> want{
      "small.asf:43: the skin (2 lines) is passed over",
      "small.asf:32: 4 lines that are not the format's are passed over, the first starts with "
      "\"colour\"",
      "small.asf:30: 1 directions are not of length 1 and taken as written, the first is that of "
      "bone \"hand\"",
      "take.amc:4: 1 lines before the first frame are passed over, as their keywords are not known",
      "take.amc: 1 bones that can move are in no frame and stay at rest, the first is \"arm\""};
  ASSERT_EQ(motion->source().warnings, want);
  EXPECT_EQ(pose(*motion, "arm"), Transform{});
  EXPECT_EQ(pose(*motion, "hand_end").translation, (Vec3{0, 2, 0}));
}

TEST(Amc, LayoutOfTheTextDoesNotMatter) {
  const Result<Motion> plain = parse(kSmallAsf, kSmallAmc);
  const auto expect_plain = [&](const std::string& asf, const std::string& amc) {
    const Result<Motion> motion = parse(asf, amc);
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    expect_same(*motion, *plain);
    EXPECT_TRUE(motion->source().warnings.empty()) << motion->source().warnings[0];
  };
  expect_plain(replaced(kSmallAsf, "\n", "\r\n"), replaced(kSmallAmc, "\n", "\r\n"));
  expect_plain(replaced(kSmallAsf, "\n", " \t\n\n"), replaced(kSmallAmc, "\n", " \t\n# c\n\n"));
  expect_plain(std::string("\xef\xbb\xbf") + kSmallAsf, std::string("\xef\xbb\xbf") + kSmallAmc);
  expect_plain(replaced(kSmallAsf, "direction 1 0 0", "direction (1, 0,0) # along x"), kSmallAmc);
  expect_plain(changed(kSmallAsf, "cofmass 1.0\n  end", "cofmass 1.0 end"), kSmallAmc);
  expect_plain(replaced(kSmallAsf, "begin", "BEGIN"), replaced(kSmallAmc, "hand", "Hand"));
  expect_plain(changed(kSmallAsf, "arm hand", "ARM Hand\n    hand"), kSmallAmc);
  // Fields, sections and bones in another order.
  std::string asf = changed(kSmallAsf, "    length 1\n    axis 0 0 90 XYZ\n",
                            "    axis 0 0 90 XYZ\n    length 1\n");
  asf = changed(changed(asf, "    name arm\n", ""), "    id 1\n", "    name arm\n    id 1\n");
  expect_plain(asf, kSmallAmc);
  const std::string tree = ":hierarchy\n  begin\n    root arm\n    arm hand\n  end\n";
  const std::string tree_backwards = ":hierarchy\n  begin\n    arm hand\n    root arm\n  end\n";
  expect_plain(changed(changed(kSmallAsf, tree, ""), ":root", tree_backwards + ":root"), kSmallAmc);
  expect_plain(kSmallAsf, changed(kSmallAmc, "arm 90 90 0\nhand 90\n", "hand 90\narm 90 90 0\n"));
  expect_plain(kSmallAsf, changed(changed(kSmallAmc, "\n1\n", "\n-7\n"), "\n2\n", "\n-6\n"));
}

TEST(Amc, ChildrenComeDepthFirstAndInOrder) {
  std::string asf = kSmallAsf;
  const std::string bone = "begin\nname {}\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\nend\n";
  std::string bones;
  for (const char* const name : {"e", "d", "c", "b", "a"})
    bones += fmt::format(fmt::runtime(bone), name);
  asf = changed(asf, ":hierarchy", bones + ":hierarchy");
  asf = changed(asf, "root arm\n", "root e arm a\n e b c\n b d\n");
  const Result<Motion> motion = parse(asf, kSmallAmc);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  std::string names;
  for (const Joint& joint : motion->skeleton().joints()) names += joint.name + " ";
  EXPECT_EQ(names, "root e b d d_end c c_end arm hand hand_end a a_end ");
}

TEST(Amc, AnEndThatABoneIsNamedAfterGetsANumber) {
  const std::string asf =
      replaced(replaced(kSmallAsf, "arm", "hand_end"), "hand hand", "hand hand");
  const Result<Motion> motion = parse(asf, replaced(kSmallAmc, "arm", "hand_end"));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->skeleton().joints()[1].name, "hand_end");
  EXPECT_EQ(motion->skeleton().joints()[3].name, "hand_end2");
}

}  // namespace
}  // namespace tocsin::io::amc_test
