// Every ASF and AMC file of the test data, against what its README says, a naive reader, and the
// BVH of the same take.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <string>

#include "naive_amc.h"
#include "support/data.h"
#include "support/scenes/world_frames.h"
#include "tocsin/io.h"

namespace tocsin::amc_data_test {
namespace {

constexpr double kCmu = 0.0254 / 0.45;

struct Take {
  const char* name;
  std::int64_t frames;
};

// As in the data's README.
constexpr Take kTakes[] = {{"01_01", 2751}, {"02_01", 343},  {"02_03", 173},
                           {"02_04", 483},  {"02_05", 1854}, {"02_07", 2251},
                           {"03_01", 432},  {"03_02", 365},  {"03_03", 4563}};

std::string amc_of(const std::string& take) { return "motions/cmu/" + take + ".amc"; }
std::string asf_of(const std::string& take) { return "motions/cmu/" + take.substr(0, 2) + ".asf"; }

std::size_t joint(const Motion& motion, const std::string& name) {
  const int index = motion.skeleton().find(name);
  EXPECT_GE(index, 0) << name;
  return static_cast<std::size_t>(index);
}

TEST(AmcData, AllTakesLoadAsTheirReadmeSays) {
  for (const auto& [name, frames] : kTakes) {
    SCOPED_TRACE(name);
    TOCSIN_NEEDS_DATA(amc_of(name));
    const auto start = std::chrono::steady_clock::now();
    const Result<Motion> motion = load_motion(test::data_path(amc_of(name)));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    EXPECT_EQ(motion->frame_count(), frames);
    EXPECT_EQ(motion->frame_time(), 1.0 / 120.0);
    // root, 30 bones, and the ends of head, toes, fingers and thumbs
    EXPECT_EQ(motion->skeleton().size(), 31 + 7);
    EXPECT_EQ(motion->source().format, "amc");
    EXPECT_EQ(motion->source().file, test::data_path(amc_of(name)).string());
    EXPECT_EQ(motion->source().skeleton_file, test::data_path(asf_of(name)).string());
    EXPECT_EQ(motion->source().unit_metres, kCmu);
    EXPECT_EQ(motion->source().unit_reason, "the .asf says length 0.45 (inches)");
    EXPECT_EQ(motion->source().rate_reason, "120 Hz, as .amc files do not say their rate");
    EXPECT_TRUE(motion->source().warnings.empty()) << motion->source().warnings.front();
    for (const char* const end : {"head_end", "ltoes_end", "rtoes_end", "lfingers_end",
                                  "rfingers_end", "lthumb_end", "rthumb_end"}) {
      joint(*motion, end);
    }
    for (const Joint& each : motion->skeleton().joints()) EXPECT_EQ(each.rest.rotation, Quat{});
    std::printf("%s: %lld frames loaded in %.1f ms\n", name, static_cast<long long>(frames),
                took.count());
  }
}

/// What lies at the end of a bone: the joints that hang on it, or its _end.
std::multimap<std::string, std::size_t> joints_at_ends(const Motion& motion) {
  std::multimap<std::string, std::size_t> out;
  const auto joints = motion.skeleton().joints();
  for (std::size_t i = 1; i < joints.size(); ++i) {
    out.emplace(joints[static_cast<std::size_t>(joints[i].parent)].name, i);
  }
  return out;
}

TEST(AmcData, EveryBoneEndIsWhereANaiveReaderPutsIt) {
  double worst_of_all = 0.0;
  for (const auto& [name, frames] : kTakes) {
    SCOPED_TRACE(name);
    TOCSIN_NEEDS_DATA(amc_of(name));
    const Result<Motion> motion = load_motion(test::data_path(amc_of(name)));
    const test::NaiveAmc naive(test::data_path(asf_of(name)).string(),
                               test::data_path(amc_of(name)).string());
    ASSERT_EQ(naive.frame_count(), static_cast<std::size_t>(frames));
    const auto ends = joints_at_ends(*motion);
    double worst = 0.0;
    std::size_t compared = 0;
    for (std::int64_t frame = 0; frame < motion->frame_count(); ++frame) {
      const auto want = naive.ends(static_cast<std::size_t>(frame));
      const auto got = test::world_positions(*motion, frame);
      ASSERT_EQ(want.size(), 31U);
      for (const auto& [bone, index] : ends) {
        worst = std::max(worst, (kCmu * want.at(bone) - got[index]).norm());
        ++compared;
      }
    }
    EXPECT_EQ(compared, static_cast<std::size_t>(frames) * 37);  // every joint but the root
    EXPECT_LT(worst, 1e-12);
    worst_of_all = std::max(worst_of_all, worst);
  }
  std::printf("worst difference of a bone's end from the naive reader: %.2e m\n", worst_of_all);
}

TEST(AmcData, FramesAreThoseOfTheBvh) {
  const std::string bvh_file = "motions/cmu_bvh/01_01.bvh";
  TOCSIN_NEEDS_DATA(bvh_file);
  TOCSIN_NEEDS_DATA(amc_of("01_01"));
  const Result<Motion> amc = load_motion(test::data_path(amc_of("01_01")));
  const Result<Motion> bvh = load_motion(test::data_path(bvh_file));
  ASSERT_TRUE(amc.ok() && bvh.ok()) << amc.error().message << bvh.error().message;
  ASSERT_EQ(bvh->frame_count(), amc->frame_count() + 1);
  // Joints at the same place of the body; a bone's joint is at its start.
  const std::pair<const char*, const char*> pairs[] = {{"Hips", "root"},
                                                       {"LHipJoint", "lhipjoint"},
                                                       {"LeftUpLeg", "lfemur"},
                                                       {"LeftLeg", "ltibia"},
                                                       {"LeftFoot", "lfoot"},
                                                       {"LeftToeBase", "ltoes"},
                                                       {"RHipJoint", "rhipjoint"},
                                                       {"RightUpLeg", "rfemur"},
                                                       {"RightLeg", "rtibia"},
                                                       {"RightFoot", "rfoot"},
                                                       {"RightToeBase", "rtoes"},
                                                       {"LowerBack", "lowerback"},
                                                       {"Spine", "upperback"},
                                                       {"Spine1", "thorax"},
                                                       {"LeftToeBase_end", "ltoes_end"},
                                                       {"RightToeBase_end", "rtoes_end"}};
  double worst = 0.0;
  for (std::int64_t k = 0; k < amc->frame_count(); ++k) {
    const auto want = test::world_positions(*bvh, k + 1);
    const auto got = test::world_positions(*amc, k);
    for (const auto& [in_bvh, in_amc] : pairs) {
      worst = std::max(worst, (got[joint(*amc, in_amc)] - want[joint(*bvh, in_bvh)]).norm());
    }
  }
  EXPECT_LT(worst, 1e-4);
  std::printf("worst difference from the BVH, %zu joints, all frames: %.4f mm\n", std::size(pairs),
              1e3 * worst);
}

/// Degrees by which a joint turns against its parent from one frame to another.
double turn(const Motion& motion, const std::string& name, std::int64_t from, std::int64_t to) {
  const std::size_t index = joint(motion, name);
  const Eigen::Isometry3d a = test::isometry(motion.pose(from)[index]);
  const Eigen::Isometry3d b = test::isometry(motion.pose(to)[index]);
  const Eigen::AngleAxisd between(Eigen::Quaterniond((a.inverse() * b).rotation()));
  return between.angle() * 180.0 / 3.14159265358979323846;
}

// Frames count from 1 in the README, from 0 here.
TEST(AmcData, AnglesThatWrapAreSmallRotations) {
  TOCSIN_NEEDS_DATA(amc_of("03_03"));
  const std::pair<const char*, std::int64_t> wraps[] = {
      {"01_01", 2016}, {"02_07", 2053}, {"03_03", 1450}};
  for (const auto& [name, after] : wraps) {
    SCOPED_TRACE(name);
    const Result<Motion> motion = load_motion(test::data_path(amc_of(name)));
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    EXPECT_LT(turn(*motion, "root", after - 1, after), 2.0);
  }
}

TEST(AmcData, SnapsComeThrough) {
  TOCSIN_NEEDS_DATA(amc_of("03_02"));
  TOCSIN_NEEDS_DATA(amc_of("02_07"));
  const Result<Motion> snap = load_motion(test::data_path(amc_of("03_02")));
  const Result<Motion> thumb = load_motion(test::data_path(amc_of("02_07")));
  ASSERT_TRUE(snap.ok() && thumb.ok());
  for (const char* const name : {"upperback", "lowerneck", "lhumerus", "rhumerus", "lradius"}) {
    for (std::int64_t frame = 0; frame < 50; ++frame) {
      const auto at = static_cast<std::size_t>(snap->skeleton().find(name));
      ASSERT_NEAR(std::fabs(snap->pose(frame)[at].rotation.w), 1.0, 1e-15) << name << frame;
    }
  }
  EXPECT_GT(turn(*snap, "lhumerus", 49, 50), 60.0);
  double moved = 0.0;
  for (const char* const end : {"lfingers_end", "rfingers_end", "lthumb_end", "rthumb_end"}) {
    const auto hand = joint(*snap, end);
    moved = std::max(
        moved,
        (test::world_positions(*snap, 50)[hand] - test::world_positions(*snap, 49)[hand]).norm());
  }
  EXPECT_GT(moved * 120.0, 100.0);  // m/s
  EXPECT_NEAR(turn(*thumb, "lthumb", 1884, 1885), 179.0, 1.0);
}

}  // namespace
}  // namespace tocsin::amc_data_test
