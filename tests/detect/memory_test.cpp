// Memory that runs out in the middle of a step: an error report, and the next check is sound.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <thread>

#include "support/random_scene.h"
#include "tocsin/detector.h"

namespace {

/// Allocations of this thread until one fails; negative: none does.
thread_local long allocations_left = -1;

void* allocate(std::size_t size, std::size_t alignment) {
  if (allocations_left >= 0 && allocations_left-- == 0) throw std::bad_alloc();
  void* const out =
      alignment > alignof(std::max_align_t)
          ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
          : std::malloc(size > 0 ? size : 1);
  if (out == nullptr) throw std::bad_alloc();
  return out;
}

/// Not inlined: g++ would take free() for the wrong partner of new.
[[gnu::noinline]] void release(void* p) noexcept { std::free(p); }

}  // namespace

void* operator new(std::size_t size) { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }

namespace tocsin {
namespace {

TEST(Memory, RunningOutLeavesNothingBehind) {
  test::RandomLinks random(4);
  const test::RandomTake take = test::random_take(random, 20, 4, 0.3, 0.2);
  const Environment room = test::random_room(random, 5, 80, 1.5);
  const Detector detector(room);
  const StepList steps = take.motion.steps();
  const StepReport want = detector.check(take.avatar, steps[0]);
  ASSERT_FALSE(want.contacts.empty());
  int failed = 0;
  bool through = false;
  for (long n = 0; !through && n < 1000; ++n) {
    // A thread of its own: its workspace is new, and allocates most.
    std::thread([&] {
      allocations_left = n;
      const StepReport first = detector.check(take.avatar, steps[0]);
      through = allocations_left >= 0;
      allocations_left = -1;
      if (through) {
        EXPECT_EQ(first.contacts, want.contacts);
      } else {
        ++failed;
        EXPECT_TRUE(first.error && first.error->code == ErrorCode::kResource);
        EXPECT_TRUE(first.contacts.empty());
        EXPECT_EQ(first.safe_until, 0.0);
      }
      EXPECT_EQ(detector.check(take.avatar, steps[0]).contacts, want.contacts);
    }).join();
  }
  EXPECT_TRUE(through);
  EXPECT_GT(failed, 20);
}

}  // namespace
}  // namespace tocsin
