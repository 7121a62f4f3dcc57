// A motion that is written as BVH and read again is the same motion.
#include "io/bvh/write_bvh.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "io/bvh/bvh.h"
#include "io/bvh/euler.h"
#include "support/data.h"
#include "support/scenes/world_frames.h"
#include "support/test_folder.h"
#include "tocsin/io.h"

namespace tocsin::io::write_bvh_test {
namespace {

using Eigen::Vector3d;

class WriteBvh : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "take.bvh"; }

  [[nodiscard]] std::string text() const {
    std::ifstream in(file());
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }

  /// Writes and reads.
  [[nodiscard]] Result<Motion> again(const Motion& motion) {
    const Result<SaveNotes> notes = write_bvh(motion, file());
    EXPECT_TRUE(notes.ok()) << notes.error().message;
    notes_ = *notes;
    return tocsin::load_motion(file(), {.unit_metres = 1.0});
  }

  test::TestFolder files_;
  std::filesystem::path folder_ = files_.path();
  SaveNotes notes_;
};

using Random = std::mt19937;

double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

Quat random_rotation(Random& random) {
  std::normal_distribution<double> normal;
  Eigen::Quaterniond q(normal(random), normal(random), normal(random), normal(random));
  q.normalize();
  return {q.w(), q.x(), q.y(), q.z()};
}

Vec3 random_offset(Random& random) {
  return {uniform(random, -0.5, 0.5), uniform(random, -0.5, 0.5), uniform(random, -0.5, 0.5)};
}

/// Up to 30 joints with rest rotations, parents in no particular order, one or two roots; some
/// translations move, some stay off their rest, some joints never turn.
Motion random_motion(Random& random) {
  const int count = 1 + static_cast<int>(random() % 30);
  std::vector<Joint> joints;
  std::vector<int> kind;
  for (int j = 0; j < count; ++j) {
    const int parent =
        j == 0 || random() % 40 == 0 ? -1 : static_cast<int>(random() % static_cast<unsigned>(j));
    const std::string name = parent >= 0 && random() % 3 == 0
                                 ? joints[static_cast<std::size_t>(parent)].name + "_end"
                                 : fmt::format("j{}", j);
    joints.push_back({name, parent, {random_rotation(random), random_offset(random)}});
    kind.push_back(static_cast<int>(random() % 4));
  }
  std::vector<Transform> poses;
  for (int frame = 0; frame < 5; ++frame) {
    for (std::size_t j = 0; j < joints.size(); ++j) {
      Transform pose = joints[j].rest;
      if (kind[j] != 0) pose.rotation = random_rotation(random);
      if (kind[j] == 2) pose.translation = random_offset(random);
      if (kind[j] == 3) pose.translation.x = 0.25;
      poses.push_back(pose);
    }
  }
  Result<Skeleton> skeleton = Skeleton::create(std::move(joints));
  Result<Motion> motion =
      Motion::create(std::move(skeleton).value(), 1.0 / 120.0, std::move(poses));
  EXPECT_TRUE(motion.ok()) << motion.error().message;
  return *motion;
}

/// For each joint of `before`, the one that it became in `after`: depth first.
std::vector<std::size_t> depth_first(const Skeleton& skeleton) {
  const auto joints = skeleton.joints();
  std::vector<std::size_t> place(joints.size());
  std::size_t next = 0;
  const auto visit = [&](const auto& self, int joint) -> void {
    if (joint >= 0) place[static_cast<std::size_t>(joint)] = next++;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (joints[j].parent == joint) self(self, static_cast<int>(j));
    }
  };
  visit(visit, -1);
  return place;
}

/// The largest difference of a joint's world position, in all frames and at rest.
double worst_difference(const Motion& before, const Motion& after) {
  EXPECT_EQ(before.skeleton().size(), after.skeleton().size());
  EXPECT_EQ(before.frame_count(), after.frame_count());
  EXPECT_EQ(before.frame_time(), after.frame_time());
  const std::vector<std::size_t> place = depth_first(before.skeleton());
  const std::vector<Vec3> rest = before.skeleton().rest_positions();
  const std::vector<Vec3> rest_after = after.skeleton().rest_positions();
  double worst = 0.0;
  for (std::size_t j = 0; j < place.size(); ++j) {
    const Vec3& p = rest[j];
    const Vec3& q = rest_after[place[j]];
    worst = std::max(worst, Vector3d(p.x - q.x, p.y - q.y, p.z - q.z).norm());
  }
  for (std::int64_t frame = 0; frame < before.frame_count(); ++frame) {
    const auto want = test::world_positions(before, frame);
    const auto got = test::world_positions(after, frame);
    for (std::size_t j = 0; j < place.size(); ++j) {
      worst = std::max(worst, (want[j] - got[place[j]]).norm());
    }
  }
  return worst;
}

/// The largest angle by which a joint's turn since its rest, seen in the world, differs.
double worst_turn(const Motion& before, const Motion& after) {
  const auto turns = [](const Motion& motion, std::int64_t frame) {
    std::vector<Transform> rest;
    for (const Joint& joint : motion.skeleton().joints()) rest.push_back(joint.rest);
    const auto at_rest = test::world_frames(motion.skeleton(), rest);
    auto world = test::world_frames(motion.skeleton(), motion.pose(frame));
    for (std::size_t j = 0; j < world.size(); ++j) world[j] = world[j] * at_rest[j].inverse();
    return world;
  };
  const std::vector<std::size_t> place = depth_first(before.skeleton());
  double worst = 0.0;
  for (std::int64_t frame = 0; frame < before.frame_count(); ++frame) {
    const auto want = turns(before, frame);
    const auto got = turns(after, frame);
    for (std::size_t j = 0; j < place.size(); ++j) {
      worst = std::max(worst, (want[j].linear() - got[place[j]].linear()).norm());
    }
  }
  return worst;
}

/// Between two poses of a joint, at local time t.
Eigen::Isometry3d between(const Eigen::Isometry3d& from, const Eigen::Isometry3d& to, double t,
                          InBetween kind) {
  const Eigen::Isometry3d whole = to * from.inverse();
  const Eigen::AngleAxisd turn(Eigen::Quaterniond(whole.rotation()));  // in [0, pi]
  const Vector3d u = turn.axis();
  const Eigen::AngleAxisd part(t * turn.angle(), u);
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  if (kind == InBetween::kTranslateRotate || turn.angle() < 1e-9) {
    out.translate(from.translation() + t * (to.translation() - from.translation()));
    out.rotate(part * from.rotation());
    return out;
  }
  // A point on the screw's axis, from Chasles' theorem.
  const Vector3d p = whole.translation();
  const Vector3d across = p - p.dot(u) * u;
  const Vector3d c = 0.5 * (across + u.cross(across) / std::tan(0.5 * turn.angle()));
  out.translate(c - part * c + t * p.dot(u) * u);
  out.rotate(part);
  return out * from;
}

/// The largest difference of a joint's world position within the steps.
double worst_in_between(const Motion& before, const Motion& after, InBetween kind) {
  const auto frames = [kind](const Motion& motion, std::int64_t frame) {
    const auto joints = motion.skeleton().joints();
    std::vector<Eigen::Isometry3d> world;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const Eigen::Isometry3d local = between(test::isometry(motion.pose(frame)[j]),
                                              test::isometry(motion.pose(frame + 1)[j]), 0.3, kind);
      const int parent = joints[j].parent;
      world.push_back(parent < 0 ? local : world[static_cast<std::size_t>(parent)] * local);
    }
    return world;
  };
  const std::vector<std::size_t> place = depth_first(before.skeleton());
  double worst = 0.0;
  for (std::int64_t frame = 0; frame + 1 < before.frame_count(); ++frame) {
    const auto want = frames(before, frame);
    const auto got = frames(after, frame);
    for (std::size_t j = 0; j < place.size(); ++j) {
      worst = std::max(worst, (want[j].translation() - got[place[j]].translation()).norm());
    }
  }
  return worst;
}

TEST_F(WriteBvh, RandomSkeletonsComeBack) {
  Random random(31);
  double worst = 0.0;
  double turn = 0.0;
  double in_between = 0.0;
  std::size_t end_sites = 0;
  std::size_t moving = 0;
  std::size_t several_roots = 0;
  for (int k = 0; k < 100; ++k) {
    const Motion motion = random_motion(random);
    const Result<Motion> read = again(motion);
    ASSERT_TRUE(read.ok()) << read.error().message;
    worst = std::max(worst, worst_difference(motion, *read));
    turn = std::max(turn, worst_turn(motion, *read));
    for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
      in_between = std::max(in_between, worst_in_between(motion, *read, kind));
    }
    const std::string written = text();
    for (std::size_t at = 0; (at = written.find("End Site", at)) != std::string::npos; ++at)
      ++end_sites;
    for (std::size_t at = 0; (at = written.find("JOINT", at)) != std::string::npos; ++at) {
      moving += written.compare(written.find("CHANNELS", at), 10, "CHANNELS 6") == 0 ? 1U : 0U;
    }
    several_roots += written.find("ROOT", written.find("ROOT") + 1) != std::string::npos ? 1U : 0U;
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(turn, 1e-12);
  EXPECT_LT(in_between, 1e-10);  // nearly half turns of an axis that is known to 1e-15 / sine
  EXPECT_GT(end_sites, 20U);
  EXPECT_GT(moving, 100U);
  EXPECT_GT(several_roots, 10U);
  std::printf("worst difference of 100 random motions: %.2e m, %.2e in a turn, %.2e m in between\n",
              worst, turn, in_between);
}

TEST_F(WriteBvh, WritingTwiceChangesNothingMore) {
  Random random(32);
  const Motion motion = random_motion(random);
  const Result<Motion> once = again(motion);
  const Result<Motion> twice = again(*once);
  for (const Joint& joint : once->skeleton().joints()) EXPECT_EQ(joint.rest.rotation, Quat{});
  EXPECT_LT(worst_difference(*once, *twice), 1e-14);
  for (std::size_t j = 0; j < once->skeleton().joints().size(); ++j) {
    EXPECT_EQ(once->skeleton().joints()[j].name, twice->skeleton().joints()[j].name);
    EXPECT_EQ(once->skeleton().joints()[j].rest, twice->skeleton().joints()[j].rest);
    // Without rest rotations, translations go through as they are.
    EXPECT_EQ(once->pose(2)[j].translation, twice->pose(2)[j].translation);
  }
}

TEST_F(WriteBvh, ATinyMotionByHand) {
  const double half = std::sqrt(0.5);
  // The head is turned by 180 degrees about z at rest.
  Result<Skeleton> skeleton = Skeleton::create({{"Hips", -1, {{}, {0, 0.9, 0}}},
                                                {"Head", 0, {{0, 0, 0, 1}, {0, 0.7, 0}}},
                                                {"Head_end", 1, {{}, {0.125, 0, 0}}}});
  // The hips turn by 90 degrees about x, the head by 90 about its own x, which is the world's -x.
  const std::vector<Transform> poses{
      {{half, half, 0, 0}, {0.1, 0.9, 0}}, {{0, 0, half, half}, {0, 0.7, 0}}, {{}, {0.125, 0, 0}}};
  const Result<Motion> motion = Motion::create(std::move(skeleton).value(), 0.04, poses);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  ASSERT_TRUE(write_bvh(*motion, file()).ok());
  const std::string written = text();
  EXPECT_EQ(written.substr(0, written.find("Frame Time")), R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 0.9 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Head
  {
    OFFSET 0 0.7 0
    CHANNELS 3 Zrotation Yrotation Xrotation
    End Site
    {
      OFFSET -0.125 0 0
    }
  }
}
MOTION
Frames: 1
)");
  std::istringstream frame(written.substr(written.find("0.04\n") + 5));
  std::vector<double> values;
  for (double value = 0; frame >> value;) values.push_back(value);
  const std::vector<double> want{0.1, 0.9, 0, 0, 0, 90, 0, 0, -90};
  ASSERT_EQ(values.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_NEAR(values[i], want[i], 1e-13) << i;
}

TEST_F(WriteBvh, TakesComeBack) {
  TOCSIN_NEEDS_DATA("motions/cmu/02_03.amc");
  double worst = 0.0;
  for (const char* const name : {"motions/cmu/02_03.amc", "motions/cmu/03_02.amc",
                                 "motions/cmu/02_04.amc", "motions/cmu_bvh/01_01.bvh"}) {
    SCOPED_TRACE(name);
    const Result<Motion> loaded = tocsin::load_motion(test::data_path(name));
    ASSERT_TRUE(loaded.ok()) << loaded.error().message;
    const Result<Motion> motion = loaded->placed({{1.0, 0.0, 1.3}, 30.0});
    ASSERT_TRUE(save_motion(*motion, file()).ok());
    const Result<Motion> read = tocsin::load_motion(file());  // finds the unit itself
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->source().unit_metres, 1.0);
    EXPECT_TRUE(read->source().warnings.empty());
    for (std::size_t j = 0; j < motion->skeleton().joints().size(); ++j) {  // depth first already
      EXPECT_EQ(read->skeleton().joints()[j].name, motion->skeleton().joints()[j].name);
    }
    worst = std::max(worst, worst_difference(*motion, *read));
  }
  EXPECT_LT(worst, 1e-12);
  std::printf("worst difference of takes written and read: %.2e m\n", worst);
}

Motion named(const std::vector<std::string>& names) {
  std::vector<Joint> joints;
  for (const std::string& name : names) {
    joints.push_back({name, static_cast<int>(joints.size()) - 1, {{}, {0, 1, 0}}});
  }
  std::vector<Transform> poses(names.size(), Transform{{}, {0, 1, 0}});
  return *Motion::create(Skeleton::create(std::move(joints)).value(), 0.01, std::move(poses));
}

TEST_F(WriteBvh, NamesThatBvhCannotHoldAreChanged) {
  const std::string long_name(300, 'n');
  const Motion motion =
      named({"left arm", "left_arm", "a{b}", "", "mixamorig:Hips", "x\ny", "left\tarm", long_name,
             long_name + "2", "left_arm", "J\xc3\xb6rg", "J\xc3\xb6rg_end"});
  const Result<Motion> read = again(motion);
  ASSERT_TRUE(read.ok()) << read.error().message;
  std::vector<std::string> names;
  for (const Joint& joint : read->skeleton().joints()) names.push_back(joint.name);
  // Names that are kept come first when numbers are given.
  const std::vector<std::string> want{"left_arm@3",
                                      "left_arm",
                                      "a_b_",
                                      "joint",
                                      "mixamorig:Hips",
                                      "x_y",
                                      "left_arm@4",
                                      std::string(240, 'n'),
                                      std::string(240, 'n') + "@2",
                                      "left_arm@2",
                                      "J\xc3\xb6rg",
                                      "J\xc3\xb6rg_end"};
  EXPECT_EQ(names, want);
  EXPECT_TRUE(read->source().warnings.empty());
  ASSERT_EQ(notes_.warnings.size(), 2U);
  EXPECT_EQ(notes_.warnings[0],
            "7 joint names that a .bvh cannot hold were changed, the first: \"left arm\" is now "
            "\"left_arm\"");
}

TEST_F(WriteBvh, WhatCannotBeWrittenIsAnError) {
  EXPECT_EQ(save_motion(Motion(), file()).error().code, ErrorCode::kInput);
  const Motion motion = named({"a", "b"});
  const Result<SaveNotes> folder = save_motion(motion, folder_ / "missing" / "take.bvh");
  EXPECT_EQ(folder.error().code, ErrorCode::kResource);
  EXPECT_NE(folder.error().message.find("take.bvh"), std::string::npos) << folder.error().message;
  const Result<SaveNotes> format = save_motion(motion, folder_ / "take.c3d");
  EXPECT_EQ(format.error().code, ErrorCode::kUsage);
  EXPECT_NE(format.error().message.find(".bvh, .glb and .poses"), std::string::npos);
  EXPECT_TRUE(save_motion(named({"a"}), folder_ / "TAKE.BVH").ok());
  const Result<SaveNotes> many = save_motion(named(std::vector<std::string>(10'001, "j")), file());
  EXPECT_EQ(many.error().code, ErrorCode::kInput);
  EXPECT_FALSE(std::filesystem::exists(file()));  // and no part of it
}

TEST(EulerZyx, RebuildsAnyRotation) {
  Random random(33);
  double worst = 0.0;
  const auto check = [&](const Quat& q) {
    const EulerZyx angles = euler_zyx(q);
    EXPECT_LE(std::fabs(angles.y), 90.0);
    EXPECT_LE(std::fabs(angles.z), 180.0);
    EXPECT_LE(std::fabs(angles.x), 180.0);
    // As the reader would: half angles in long double.
    const auto about = [](int axis, double degrees) {
      const long double half = degrees * (3.14159265358979323846L / 360.0L);
      Eigen::Matrix<long double, 3, 1> v = Eigen::Matrix<long double, 3, 1>::Zero();
      v[axis] = std::sin(half);
      return Eigen::Quaternion<long double>(std::cos(half), v[0], v[1], v[2]);
    };
    const auto got = about(2, angles.z) * about(1, angles.y) * about(0, angles.x);
    const Eigen::Matrix<long double, 4, 1> want(q.x, q.y, q.z, q.w);
    const long double error = std::min((got.coeffs() - want).norm(), (got.coeffs() + want).norm());
    worst = std::max(worst, static_cast<double>(error));
  };
  for (int k = 0; k < 20'000; ++k) check(random_rotation(random));
  // Near and at y = 90 degrees, by all amounts.
  for (int k = 0; k < 20'000; ++k) {
    const double off = std::pow(10.0, uniform(random, -20.0, 0.0)) * (random() % 2 == 0 ? 1 : -1);
    const double y = (random() % 2 == 0 ? 90.0 : -90.0) + off;
    const auto turn = [](double degrees, const Vector3d& axis) {
      return Eigen::Quaterniond(Eigen::AngleAxisd(degrees * 3.14159265358979323846 / 180.0, axis));
    };
    Eigen::Quaterniond q = turn(uniform(random, -180, 180), Vector3d::UnitZ()) *
                           turn(y, Vector3d::UnitY()) *
                           turn(uniform(random, -180, 180), Vector3d::UnitX());
    q.normalize();
    check({q.w(), q.x(), q.y(), q.z()});
  }
  // All products of quarter turns.
  const double values[] = {0.0, 0.5, -0.5, std::sqrt(0.5), -std::sqrt(0.5), 1.0, -1.0};
  for (const double w : values) {
    for (const double x : values) {
      for (const double y : values) {
        for (const double z : values) {
          if (std::fabs(w * w + x * x + y * y + z * z - 1.0) < 1e-9) check({w, x, y, z});
        }
      }
    }
  }
  EXPECT_LT(worst, 2e-15);
  std::printf("worst error of a rebuilt quaternion: %.2e\n", worst);

  const EulerZyx none = euler_zyx({});
  EXPECT_EQ(none.x, 0.0);
  EXPECT_EQ(none.y, 0.0);
  EXPECT_EQ(none.z, 0.0);
}

}  // namespace
}  // namespace tocsin::io::write_bvh_test
