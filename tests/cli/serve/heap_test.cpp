// Memory that was freed goes back to the system, also from below a block that lives on.
#include "app/serve/heap.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "base/process_memory.h"
#include "base/sanitized.h"

namespace tocsin::app::heap_test {
namespace {

#ifdef __GLIBC__
constexpr bool kGivesBack = !base::kSanitized;
#else
constexpr bool kGivesBack = false;  // an allocator of its own
#endif

constexpr std::size_t kBlock = 16 << 10;
constexpr std::size_t kBlocks = 6'000;  // 94 MiB

std::uint64_t resident_bytes() { return base::process_memory().resident; }

TEST(Heap, FreedPagesGoBackFromBelowABlockThatLivesOn) {
  if (!kGivesBack) GTEST_SKIP() << "the sanitizers' allocator keeps what is freed";
  HeapKeeper keeper;
  const std::uint64_t before = resident_bytes();
  ASSERT_GT(before, 0U);
  std::unique_ptr<char[]> pin;
  std::thread([&pin] {  // an arena of its own
    std::vector<std::unique_ptr<char[]>> blocks(kBlocks);
    for (auto& block : blocks) {
      block = std::make_unique<char[]>(kBlock);
      std::memset(block.get(), 1, kBlock);
    }
    pin = std::move(blocks.back());
  })
      .join();
  EXPECT_GT(resident_bytes(), before + (40U << 20))
      << "nothing was retained: the test shows nothing";
  EXPECT_TRUE(keeper.trim());
  EXPECT_LT(resident_bytes(), before + (16U << 20));
  EXPECT_FALSE(keeper.trim()) << "it has just been done";
}

/// What was given back once, used again and freed later: memory has not grown by then.
TEST(Heap, FreedPagesGoBackLongAfterTheMemoryGrew) {
  if (!kGivesBack) GTEST_SKIP() << "the sanitizers' allocator keeps what is freed";
  std::vector<std::unique_ptr<char[]>> blocks(kBlocks);
  std::unique_ptr<char[]> pin;
  const std::uint64_t before = resident_bytes();
  HeapKeeper keeper;
  for (auto& block : blocks) {
    block = std::make_unique<char[]>(kBlock);
    std::memset(block.get(), 1, kBlock);
  }
  pin = std::make_unique<char[]>(kBlock);
  EXPECT_TRUE(keeper.trim());
  EXPECT_FALSE(keeper.trim());
  blocks.clear();
  EXPECT_GT(resident_bytes(), before + (40U << 20)) << "nothing was retained";
  EXPECT_TRUE(keeper.trim());
  EXPECT_LT(resident_bytes(), before + (16U << 20));
  EXPECT_FALSE(keeper.trim());
}

TEST(Heap, LargeBlocksGoBackAtOnceFromBelowABlockThatLivesOn) {
  if (!kGivesBack) GTEST_SKIP() << "the sanitizers' allocator keeps what is freed";
  keep_large_blocks_apart();
  std::make_unique<char[]>(16U << 20).reset();  // would raise the C library's own threshold
  const std::uint64_t before = resident_bytes();
  std::vector<std::unique_ptr<char[]>> blocks(48);
  for (auto& block : blocks) {
    block = std::make_unique<char[]>(1U << 20);
    std::memset(block.get(), 1, 1U << 20);
  }
  const auto pin = std::make_unique<char[]>(kBlock);
  EXPECT_GT(resident_bytes(), before + (40U << 20));
  blocks.clear();
  EXPECT_LT(resident_bytes(), before + (16U << 20));
}

}  // namespace
}  // namespace tocsin::app::heap_test
