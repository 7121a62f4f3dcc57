// What a device does not live to answer: "auto" gets it from the CPU, and is told; "gl" gets an
// error.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cpu/tree/make_tree_culler.h"
#include "detect/backends/detector_core.h"
#include "devices/gl/gl_backend.h"
#include "gpu/gl/gl_test.h"
#include "support/scenes/random_scene.h"

namespace tocsin::fallback_test {
namespace {

using gl::DeviceThread;

class Fallback : public test::GlTest {
 protected:
  Fallback() {
    test::RandomLinks random(7);
    room_ = test::random_room(random, 4, 200, 2.5);
    take_ = test::random_take(random, 8, 9, 0.5, 0.2);
    steps_ = take_.motion.steps().value();
    tree_ = cpu::make_tree_culler(room_);
  }

  void TearDown() override {}  // this device is not asked

  [[nodiscard]] std::shared_ptr<const detect::ExactStep> exact(
      const DetectorOptions& options) const {
    return std::make_shared<const detect::ExactStep>(room_, options, tree_);
  }

  std::unique_ptr<detail::DetectorCore> core_on_gl(Backend asked, bool certify = true) {
    const auto step = exact(
        {.backend = asked, .gl = {.width = 32, .height = 32}, .experiments = {.certify = certify}});
    auto room = devices::GlRoom::create(step);
    EXPECT_TRUE(room.ok()) << room.error().message;
    device_ = room.value();
    return std::make_unique<detail::DetectorCore>(
        step, std::make_shared<const devices::GlBackend>(device_), std::vector<std::string>());
  }

  std::vector<StepReport> check(const detail::DetectorCore& core) const {
    std::vector<StepReport> out(steps_.size());
    core.check_all(take_.avatar, steps_, {}, out);
    return out;
  }

  std::vector<StepReport> on_cpu() const {
    return check(detail::DetectorCore(exact({}), nullptr, {}));
  }

  void expect_same(const std::vector<StepReport>& got) const {
    const std::vector<StepReport> want = on_cpu();
    std::size_t contacts = 0;
    for (std::size_t i = 0; i < want.size(); ++i) {
      EXPECT_FALSE(got[i].error) << got[i].error->message;
      EXPECT_EQ(got[i].contacts, want[i].contacts) << i;
      EXPECT_EQ(got[i].safe_until, want[i].safe_until) << i;
      contacts += want[i].contacts.size();
    }
    EXPECT_GE(contacts, want.size());
  }

  Environment room_;
  test::RandomTake take_;
  StepList steps_;
  std::shared_ptr<const cpu::TreeCuller> tree_;
  std::shared_ptr<const devices::GlRoom> device_;  ///< of the last core
};

TEST_F(Fallback, ALostContextHandsTheRestToTheCpuAndSaysSo) {
  const auto core = core_on_gl(Backend::kAuto);
  expect_same(check(*core));
  EXPECT_EQ(core->fallback(), "");
  device_->device_thread().inject(DeviceThread::Fault::kContextLost, 0);
  expect_same(check(*core));
  EXPECT_NE(core->fallback().find("lost"), std::string::npos) << core->fallback();
  expect_same(check(*core));  // and from then on
}

TEST_F(Fallback, AskedForByNameALostContextIsAnError) {
  const auto core = core_on_gl(Backend::kGl);
  device_->device_thread().inject(DeviceThread::Fault::kContextLost, 0);
  for (int round = 0; round < 2; ++round) {
    for (const StepReport& report : check(*core)) {
      ASSERT_TRUE(report.error);
      EXPECT_EQ(report.error->code, ErrorCode::kResource);
      EXPECT_EQ(report.safe_until, 0.0);
      EXPECT_TRUE(report.contacts.empty());
    }
  }
}

TEST_F(Fallback, AMovedRoomNeedsTheDeviceThatWasAskedFor) {
  for (const bool certify : {true, false}) {
    const auto core = core_on_gl(certify ? Backend::kGl : Backend::kAuto, certify);
    device_->device_thread().inject(DeviceThread::Fault::kContextLost, 0);
    EXPECT_TRUE(check(*core).front().error);
    const auto moved = core->with_environment(room_);
    EXPECT_FALSE(moved.ok());
    EXPECT_EQ(moved.error().code, ErrorCode::kResource);
  }
}

TEST_F(Fallback, AMovedRoomGoesToTheCpuIfTheChoiceIsOurs) {
  const auto core = core_on_gl(Backend::kAuto);
  device_->device_thread().inject(DeviceThread::Fault::kOutOfMemory, 0);
  const auto moved = core->with_environment(room_);
  ASSERT_TRUE(moved.ok()) << moved.error().message;
  EXPECT_EQ((*moved)->device(), nullptr);
  ASSERT_EQ((*moved)->warnings().size(), 1U);
  EXPECT_NE((*moved)->warnings().front().find("the CPU checks the moved room"), std::string::npos);
  expect_same(check(**moved));
  // What it was moved from has lost nothing.
  EXPECT_EQ(core->fallback(), "");
  EXPECT_TRUE(core->asks_ahead(1));
  expect_same(check(*core));
}

TEST_F(Fallback, WhoWantsToStopDoesNotWaitForTheTake) {
  const auto core = core_on_gl(Backend::kGl);
  std::stop_source stop;
  stop.request_stop();
  std::vector<StepReport> out(steps_.size());
  core->check_all(take_.avatar, steps_, stop.get_token(), out);
  for (const StepReport& report : out) EXPECT_EQ(report.counters.box_pairs, 0U);
  EXPECT_EQ(core->fallback(), "");
}

TEST_F(Fallback, ExhaustedMemoryMakesBatchesSmaller) {
  const auto core = core_on_gl(Backend::kGl);
  device_->device_thread().inject(DeviceThread::Fault::kOutOfMemory, 0);
  expect_same(check(*core));
  EXPECT_EQ(core->fallback(), "");
}

}  // namespace
}  // namespace tocsin::fallback_test
