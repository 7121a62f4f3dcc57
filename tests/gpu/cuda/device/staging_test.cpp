// Memory that a device copies from is not rewritten before it has.
#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

#include "gpu/cuda/device/array.h"
#include "gpu/cuda/stages/batch_data.h"
#include "support/cuda_batch.h"
#include "support/cuda_devices.h"

namespace tocsin::test {
namespace {

class Staging : public OnCudaDevice {};
TOCSIN_ON_CUDA_DEVICES(Staging);

/// Nothing between upload and the next batch waits for the device but BatchData itself: a check
/// that fails half way leaves it like that.
TEST_P(Staging, TheNextBatchLeavesThePosesOfTheLastInPeace) {
  RandomLinks random(71);
  ItemList list;
  list.add(random_take(random, 12, 41, 0.3, 0.2));
  const std::span<const cuda::BatchItem> all = list.items();
  ASSERT_EQ(all.size(), 40U);
  cuda::BatchData batch(device());
  cuda::Array<Transform> poses(device());
  batch.set(all.first(20), list.groups(), 1, 0.0);
  const Transform* const place = batch.poses.data();
  const std::vector<Transform> want(batch.poses.all().begin(), batch.poses.all().end());
  poses.upload(batch.poses.all());
  batch.set(all.last(20), list.groups(), 1, 0.0);
  ASSERT_EQ(batch.poses.data(), place) << "or nothing was rewritten";
  EXPECT_NE(batch.poses.data()[0], want[0]);
  EXPECT_EQ(poses.download(), want);
}

}  // namespace
}  // namespace tocsin::test
