// Every BVH file of the test data, against what its README says and against two naive readers.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "io/acclaim/naive_amc.h"
#include "naive_bvh.h"
#include "support/data.h"
#include "support/places.h"
#include "support/scenes/world_frames.h"
#include "tocsin/io.h"

namespace tocsin::bvh_data_test {
namespace {

constexpr double kCmu = 0.0254 / 0.45;

/// Names, times and the world positions of all joints in all frames, in the file's unit times
/// `unit`.
void expect_as_naive(const std::string& relative, std::optional<double> unit, double tolerance) {
  const auto file = test::data_path(relative);
  const Result<Motion> motion = load_motion(file, {unit, UpAxis::kY});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  const test::NaiveBvh naive(file.string());

  ASSERT_EQ(motion->frame_count(), static_cast<std::int64_t>(naive.frame_count));
  EXPECT_EQ(motion->frame_time(), naive.frame_time);
  ASSERT_EQ(motion->skeleton().joints().size(), naive.names.size());
  for (std::size_t i = 0; i < naive.names.size(); ++i) {
    EXPECT_EQ(motion->skeleton().joints()[i].name, naive.names[i]);
  }
  double worst = 0.0;
  for (std::int64_t frame = 0; frame < motion->frame_count(); ++frame) {
    const auto want = naive.positions(static_cast<std::size_t>(frame));
    const auto got = test::world_positions(*motion, frame);
    for (std::size_t i = 0; i < want.size(); ++i) {
      worst = std::max(worst, (motion->source().unit_metres * want[i] - got[i]).norm());
    }
  }
  EXPECT_LT(worst, tolerance);
  std::printf("worst difference of a joint's position: %.2e m\n", worst);
}

constexpr const char* kTake = "motions/cmu_bvh/01_01.bvh";

TEST(BvhData, TheTakeIsAsItsReadmeSays) {
  TOCSIN_NEEDS_DATA(kTake);
  const Result<Motion> motion = load_motion(test::data_path(kTake));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->skeleton().size(), 31 + 7);
  EXPECT_EQ(motion->frame_count(), 2752);
  EXPECT_EQ(motion->frame_time(), 0.0083333);
  EXPECT_EQ(motion->source().unit_metres, kCmu);
  EXPECT_TRUE(motion->source().warnings.empty());
  const auto joints = motion->skeleton().joints();
  EXPECT_EQ(std::count_if(joints.begin(), joints.end(),
                          [](const Joint& j) { return j.name.ends_with("_end"); }),
            7);
  for (const char* const name : {"LHipJoint", "Neck", "LeftShoulder", "RightShoulder"}) {
    const int joint = motion->skeleton().find(name);
    ASSERT_GE(joint, 0) << name;
    EXPECT_EQ(joints[static_cast<std::size_t>(joint)].rest.translation, Vec3{}) << name;
  }
}

TEST(BvhData, TheTakeIsWhereANaiveReaderPutsIt) {
  TOCSIN_NEEDS_DATA(kTake);
  const test::NaiveBvh naive(test::data_path(kTake).string());
  EXPECT_EQ(naive.channel_count, 96U);
  EXPECT_EQ(naive.end_sites, 7U);
  expect_as_naive(kTake, {}, 1e-14);
}

// The conversion shares root, legs and lower spine with the original to better than 0.1 mm; its
// frame k + 1 is the original's frame k.
TEST(BvhData, RootAndLegsAreWhereTheOriginalHasThem) {
  TOCSIN_NEEDS_DATA(kTake);
  TOCSIN_NEEDS_DATA("motions/cmu/01_01.amc");
  const Result<Motion> motion = load_motion(test::data_path(kTake));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  const test::NaiveAmc original(test::data_path("motions/cmu/01.asf").string(),
                                test::data_path("motions/cmu/01_01.amc").string());
  ASSERT_EQ(original.frame_count(), 2751U);
  // A bone's end is the joint that follows it.
  const std::pair<const char*, const char*> pairs[] = {
      {"Hips", "root"},       {"LeftUpLeg", "lhipjoint"}, {"LeftLeg", "lfemur"},
      {"LeftFoot", "ltibia"}, {"LeftToeBase", "lfoot"},   {"RightUpLeg", "rhipjoint"},
      {"RightLeg", "rfemur"}, {"RightFoot", "rtibia"},    {"RightToeBase", "rfoot"},
      {"Spine", "lowerback"}, {"Spine1", "upperback"},
  };
  double worst = 0.0;
  for (std::size_t k = 0; k < original.frame_count(); ++k) {
    const auto ends = original.ends(k);
    const auto got = test::world_positions(*motion, static_cast<std::int64_t>(k) + 1);
    for (const auto& [joint, bone] : pairs) {
      const auto index = static_cast<std::size_t>(motion->skeleton().find(joint));
      worst = std::max(worst, (got.at(index) - kCmu * ends.at(bone)).norm());
    }
  }
  EXPECT_LT(worst, 1e-4);
  std::printf("worst difference from the original: %.3f mm\n", 1e3 * worst);
}

TEST(BvhData, HandWrittenFiles) {
  const std::string rotation_first = "motions/misc/rotation_first_root.bvh";
  const std::string frame_time = "motions/misc/full_precision_frame_time.bvh";
  TOCSIN_NEEDS_DATA(rotation_first);
  expect_as_naive(rotation_first, 1.0, 1e-13);
  expect_as_naive(frame_time, 1.0, 1e-13);

  const Result<Motion> motion = load_motion(test::data_path(frame_time), {0.1, UpAxis::kY});
  EXPECT_EQ(motion->frame_time(), 0.0417083750417);
  EXPECT_EQ(motion->skeleton().size(), 3);
  EXPECT_EQ(motion->frame_count(), 3);

  // 15 units high: no unit makes that a person.
  const Result<Motion> unitless = load_motion(test::data_path(frame_time));
  ASSERT_FALSE(unitless.ok());
  EXPECT_NE(unitless.error().message.find("15 units high"), std::string::npos)
      << unitless.error().message;
}

TEST(LoadMotion, SaysWhatItCannotRead) {
  const Result<Motion> missing = load_motion("/nowhere/take.bvh");
  EXPECT_EQ(missing.error().code, ErrorCode::kInput);
  EXPECT_EQ(missing.error().message,
            "/nowhere/take.bvh: cannot be opened: No such file or directory");
  const Result<Motion> unknown = load_motion("/nowhere/take.c3d");
  EXPECT_EQ(unknown.error().code, ErrorCode::kInput);
  EXPECT_EQ(
      unknown.error().message,
      "/nowhere/take.c3d: not a known kind of motion; Tocsin reads .bvh, .amc (with its .asf), "
      ".glb, .gltf, .fbx, .poses and .csv (with a robot's .urdf)");
}

TEST(LoadMotion, ReadsTheDemosTake) {
  const Result<Motion> motion = load_motion(test::source_dir() + "/motions/walk_and_reach.bvh");
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_TRUE(motion->source().warnings.empty());
}

}  // namespace
}  // namespace tocsin::bvh_data_test
