// More pairs of boxes than 32 bits count.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "boxes_of_steps.h"
#include "core/bounds/box.h"
#include "gpu/cuda/device/failure.h"
#include "gpu/cuda/stages/broadphase.h"
#include "support/cuda_devices.h"

namespace tocsin::cuda::broadphase_full_test {
namespace {

using core::Box;
using core::batch::LinkPair;
using test::BoxesOfSteps;
using test::BoxesOnDevice;

// 4.3e9 comparisons: not for every day.
TEST(BroadphaseOfMany, MoreThan32BitsOfPairsAreCountedNotListed) {
  constexpr std::uint64_t kLinks = 65'537;
  const std::vector<Box> links(kLinks, Box{{0, 0, 0}, {1, 1, 1}});
  BoxesOfSteps scene;
  scene.add(0, links);
  scene.add(0, links);
  const auto device = test::open_cuda({.emulate = true});
  Broadphase broadphase(device);
  BoxesOnDevice batch(device);
  batch.set(scene);
  const std::size_t free = device->free_memory();
  try {
    broadphase.pairs(batch.view(), batch.boxes(), batch.tallies());
    FAIL() << "2^32 pairs";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), FailureKind::kMemory);
    EXPECT_NE(std::string(failure.what()).find("4295098369 pairs of links"), std::string::npos)
        << failure.what();
  }
  EXPECT_LT(free - device->free_memory(), 10'000'000U);  // not asked for
  EXPECT_EQ(batch.link_pairs(), (std::vector<std::uint64_t>{0, 0}));
  const std::vector<LinkPair> last =
      broadphase.take(kLinks * kLinks - 2, kLinks * kLinks).download();
  EXPECT_EQ(last, (std::vector<LinkPair>{{65'536, 131'072}, {65'536, 131'073}}));
}

}  // namespace
}  // namespace tocsin::cuda::broadphase_full_test
