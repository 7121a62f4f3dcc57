// Pieces of a batch overlap: whatever a device does when, and wherever it fails or is stopped, the
// answers are the CPU's.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "gpu/cuda/stages/batch_checker.h"
#include "gpu/cuda/stages/batch_scene.h"
#include "gpu/cuda/stages/check_pieces.h"
#include "gpu/cuda/stages/device_room.h"
#include "gpu/cuda/stages/kdop_bvh.h"
#include "support/cuda_devices.h"

namespace tocsin::overlap_test {
namespace {

using test::BatchScene;

cuda::DeviceOptions paced(cuda::Pace pace, std::uint64_t seed) {
  return {
      .emulate = true, .threads = 2, .shuffle = true, .seed = seed, .poison = true, .pace = pace};
}

cuda::CheckerOptions pieces_of(std::size_t steps) {
  cuda::CheckerOptions out = BatchScene::options();
  out.most_steps = steps;
  return out;
}

void expect_checked(const BatchScene& scene, cuda::BatchChecker& checker) {
  std::vector<cuda::BatchAnswer> answers;
  std::size_t done = 0;
  const Status checked = scene.check(checker, answers, done);
  ASSERT_TRUE(checked) << checked.error().message;
  ASSERT_EQ(done, answers.size());
  scene.expect_same(answers);
}

class Overlap : public testing::TestWithParam<cuda::Pace> {};

TEST_P(Overlap, AnswersDependOnNoOrderThatADeviceMayTake) {
  const BatchScene alone(8980, 5, true, false, true);
  const BatchScene meeting(8981, 3, true, true, false);
  ASSERT_GT(alone.contacts(), 20U);
  ASSERT_GT(meeting.contacts(), 20U);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const auto device = test::open_cuda(paced(GetParam(), seed));
    for (const BatchScene* const scene : {&alone, &meeting}) {
      const auto checker = checker_of(device, *scene, pieces_of(2 + seed % 3));
      ASSERT_TRUE(checker);
      for (int again = 0; again < 2; ++again) expect_checked(*scene, *checker);
    }
  }
}

/// What identifies contacts, and how many steps were taken.
struct Taken {
  std::vector<std::array<double, 6>> contacts;
  std::size_t steps = 0;
  friend bool operator==(const Taken&, const Taken&) = default;
};

/// A batch on one device, piece by piece.
class Pieces {
 public:
  Pieces(const std::shared_ptr<cuda::Device>& device, const BatchScene& scene)
      : scene_(scene),
        room_(device, scene.room()),
        tree_(cuda::KdopBvh::build(device, room_.view(), 6)),
        check_(device, nullptr) {}

  /// Asks for an end once so many pieces are taken.
  Taken run(bool overlap, std::size_t stop_after) {
    constexpr std::size_t kSteps = 3;
    Taken out;
    std::stop_source stop;
    std::size_t taken = 0;
    const std::span<const cuda::BatchItem> items = scene_.items();
    const cuda::PieceRoom room{room_, *tree_, scene_.room().objects().size()};
    const auto take = [&](const cuda::PieceFound& found, std::size_t begin, std::size_t count) {
      EXPECT_EQ(begin, out.steps);
      EXPECT_EQ(found.tallies.size(), count);
      out.steps += count;
      for (const core::batch::ContactRecord& r : found.records) {
        out.contacts.push_back({static_cast<double>(r.link), static_cast<double>(r.other), r.lo,
                                r.hi, r.point.x, static_cast<double>(r.triangle)});
      }
      if (++taken == stop_after) stop.request_stop();
    };
    const bool all = cuda::check_pieces(
        check_, {room,
                 items,
                 {BatchScene::kMargin, 1e-9, std::size_t{1} << 30U, false},
                 stop.get_token(),
                 overlap,
                 [&](std::size_t begin) { return std::min(kSteps, items.size() - begin); },
                 take});
    EXPECT_EQ(all, out.steps == items.size());
    return out;
  }

 private:
  const BatchScene& scene_;
  cuda::DeviceRoom room_;
  std::unique_ptr<cuda::KdopBvh> tree_;
  cuda::PieceCheck check_;
};

/// What is under way when a batch is stopped is in nobody's way.
TEST_P(Overlap, AStoppedBatchLeavesNothingBehind) {
  const BatchScene scene(8982, 5, true, false, true);
  Pieces one_by_one(test::open_cuda(paced(cuda::Pace::kAtOnce, 1)), scene);
  const Taken want = one_by_one.run(false, 0);
  ASSERT_EQ(want.steps, scene.items().size());
  ASSERT_GT(want.contacts.size(), 20U);
  Pieces pieces(test::open_cuda(paced(GetParam(), 99)), scene);
  for (std::size_t after = 1; after < 5; ++after) {
    const Taken some = pieces.run(true, after);
    EXPECT_LT(some.steps, want.steps);
    EXPECT_GE(some.steps, 3 * after);
    EXPECT_TRUE(std::equal(some.contacts.begin(), some.contacts.end(), want.contacts.begin()));
    EXPECT_EQ(pieces.run(true, 0), want);
  }
}

INSTANTIATE_TEST_SUITE_P(At, Overlap, testing::Values(cuda::Pace::kLate, cuda::Pace::kAnyTime),
                         [](const auto& pace) {
                           return pace.param == cuda::Pace::kLate ? "Late" : "AnyTime";
                         });

}  // namespace
}  // namespace tocsin::overlap_test
