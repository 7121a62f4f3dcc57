// load_motion() on .amc files: which skeleton it takes, and which options go with which format.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "amc_files.h"
#include "support/test_folder.h"
#include "tocsin/io.h"

namespace tocsin::amc_load_test {
namespace {

class LoadAmc : public testing::Test {
 protected:
  LoadAmc() { put("07_12_b.amc", test::kSmallAmc); }

  void put(const std::string& name, const std::string& text) const { files_.write(name, text); }
  [[nodiscard]] Result<Motion> load(const std::string& name,
                                    const MotionOptions& options = {}) const {
    return load_motion(folder_ / name, options);
  }
  void expect_error(const Result<Motion>& motion, ErrorCode code,
                    const std::string& message) const {
    ASSERT_FALSE(motion.ok());
    EXPECT_EQ(motion.error().code, code);
    EXPECT_EQ(motion.error().message, test::replaced(message, "DIR", folder_.string()));
  }

  test::TestFolder files_;
  std::filesystem::path folder_ = files_.path();
};

TEST_F(LoadAmc, TakesTheSkeletonBesideIt) {
  expect_error(load("07_12_b.amc"), ErrorCode::kInput,
               "DIR/07_12_b.amc: its skeleton is not beside it, there is no DIR/07_12_b.asf and no "
               "DIR/07.asf; name the .asf with --skeleton FILE");
  put("07.ASF", test::kSmallAsf);
  const Result<Motion> motion = load("07_12_b.amc");
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->source().skeleton_file, (folder_ / "07.ASF").string());
  EXPECT_EQ(motion->frame_count(), 2);

  // One that is called just like the take comes first.
  put("07_12_b.aSF", test::kSmallAsf);
  EXPECT_EQ(load("07_12_b.amc")->source().skeleton_file, (folder_ / "07_12_b.aSF").string());

  put("walk.AMC", test::kSmallAmc);
  expect_error(load("walk.AMC"), ErrorCode::kInput,
               "DIR/walk.AMC: its skeleton is not beside it, there is no DIR/walk.asf; name the "
               ".asf with --skeleton FILE");
  put("walk.asf", test::kSmallAsf);
  EXPECT_EQ(load("walk.AMC")->source().skeleton_file, (folder_ / "walk.asf").string());
}

TEST_F(LoadAmc, TakesTheSkeletonThatIsNamed) {
  put("other", test::kSmallAsf);
  const Result<Motion> motion = load("07_12_b.amc", {.skeleton = folder_ / "other"});
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->source().skeleton_file, (folder_ / "other").string());
  expect_error(load("07_12_b.amc", {.skeleton = folder_ / "none.asf"}), ErrorCode::kInput,
               "DIR/none.asf: cannot be opened: No such file or directory");
  put("bad.asf", "foo");
  expect_error(load("07_12_b.amc", {.skeleton = folder_ / "bad.asf"}), ErrorCode::kInput,
               "DIR/bad.asf:1: expected a keyword such as :root, found \"foo\"");
  put("bad.amc", "1\nleg 0\n");
  expect_error(load("bad.amc", {.skeleton = folder_ / "other"}), ErrorCode::kInput,
               "DIR/bad.amc:2: frame 1: \"leg\" is no bone of DIR/other");
  expect_error(load("none.amc"), ErrorCode::kInput,
               "DIR/none.amc: cannot be opened: No such file or directory");
}

TEST_F(LoadAmc, OptionsThatDoNotGoWithTheFormatAreUsageErrors) {
  put("07.asf", test::kSmallAsf);
  expect_error(load("a.bvh", {.skeleton = "x.asf"}), ErrorCode::kUsage,
               "DIR/a.bvh: --skeleton names a skeleton file, which only .amc and .csv files have");
  expect_error(load("a.glb", {.skeleton = "x.asf"}), ErrorCode::kUsage,
               "DIR/a.glb: --skeleton names a skeleton file, which only .amc and .csv files have");
  expect_error(load("a.bvh", {.rate = 30.0}), ErrorCode::kUsage,
               "DIR/a.bvh: --rate is for files without a rate; a .bvh says its own");
  expect_error(load("a.bvh", {.clip = "walk"}), ErrorCode::kUsage,
               "DIR/a.bvh: --clip names an animation, which only .glb, .gltf and .fbx files have");
  expect_error(load("07_12_b.amc", {.clip = "walk"}), ErrorCode::kUsage,
               "DIR/07_12_b.amc: --clip names an animation, which only .glb, .gltf and .fbx files "
               "have");
  expect_error(load("07_12_b.amc", {.skin = "hero"}), ErrorCode::kUsage,
               "DIR/07_12_b.amc: --skin names one of several skeletons, which only .glb, .gltf and "
               ".fbx files have");
  EXPECT_EQ(load("07_12_b.amc", {.rate = -3.0}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(load("07_12_b.amc", {.rate = 30.0})->frame_time(), 1.0 / 30.0);
}

TEST_F(LoadAmc, ASkeletonAloneDoesNotMove) {
  put("07.asf", test::kSmallAsf);
  expect_error(load("07.asf"), ErrorCode::kInput,
               "DIR/07.asf: a skeleton without motion; give the .amc, and this with --skeleton");
  expect_error(load("07"), ErrorCode::kInput,
               "DIR/07: not a known kind of motion; Tocsin reads .bvh, .amc (with its .asf), .glb, "
               ".gltf, .fbx, .poses and .csv (with a robot's .urdf)");
}

}  // namespace
}  // namespace tocsin::amc_load_test
