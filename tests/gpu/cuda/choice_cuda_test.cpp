// What kAuto makes of a CUDA device: measured, remembered, asked for enough steps only, and left
// alone where it fails.
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gpu/cuda/cuda_detector_test.h"
#include "support/environment_variable.h"
#include "support/scenes/random_scene.h"
#include "support/test_folder.h"
#include "tocsin/stream.h"

namespace tocsin::choice_cuda_test {
namespace {

using test::EnvironmentVariable;

constexpr const char* kChoiceFailAt = "TOCSIN_CUDA_FAIL_AT";

class Choice : public testing::Test {
 protected:
  Choice() {
    test::RandomLinks random(11);
    room_ = test::random_room(random, 4, 100, 2.5);
    take_ = test::random_take(random, 8, 600, 0.3, 0.1);
    steps_ = take_.motion.steps().value();
  }

  [[nodiscard]] DetectorOptions options() const {
    return {.tree_cache = folder_.path().string(), .experiments = {.emulate = true}};
  }
  [[nodiscard]] Detector make() const { return Detector::make(room_, options()).value(); }

  [[nodiscard]] std::vector<StepReport> run(const Detector& detector, std::size_t count) const {
    std::vector<StepReport> out;
    const std::span<const Step> some(steps_.data(), count);
    EXPECT_TRUE(detector.run(take_.avatar, some, {}, [&](const StepReport& report) {
      out.push_back(report);
      return true;
    }));
    return out;
  }
  void expect_right(const Detector& detector, std::size_t count) const {
    const auto want = run(Detector::make(room_, {.backend = Backend::kCpu}).value(), count);
    const auto got = run(detector, count);
    ASSERT_EQ(got.size(), want.size());
    std::size_t contacts = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(got[i].contacts, want[i].contacts) << i;
      EXPECT_EQ(got[i].safe_until, want[i].safe_until) << i;
      contacts += want[i].contacts.size();
    }
    EXPECT_GE(contacts, count / 4);
  }

  /// The one calibration in the cache.
  [[nodiscard]] std::filesystem::path kept() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".calibration") found.push_back(entry.path());
    }
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? std::filesystem::path() : found.front();
  }
  /// Measures, and puts other points into what was kept.
  void pretend(const std::string& points) const {
    static_cast<void>(make());
    std::ifstream in(kept());
    std::string title;
    std::string key;
    std::getline(in, title);
    std::getline(in, key);
    std::ofstream(kept()) << title << '\n' << key << '\n' << points << "end\n";
  }

  test::TestFolder folder_;
  Environment room_;
  test::RandomTake take_;
  StepList steps_;
};

TEST_F(Choice, SaysWhyAndGivesTheContacts) {
  const Detector detector = make();
  EXPECT_NE(detector.backend_reason().find("emulated"), std::string::npos)
      << detector.backend_reason();
  EXPECT_NE(detector.backend_reason().find("steps asked at once"), std::string::npos);
  EXPECT_TRUE(detector.warnings().empty());
  expect_right(detector, 300);
}

TEST_F(Choice, IsRememberedBesideTheTree) {
  pretend("1 1e-6 2e-6\n4 1e-6 2e-6\n");
  EXPECT_EQ(make().backend_name(), "cpu");
  pretend("1 1e-6 1e-7\n4 1e-6 1e-7\n");
  const Detector detector = make();
  EXPECT_EQ(detector.backend_name(), "cuda");
  EXPECT_TRUE(detector.warnings().empty());
  expect_right(detector, 300);
}

TEST_F(Choice, AsksTheDeviceForEnoughStepsOnly) {
  pretend("1 1e-6 1e-5\n256 1e-6 1e-7\n");
  const Detector detector = make();
  ASSERT_EQ(detector.backend_name(), "cuda");
  EXPECT_NE(detector.backend_reason().find("fewer than 256"), std::string::npos)
      << detector.backend_reason();
  // From here on any call of the device fails, so that asking it can be seen.
  const EnvironmentVariable fail(kChoiceFailAt, "1");
  const Detector failing = make();
  EXPECT_EQ(failing.backend_name(), "cpu");
  EXPECT_NE(failing.backend_reason().find("failed"), std::string::npos);
  expect_right(failing, 300);
}

TEST_F(Choice, ADeviceThatFailsOnTheWayLeavesTheRestToTheCpu) {
  pretend("1 1e-6 1e-5\n256 1e-6 1e-7\n");
  const EnvironmentVariable fail(kChoiceFailAt, "60");  // later than the room's way there
  const Detector detector = make();
  ASSERT_EQ(detector.backend_name(), "cuda") << detector.backend_reason();
  // Too few for the device: it is not asked, and so cannot fail.
  for (int i = 0; i < 100; ++i) {
    static_cast<void>(detector.check(take_.avatar, steps_[static_cast<std::size_t>(i)]));
  }
  Stream stream(detector, take_.avatar);
  static_cast<void>(stream.check(steps_.front()));
  EXPECT_EQ(detector.fallback(), "");
  expect_right(detector, 599);
  EXPECT_NE(detector.fallback(), "");
}

TEST_F(Choice, ADamagedMemoryIsMeasuredAnew) {
  static_cast<void>(make());
  std::ofstream(kept()) << "nonsense";
  const Detector detector = make();
  ASSERT_EQ(detector.warnings().size(), 1U);
  EXPECT_NE(detector.warnings().front().find("measured anew"), std::string::npos);
  EXPECT_TRUE(make().warnings().empty());
  expect_right(detector, 300);
}

TEST_F(Choice, LittleWorkOpensNothing) {
  DetectorOptions few = options();
  few.expected_steps = 10;
  const EnvironmentVariable fail(kChoiceFailAt, "1");
  const Detector detector = Detector::make(room_, few).value();
  EXPECT_EQ(detector.backend_name(), "cpu");
  EXPECT_NE(detector.backend_reason().find("the CPU needs"), std::string::npos)
      << detector.backend_reason();
}

TEST_F(Choice, AnEmptyRoomOpensNothing) {
  const Detector detector = Detector::make(Environment(), options()).value();
  EXPECT_EQ(detector.backend_name(), "cpu");
  EXPECT_EQ(detector.backend_reason(), "the room is empty");
}

TEST_F(Choice, AMovedRoomAndOtherOptionsKeepIt) {
  pretend("1 1e-6 1e-7\n4 1e-6 1e-7\n");
  const Detector detector = make();
  const Detector moved = detector.with_environment(room_).value();
  EXPECT_EQ(moved.backend_name(), "cuda");
  EXPECT_EQ(moved.backend_reason(), detector.backend_reason());
  DetectorOptions wider = detector.options();
  wider.margin = 0.01;
  EXPECT_EQ(detector.with_options(wider)->backend_name(), "cuda");
}

TEST_F(Choice, NonsenseAboutDevicesIsAnError) {
  const EnvironmentVariable named("TOCSIN_CUDA_DEVICE", "seven");
  const auto detector = Detector::make(room_, options());
  ASSERT_FALSE(detector);
  EXPECT_EQ(detector.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace tocsin::choice_cuda_test
