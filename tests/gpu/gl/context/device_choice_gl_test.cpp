// Which device a detector takes, and which options it refuses.
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "gpu/gl/gl_detector_test.h"
#include "support/environment_variable.h"
#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"
#include "tocsin/devices.h"

namespace tocsin::device_choice_gl_test {
namespace {

using test::EnvironmentVariable;
using test::expect_same;
using test::RandomLinks;
using test::RandomTake;
using test::reports_of_run;

class GlDeviceChoice : public test::GlDetectorTest {};

/// The first usable device that has an index.
std::optional<int> usable_device() {
  for (const DeviceInfo& device : list_devices()) {
    if (device.backend == Backend::kGl && device.usable && device.index >= 0) return device.index;
  }
  return std::nullopt;
}

TEST_F(GlDeviceChoice, AutoTakesTheDeviceThatIsNamed) {
  const std::optional<int> device = usable_device();
  if (!device) GTEST_SKIP() << "no OpenGL device that can be named";
  RandomLinks random(512);
  const RandomTake take = test::random_take(random, 6, 10, 0.2, 0.1);
  const Environment room = test::random_room(random, 4, 60, 1.0);
  const StepList list = take.motion.steps().value();
  const std::vector<Step> steps(list.begin(), list.end());
  DetectorOptions options;
  options.gl.device = device;
  const Detector named = Detector::make(room, options).value();
  EXPECT_EQ(named.backend_name(), "gl");
  EXPECT_NE(named.device_name(), "");
  EXPECT_TRUE(named.warnings().empty());
  const Detector cpu = Detector::make(room, {.backend = Backend::kCpu}).value();
  EXPECT_EQ(cpu.backend_name(), "cpu");
  expect_same(reports_of_run(named, take.avatar, steps), reports_of_run(cpu, take.avatar, steps));
}

TEST_F(GlDeviceChoice, AutoTakesTheDeviceOfTheVariable) {
  const Environment room;
  {
    const EnvironmentVariable none(gl::kDeviceVariable, "");
    EXPECT_EQ(Detector::make(room)->backend_name(), "cpu");
  }
  const EnvironmentVariable strange(gl::kDeviceVariable, "4711");
  const Detector without = Detector::make(room).value();
  EXPECT_EQ(without.backend_name(), "cpu");
  EXPECT_EQ(without.warnings().size(), 1U);
  {
    const EnvironmentVariable senseless(gl::kDeviceVariable, "first");
    const auto refused = Detector::make(room);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
  }
  const std::optional<int> device = usable_device();
  if (!device) return;
  const EnvironmentVariable named(gl::kDeviceVariable, std::to_string(*device));
  EXPECT_EQ(Detector::make(room)->backend_name(), "gl");
  EXPECT_EQ(Detector::make(room, {.backend = Backend::kCpu})->backend_name(), "cpu");
}

TEST_F(GlDeviceChoice, ADeviceThatIsNotThere) {
  RandomLinks random(513);
  const RandomTake take = test::random_take(random, 6, 4, 0.2, 0.1);
  const Environment room = test::random_room(random, 2, 20, 1.0);
  DetectorOptions options;
  options.gl.device = 4711;
  const Detector chosen = Detector::make(room, options).value();
  EXPECT_EQ(chosen.backend_name(), "cpu");
  ASSERT_EQ(chosen.warnings().size(), 1U);
  EXPECT_NE(chosen.warnings()[0].find("4711"), std::string::npos) << chosen.warnings()[0];
  const Step step = take.motion.steps().value()[0];
  expect_same(chosen.check(take.avatar, step),
              Detector::make(room, {.backend = Backend::kCpu})->check(take.avatar, step));
  options.backend = Backend::kGl;
  const auto wanted = Detector::make(room, options);
  ASSERT_FALSE(wanted);
  EXPECT_EQ(wanted.error().code, ErrorCode::kUnavailable);
  // Nobody else can answer without certify.
  options.backend = Backend::kAuto;
  options.experiments.certify = false;
  EXPECT_FALSE(Detector::make(room, options));
}

// These need no device.
TEST(GlOptions, OutOfRangeAreErrors) {
  const auto with = [](auto change) {
    DetectorOptions options;
    options.backend = Backend::kGl;
    change(options);
    return options;
  };
  for (const DetectorOptions& o :
       {with([](auto& p) { p.gl.width = 7; }), with([](auto& p) { p.gl.height = 8193; }),
        with([](auto& p) { p.gl.width = -1; }),
        with([](auto& p) { p.gl.height = std::numeric_limits<int>::max(); }),
        with([](auto& p) { p.experiments.surface = GlSurface::kPaper; }), with([](auto& p) {
          p.experiments.surface = GlSurface::kPaper;
          p.gl.method = GlMethod::kQuery;
          p.experiments.certify = false;
        }),
        with([](auto& p) {
          p.experiments.certify = false;
          p.clearance = true;
        }),
        with([](auto& p) {
          p.experiments.certify = false;
          p.backend = Backend::kCpu;
        })}) {
    const auto detector = Detector::make(Environment(), o);
    ASSERT_FALSE(detector);
    EXPECT_EQ(detector.error().code, ErrorCode::kUsage) << detector.error().message;
  }
}

}  // namespace
}  // namespace tocsin::device_choice_gl_test
