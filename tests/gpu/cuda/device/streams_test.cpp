// Streams of a device, and the events that order them. What has no event between is in no order,
// and an emulated device shows it.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/device/device_test_bodies.h"
#include "gpu/cuda/device/event.h"
#include "gpu/cuda/device/pinned_array.h"
#include "support/cuda_devices.h"

namespace tocsin::cuda::streams_test {
namespace {

constexpr std::size_t kSize = 100;

/// A number goes up, is worked on twice, and comes down again, each by its own stream: 3 (3 x + 1)
/// + 1 where every event waits. What comes down without them, too.
class RoundTrip {
 public:
  explicit RoundTrip(const std::shared_ptr<Device>& device)
      : device_(device),
        up_(device),
        down_(device),
        there_(device),
        done_(device),
        back_(device),
        array_(device) {
    up_.resize(kSize);
    down_.resize(kSize);
    array_.resize(kSize);
    array_.fill(0);
    device_->synchronize();
  }

  /// What comes back of `number`. up, down: work waits for the copy up; the copy down for work.
  std::uint32_t operator()(std::uint32_t number, bool up = true, bool down = true) {
    for (std::uint32_t& n : up_) n = number;
    for (std::uint32_t& n : down_) n = 0;
    device_->upload(Stream::kUp, array_.data(), up_.data(), kSize * sizeof(std::uint32_t));
    there_.record(Stream::kUp);
    if (up) there_.wait_in(Stream::kWork);
    for (int i = 0; i < 2; ++i) device_->launch(kSize, test::TripleAndOne{array_.data()});
    done_.record(Stream::kWork);
    if (down) done_.wait_in(Stream::kDown);
    device_->download(Stream::kDown, down_.data(), array_.data(), kSize * sizeof(std::uint32_t));
    back_.record(Stream::kDown);
    back_.wait();
    const std::uint32_t out = down_[kSize - 1];
    device_->synchronize();
    return out;
  }

 private:
  std::shared_ptr<Device> device_;
  PinnedArray<std::uint32_t> up_;
  PinnedArray<std::uint32_t> down_;
  Event there_;
  Event done_;
  Event back_;
  Array<std::uint32_t> array_;
};

class CudaStreams : public test::OnCudaDevice {};
TOCSIN_ON_CUDA_DEVICES(CudaStreams);

TEST_P(CudaStreams, EventsPutThemInOrder) {
  RoundTrip trip(device());
  for (std::uint32_t number = 1; number < 200; ++number) ASSERT_EQ(trip(number), 9 * number + 4);
}

TEST_P(CudaStreams, NobodyWaitsForWhatWasNeverRecorded) {
  Event never(device());
  never.wait_in(Stream::kWork);
  never.wait();
  RoundTrip trip(device());
  EXPECT_EQ(trip(1), 13U);
}

/// As late as may be: only what somebody waits for happens at all.
TEST(LateCudaStreams, DoNothingThatNobodyWaitsFor) {
  const auto device = test::open_cuda({.emulate = true, .threads = 1, .pace = Pace::kLate});
  RoundTrip trip(device);
  EXPECT_EQ(trip(1), 13U);
  EXPECT_EQ(trip(2, true, false), 13U);                     // what was there before
  EXPECT_EQ(trip(3, false, true), (9 * (9 * 2 + 4)) + 4U);  // work on that
}

/// At any time: each order that events leave open comes about.
TEST(CudaStreamsAtAnyTime, TakeEveryOrderThatIsLeft) {
  const auto device = test::open_cuda({.emulate = true, .threads = 1, .pace = Pace::kAnyTime});
  RoundTrip trip(device);
  std::set<bool> without_up;
  std::set<bool> without_down;
  for (std::uint32_t number = 1; number < 200; ++number) {
    without_up.insert(trip(number, false, true) == 9 * number + 4);
    without_down.insert(trip(number, true, false) == 9 * number + 4);
    ASSERT_EQ(trip(number), 9 * number + 4);
  }
  EXPECT_EQ(without_up.size(), 2U);
  EXPECT_EQ(without_down.size(), 2U);
}

}  // namespace
}  // namespace tocsin::cuda::streams_test
