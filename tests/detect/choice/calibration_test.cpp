// When a device is worth asking: with a clock of the test's own, so that every time is known.
#include "detect/choice/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "support/scenes/random_scene.h"

namespace tocsin::calibration_test {
namespace {

using detect::Calibration;
using detect::kNeverAsked;
using detect::SampleSteps;

/// Answers nothing, and takes `each` seconds a step and `more` a call.
class Clocked : public detect::RoomBackend {
 public:
  Clocked(double& clock, double more, double each) : clock_(clock), more_(more), each_(each) {}

  [[nodiscard]] detect::Unanswered check(std::span<const detect::Question> questions,
                                         std::size_t instants, const detect::QuestionOptions&,
                                         std::span<StepReport> reports) const override {
    clock_ += more_ + each_ * static_cast<double>(questions.size());
    asked += questions.size();
    for (StepReport& report : reports) report.safe_until = free_until;
    if (!fails) return {};
    return {std::vector<std::uint8_t>(instants, 1), why};
  }
  [[nodiscard]] std::string name() const override { return "clocked"; }
  [[nodiscard]] std::string device() const override { return "a clock"; }
  [[nodiscard]] detect::Pace pace() const override { return detect::Pace::kCpu; }

  mutable std::size_t asked = 0;
  double free_until = 1.0;
  bool fails = false;
  std::optional<Error> why;

 private:
  double& clock_;
  double more_;
  double each_;
};

class CalibrationTest : public testing::Test {
 protected:
  Result<Calibration> measure(const detect::RoomBackend& cpu, const detect::RoomBackend& device) {
    return detect::calibrate(cpu, device, sample_, [this] { return clock_; });
  }

  double clock_ = 0.0;
  SampleSteps sample_{test::random_cloud(20), detect::kMostMeasured};
};

TEST_F(CalibrationTest, ADeviceIsAskedFromWhereItsHeadStartIsPaidFor) {
  const Clocked cpu(clock_, 0.0, 4e-6);
  const Clocked device(clock_, 200e-6, 0.2e-6);
  const auto measured = measure(cpu, device);
  ASSERT_TRUE(measured) << measured.error().message;
  ASSERT_EQ(measured->points.size(), 7U);  // 1, 4, ..., 4096
  // 200 + 0.2 n <= 0.9 * 4 n, that is n >= 58.8.
  EXPECT_EQ(measured->least_batch(), 64U);
  EXPECT_NEAR(measured->points[3].device, 212.8e-6, 1e-12);
  EXPECT_EQ(measured->in_words(),
            "of 4096 steps asked at once it takes 0.2 us each, the CPU 4.0 us");
}

TEST_F(CalibrationTest, ADeviceThatIsHardlyFasterIsNeverAsked) {
  const auto measured = measure(Clocked(clock_, 0.0, 1e-6), Clocked(clock_, 0.0, 0.95e-6));
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured->least_batch(), kNeverAsked);
}

TEST_F(CalibrationTest, ADeviceThatIsFasterForFewOnlyIsNeverAsked) {
  const auto measured = measure(Clocked(clock_, 1e-3, 1e-6), Clocked(clock_, 0.0, 2e-6));
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured->least_batch(), kNeverAsked);
}

TEST_F(CalibrationTest, ADeviceThatIsAlwaysFasterIsAlwaysAsked) {
  const auto measured = measure(Clocked(clock_, 0.0, 1e-5), Clocked(clock_, 1e-6, 1e-6));
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured->least_batch(), 1U);
}

TEST_F(CalibrationTest, ItEndsInTime) {
  // 100 us a step on either: 3 runs of 4096 would take 2.5 s.
  for (const double each : {1e-6, 1e-5, 1e-4, 1e-3, 2e-2}) {
    const Clocked cpu(clock_, 0.0, each);
    const Clocked device(clock_, 0.0, 0.5 * each);
    const auto measured = measure(cpu, device);
    ASSERT_TRUE(measured);
    ASSERT_FALSE(measured->points.empty());
    double taken = 0.0;  // without the first answer
    for (const auto& p : measured->points) taken += 3 * (p.cpu + p.device);
    if (measured->points.size() > 1) {
      EXPECT_LE(taken, detect::kCalibrationTime);
    }
    EXPECT_EQ(measured->least_batch(), 1U);
  }
}

TEST_F(CalibrationTest, ASlowDeviceIsAskedOnceAndNoMore) {
  for (const double each : {0.06, 0.3, 5.0}) {
    const Clocked cpu(clock_, 0.0, 1e-3);
    const Clocked device(clock_, 0.0, each);
    const auto measured = measure(cpu, device);
    ASSERT_TRUE(measured);
    EXPECT_EQ(measured->least_batch(), kNeverAsked);
    // The first answer, and as many more as fit, but one.
    const auto fit = static_cast<std::size_t>(detect::kCalibrationTime / (each + 1e-3));
    EXPECT_EQ(device.asked, 1 + std::max<std::size_t>(fit, 1));
  }
}

TEST_F(CalibrationTest, ADeviceThatDisagreesIsRefused) {
  const Clocked cpu(clock_, 0.0, 1e-6);
  Clocked device(clock_, 0.0, 1e-7);
  device.free_until = 0.5;
  const auto measured = measure(cpu, device);
  ASSERT_FALSE(measured);
  EXPECT_EQ(measured.error().code, ErrorCode::kInput);
}

TEST_F(CalibrationTest, ADeviceThatFailsIsRefusedWithItsReason) {
  const Clocked cpu(clock_, 0.0, 1e-6);
  Clocked device(clock_, 0.0, 1e-7);
  device.fails = true;
  const auto silent = measure(cpu, device);
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().code, ErrorCode::kResource);
  device.why = Error{ErrorCode::kResource, "it burns"};
  EXPECT_EQ(measure(cpu, device).error().message, "it burns");
}

TEST(CalibrationText, ComesBackAsItWas) {
  const Calibration written{{{1, 1.25e-6, 3.5e-5}, {4, 0.1, 1.0 / 3.0}}};
  const std::string text = detect::to_text(written, "cuda (a device), 2 threads");
  const auto read = detect::calibration_from_text(text, "cuda (a device), 2 threads");
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->points.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read->points[i].steps, written.points[i].steps);
    EXPECT_EQ(read->points[i].cpu, written.points[i].cpu);
    EXPECT_EQ(read->points[i].device, written.points[i].device);
  }
}

TEST(CalibrationText, IsRefusedIfItIsDamagedOrOfSomethingElse) {
  const std::string text = detect::to_text({{{1, 1e-6, 2e-6}, {4, 3e-6, 2e-6}}}, "key");
  EXPECT_FALSE(detect::calibration_from_text(text, "another"));
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    EXPECT_FALSE(detect::calibration_from_text(text.substr(0, size), "key")) << size;
  }
  const std::string title = "tocsin calibration 1\nkey\n";
  for (const char* points : {"end\n", "4 1 1\n1 1 1\nend\n", "1 -1 1\nend\n", "1 nan 1\nend\n",
                             "1 1 inf\nend\n", "0 1 1\nend\n", "x 1 1\nend\n", "1 1\nend\n"}) {
    EXPECT_FALSE(detect::calibration_from_text(title + points, "key")) << points;
  }
  EXPECT_TRUE(detect::calibration_from_text(title + "1 1 1\nend\n", "key"));
}

}  // namespace
}  // namespace tocsin::calibration_test
