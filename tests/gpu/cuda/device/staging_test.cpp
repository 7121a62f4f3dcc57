// Memory that a device copies from is not rewritten before it has.
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "gpu/cuda/device/array.h"
#include "gpu/cuda/stages/batch_data.h"
#include "support/cuda_batch.h"
#include "support/cuda_devices.h"

namespace tocsin::test::staging_test {
namespace {

using cuda::Stream;

/// Nothing between upload and the next batch waits for the device but BatchData itself: a check
/// that is stopped half way leaves it like that.
void expect_poses_in_peace(const std::shared_ptr<cuda::Device>& device) {
  RandomLinks random(71);
  ItemList list;
  list.add(random_take(random, 12, 41, 0.3, 0.2));
  const std::span<const cuda::BatchItem> all = list.items();
  ASSERT_EQ(all.size(), 40U);
  cuda::BatchData batch(device);
  cuda::Array<Transform> poses(device);
  batch.set(all.first(20), list.groups(), 1, 0.0);
  const Transform* const place = batch.poses.data();
  const std::vector<Transform> want(batch.poses.all().begin(), batch.poses.all().end());
  poses.upload(Stream::kUp, batch.poses.all());
  batch.copies_given();
  batch.set(all.last(20), list.groups(), 1, 0.0);
  ASSERT_EQ(batch.poses.data(), place) << "or nothing was rewritten";
  EXPECT_NE(batch.poses.data()[0], want[0]);
  device->synchronize();
  EXPECT_EQ(poses.download(), want);
}

class Staging : public OnCudaDevice {};
TOCSIN_ON_CUDA_DEVICES(Staging);

TEST_P(Staging, TheNextBatchLeavesThePosesOfTheLastInPeace) { expect_poses_in_peace(device()); }

TEST(LateStaging, TheNextBatchLeavesThePosesOfTheLastInPeace) {
  expect_poses_in_peace(open_cuda({.emulate = true, .threads = 1, .pace = cuda::Pace::kLate}));
}

}  // namespace
}  // namespace tocsin::test::staging_test
