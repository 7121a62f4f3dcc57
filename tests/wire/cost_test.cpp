// What frames and reports cost: 500 avatars at 90 Hz are 45,000 of each in a second. Counts what
// operator new hands out.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "wire/random_values.h"
#include "wire/reports.h"
#include "wire/skeletons.h"
#include "wire/through_wire.h"
#include "wire/values.h"

namespace {

std::atomic<std::size_t> calls{0};
std::atomic<std::size_t> live{0};
std::atomic<std::size_t> peak{0};

void* counted(std::size_t size) {
  void* const p = std::malloc(size);
  if (p == nullptr) throw std::bad_alloc();
  ++calls;
  const std::size_t now = live += malloc_usable_size(p);
  if (now > peak) peak = now;
  return p;
}

void release(void* p) {
  if (p != nullptr) live -= malloc_usable_size(p);
  std::free(p);
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t /*size*/) noexcept { release(p); }
void operator delete[](void* p, std::size_t /*size*/) noexcept { release(p); }

namespace tocsin::test {
namespace {

constexpr int kTimes = 2000;

/// As many joints as a take of CMU's has, all but the root at their rest translations.
Skeleton body() {
  std::vector<Joint> joints;
  for (int i = 0; i < 38; ++i) {
    joints.push_back({"joint_" + std::to_string(i), i == 0 ? -1 : (i - 1) / 2, {{}, {0, 0.1, 0}}});
  }
  return *Skeleton::create(std::move(joints));
}

struct Cost {
  double allocations = 0.0;  ///< per call
  double microseconds = 0.0;
};

/// After the first calls, which may fill what later ones use again.
template <class Call>
Cost cost_of(const char* what, Call call) {
  for (int i = 0; i < 3; ++i) call();
  const std::size_t before = calls;
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < kTimes; ++i) call();
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  const Cost cost{static_cast<double>(calls - before) / kTimes, took.count() / kTimes};
  std::printf("%-34s %6.2f us, %5.2f allocations\n", what, cost.microseconds, cost.allocations);
  return cost;
}

TEST(WireCost, AFrameAllocatesNothing) {
  const Skeleton skeleton = body();
  const wire::PoseCodec codec(skeleton);
  RandomValues random(8);
  for (const bool at_rest : {true, false}) {
    const TrackFrame frame{1, 0.5, random.pose(skeleton, at_rest)};
    v1::Frame message;
    TrackFrame back;
    EXPECT_EQ(cost_of("frame to wire", [&] { codec.to_wire(frame, message); }).allocations, 0.0);
    const auto read = [&] { EXPECT_TRUE(codec.from_wire(message, back).ok()); };
    EXPECT_EQ(cost_of("frame from wire", read).allocations, 0.0);
    std::printf("%zu bytes\n", message.ByteSizeLong());
  }
}

/// A new message each time, as a stream makes them: the parts of the message, no more.
TEST(WireCost, AReportAllocatesItsParts) {
  const Skeleton skeleton = body();
  const wire::PoseCodec codec(skeleton);
  TrackReport report;
  report.result.safe_until = 1.0;
  const auto make = [&] {
    v1::Reports message;
    wire::to_wire(report, codec, *message.add_reports());
  };
  // The list and its entry, from, to, timing.
  EXPECT_LE(cost_of("free report to wire", make).allocations, 5.0);

  report.result.contacts.resize(3);
  report.names.assign(3, {"left_forearm", "a_name_that_fits_no_small_string"});
  // Per contact: it, its point, a string for its link, one with its bytes for its object; and the
  // list of them.
  EXPECT_LE(cost_of("report of 3 contacts to wire", make).allocations, 5.0 + 1.0 + 3 * 5.0);

  v1::StepReport message;
  wire::to_wire(report, codec, message);
  const auto read = [&] { EXPECT_TRUE(wire::from_wire(message, codec).ok()); };
  // Contacts, their names, the long strings.
  EXPECT_LE(cost_of("report of 3 contacts from wire", read).allocations, 2.0 + 3.0);
}

/// Most bytes held at a time beyond what was held before.
template <class Call>
std::size_t peak_of(Call call) {
  const std::size_t before = live;
  peak = before;
  call();
  return peak - before;
}

TEST(WireCost, AMillionOfAnythingIsRefusedForNothing) {
  v1::Open open;
  open.mutable_skeleton()->add_joints()->set_parent(-1);
  v1::Open joints = open;
  v1::Open links = open;
  v1::Open aliases = open;
  v1::Open patterns = open;
  for (int i = 0; i < 1'000'000; ++i) {
    joints.mutable_skeleton()->add_joints();
    links.mutable_inline_model()->add_links();
    aliases.mutable_inline_model()->add_aliases();
    patterns.add_ignore();
  }
  for (const v1::Open* message : {&joints, &links, &aliases, &patterns}) {
    const auto start = std::chrono::steady_clock::now();
    const std::size_t before = calls;
    const std::size_t bytes = peak_of([&] { EXPECT_FALSE(wire::from_wire(*message).ok()); });
    const std::size_t allocations = calls - before;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("a million of them refused: %zu bytes, %zu allocations, %.4f s\n", bytes,
                allocations, took.count());
    // 16,384 tables of names may be made before the next is one too many.
    EXPECT_LT(bytes, message == &aliases ? 4U << 20U : 16U << 10U);
    EXPECT_LT(allocations, 100U);
  }
  const wire::PoseCodec codec(body());
  v1::Frame frame;
  frame.mutable_pose()->mutable_rotations()->Resize(1'000'000, 1.0);
  TrackFrame back;
  EXPECT_LT(peak_of([&] { EXPECT_FALSE(codec.from_wire(frame, back).ok()); }), 16U << 10U);
}

}  // namespace
}  // namespace tocsin::test
