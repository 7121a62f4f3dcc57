// Whole batches on CUDA devices, beside the CPU's answers: contacts bit for bit, however the batch
// is split and wherever the device fails.
#include "gpu/cuda/stages/batch_checker.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/cuda/stages/batch_scene.h"
#include "support/cuda_devices.h"

namespace tocsin::batch_checker_test {
namespace {

using cuda::BatchAnswer;
using cuda::BatchChecker;
using cuda::CheckerOptions;
using test::checker_of;
using Scene = test::BatchScene;

class BatchCheckerOn : public test::OnCudaDevice {};
TOCSIN_ON_CUDA_DEVICES(BatchCheckerOn);

TEST_P(BatchCheckerOn, FindsTheCpusContacts) {
  std::size_t contacts = 0;
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const Scene scene(8800 + seed, 1 + static_cast<int>(seed % 6), seed % 2 == 0, seed % 3 != 0,
                      seed % 4 == 3);
    constexpr std::array<int, 4> kKinds{6, 14, 18, 26};
    CheckerOptions options = Scene::options();
    options.k = kKinds[seed % kKinds.size()];
    const auto checker = checker_of(device(), scene, options);
    ASSERT_TRUE(checker);
    std::vector<BatchAnswer> answers;
    std::size_t done = 0;
    for (int again = 0; again < 2; ++again) {  // memory that is used again shows in nothing
      const Status checked = scene.check(*checker, answers, done);
      ASSERT_TRUE(checked) << checked.error().message;
      EXPECT_EQ(done, scene.items().size());
      scene.expect_same(answers);
    }
    contacts += scene.contacts();
  }
  EXPECT_GT(contacts, 500U);
}

/// What the kit compares: no contact depends on how the tree is asked.
TEST_P(BatchCheckerOn, HoweverTheTreeIsAsked) {
  constexpr std::array<int, 4> kKinds{6, 14, 18, 26};
  std::size_t contacts = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Scene scene(8990 + seed, 1 + static_cast<int>(seed % 5), seed % 2 == 0, seed % 3 == 0,
                      seed % 4 == 3);
    std::vector<BatchAnswer> usual;
    for (const cuda::Traversal asked :
         {cuda::Traversal{2, 0}, {1, 0}, {2, 1}, {2, 2}, {1, 2}, {2, 3}, {1, 5}}) {
      SCOPED_TRACE(testing::Message() << seed << ": " << asked.traversals << " traversals, 2^"
                                      << asked.lane_bits << " lanes");
      CheckerOptions options = Scene::options();
      options.k = kKinds[seed % kKinds.size()];
      options.traversal = asked;
      const auto checker = checker_of(device(), scene, options);
      ASSERT_TRUE(checker);
      std::vector<BatchAnswer> answers;
      std::size_t done = 0;
      for (int again = 0; again < 2; ++again) {
        ASSERT_TRUE(scene.check(*checker, answers, done));
        scene.expect_same(answers);
      }
      if (usual.empty()) usual = answers;
      for (std::size_t i = 0; i < answers.size(); ++i) {
        EXPECT_EQ(answers[i].counters.candidates, usual[i].counters.candidates);
        EXPECT_EQ(answers[i].counters.near_links, usual[i].counters.near_links);
        EXPECT_EQ(answers[i].counters.primitive_tests, usual[i].counters.primitive_tests);
        EXPECT_GE(answers[i].counters.volume_tests, usual[i].counters.volume_tests);
      }
    }
    contacts += scene.contacts();
  }
  EXPECT_GT(contacts, 200U);
}

TEST_P(BatchCheckerOn, HoweverTheTreeIsAskedInLittleMemory) {
  const Scene scene(8920, 5, true, true, true);
  std::size_t whole = 0;
  for (const cuda::Traversal asked : {cuda::Traversal{1, 0}, {2, 2}, {1, 3}}) {
    for (std::size_t memory = 1 << 15; memory <= (1U << 24); memory += memory / 3) {
      cuda::DeviceOptions small = GetParam().options;
      small.memory = memory;
      CheckerOptions options = Scene::options();
      options.traversal = asked;
      auto checker = BatchChecker::create(test::open_cuda(small), scene.room(), options);
      if (!checker.ok()) continue;
      std::vector<BatchAnswer> answers;
      std::size_t done = 0;
      ASSERT_TRUE(scene.check(*checker.value(), answers, done));
      bool all = true;
      for (const BatchAnswer& a : answers) all = all && !a.left;
      if (!all) continue;
      ++whole;
      scene.expect_same(answers);
    }
  }
  EXPECT_GT(whole, 15U);
}

TEST_P(BatchCheckerOn, AnEmptyRoomAndNobody) {
  const Scene scene(8900, 2, true, true, false);
  auto checker = BatchChecker::create(device(), Environment{}, {});
  ASSERT_TRUE(checker.ok());
  std::vector<BatchAnswer> answers(scene.items().size());
  std::size_t done = 0;
  ASSERT_TRUE(checker.value()->check(scene.items(), false, {}, answers, done));
  for (const BatchAnswer& a : answers) {
    for (const Contact& c : a.contacts) EXPECT_TRUE(c.other());
  }
  ASSERT_TRUE(checker.value()->check({}, true, {}, {}, done));
  EXPECT_EQ(done, 0U);
}

TEST_P(BatchCheckerOn, HoweverItIsSplit) {
  const Scene scene(8910, 5, true, true, true);
  ASSERT_GT(scene.contacts(), 20U);
  for (const std::size_t most : {1U, 2U, 5U, 6U, 11U, 1000U}) {
    CheckerOptions options = Scene::options();
    options.most_steps = most;
    const auto checker = checker_of(device(), scene, options);
    ASSERT_TRUE(checker);
    std::vector<BatchAnswer> answers;
    std::size_t done = 0;
    ASSERT_TRUE(scene.check(*checker, answers, done));
    scene.expect_same(answers);
  }
}

TEST_P(BatchCheckerOn, InLittleMemory) {
  const Scene scene(8920, 5, true, true, true);
  std::size_t whole = 0;
  std::size_t partly = 0;
  std::size_t refused = 0;
  for (std::size_t memory = 1 << 12; memory <= (1U << 24); memory += memory / 4) {
    cuda::DeviceOptions small = GetParam().options;
    small.memory = memory;
    auto checker = BatchChecker::create(test::open_cuda(small), scene.room(), Scene::options());
    if (!checker.ok()) {
      ++refused;
      EXPECT_EQ(checker.error().code, ErrorCode::kResource);
      continue;
    }
    std::vector<BatchAnswer> answers;
    std::size_t done = 0;
    const Status checked = scene.check(*checker.value(), answers, done);
    ASSERT_TRUE(checked) << checked.error().message;
    EXPECT_EQ(done, answers.size());
    bool all = true;
    for (std::size_t i = 0; i < answers.size(); ++i) all = all && !answers[i].left;
    if (all) {
      ++whole;
      scene.expect_same(answers);
    } else {
      ++partly;
    }
  }
  EXPECT_GT(refused, 0U);
  EXPECT_GT(partly, 0U);
  EXPECT_GT(whole, 5U);
}

TEST_P(BatchCheckerOn, WhereverItFails) {
  if (GetParam().options.emulate) {
    const Scene scene(8930, 3, true, true, true);
    std::size_t complete = 0;
    std::size_t cut = 0;
    for (std::uint64_t fail_at = 1; complete == 0 && fail_at < 2000; ++fail_at) {
      cuda::DeviceOptions failing = GetParam().options;
      failing.fail_at = fail_at;
      CheckerOptions options = Scene::options();
      options.most_steps = 3;
      auto device = cuda::Device::open(failing);
      if (!device) continue;
      auto checker = BatchChecker::create(device.value(), scene.room(), options);
      if (!checker.ok()) continue;
      std::vector<BatchAnswer> answers;
      std::size_t done = 0;
      const Status checked = scene.check(*checker.value(), answers, done);
      if (!checked) {
        EXPECT_EQ(checked.error().code, ErrorCode::kResource);
      }
      EXPECT_EQ(checked.ok(), done == answers.size());
      answers.resize(done);
      scene.expect_same(answers);
      cut += !checked && done > 0 ? 1 : 0;
      complete += checked ? 1 : 0;
    }
    EXPECT_EQ(complete, 1U);
    EXPECT_GT(cut, 20U);
  }
}

TEST_P(BatchCheckerOn, StopsWhenAsked) {
  const Scene scene(8940, 3, false, true, false);
  const auto checker = checker_of(device(), scene);
  std::stop_source stop;
  stop.request_stop();
  std::vector<BatchAnswer> answers;
  std::size_t done = 0;
  const Status checked = scene.check(*checker, answers, done, stop.get_token());
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kCancelled);
}

TEST_P(BatchCheckerOn, RoomsMoveAndAreAskedOtherwise) {
  Scene scene(8950, 16, false, false, false);
  const auto checker = checker_of(device(), scene, {.margin = 0.5});
  ASSERT_TRUE(checker);
  auto asked = checker->with_options(Scene::options());
  ASSERT_TRUE(asked.ok());
  std::vector<BatchAnswer> answers;
  std::size_t done = 0;
  ASSERT_TRUE(scene.check(*asked.value(), answers, done));
  scene.expect_same(answers);
  const std::size_t before = scene.contacts();

  scene.move_room();
  auto moved = asked.value()->with_environment(scene.room());
  ASSERT_TRUE(moved.ok());
  ASSERT_TRUE(scene.check(*moved.value(), answers, done));
  scene.expect_same(answers);
  EXPECT_GT(before, 20U);
  EXPECT_GT(scene.contacts(), 20U);
}

TEST_P(BatchCheckerOn, TwoShareADevice) {
  const Scene some(8970, 4, true, true, true);
  const Scene others(8971, 5, false, true, false);
  const auto ask = [&](const Scene& scene) {
    for (int k = 0; k < 5; ++k) {
      const auto checker = checker_of(device(), scene);
      ASSERT_TRUE(checker);
      for (int i = 0; i < 4; ++i) {
        std::vector<BatchAnswer> answers;
        std::size_t done = 0;
        ASSERT_TRUE(scene.check(*checker, answers, done));
        scene.expect_same(answers);
      }
    }
  };
  std::thread other([&] { ask(others); });
  ask(some);
  other.join();
  EXPECT_GT(some.contacts() + others.contacts(), 20U);
}

/// Costs of all stages together.
cuda::StageCost sum(const BatchChecker& checker) {
  cuda::StageCost out;
  for (const cuda::StageCost& cost : checker.costs()) {
    EXPECT_GE(cost.seconds, cost.upload_seconds + cost.download_seconds);
    EXPECT_GT(cost.seconds, 0.0);
    out.uploaded += cost.uploaded;
    out.downloaded += cost.downloaded;
    out.launches += cost.launches;
    out.primitives += cost.primitives;
    out.waits += cost.waits;
  }
  return out;
}

TEST_P(BatchCheckerOn, MeasuresItsStages) {
  // All stages have something to do: own links, others, and a table of what is off.
  const Scene scene(8960, 3, true, true, true);
  const auto checker = checker_of(device(), scene);
  std::vector<BatchAnswer> answers;
  std::size_t done = 0;
  checker->measure(true);
  ASSERT_TRUE(scene.check(*checker, answers, done));
  scene.expect_same(answers);
  const cuda::StageCost first = sum(*checker);
  EXPECT_GT(first.uploaded, scene.items().size() * sizeof(Transform));
  EXPECT_GT(first.downloaded, 0U);
  // How often the CPU and the device stop for each other, which a piece of any size costs. Once
  // memory is there: growing waits as well.
  ASSERT_TRUE(scene.check(*checker, answers, done));
  const cuda::StageCost both = sum(*checker);
  EXPECT_LE(both.launches - first.launches, 42U);
  EXPECT_LE(both.primitives - first.primitives, 18U);
  EXPECT_LE(both.waits - first.waits, 8U);
  EXPECT_GT(both.waits, first.waits);
}

TEST_P(BatchCheckerOn, WaitsLessWithLessToDo) {
  const Scene scene(8961, 3, false, false, false);  // the room alone
  const auto checker = checker_of(device(), scene);
  std::vector<BatchAnswer> answers;
  std::size_t done = 0;
  checker->measure(true);
  ASSERT_TRUE(scene.check(*checker, answers, done));
  ASSERT_GT(scene.contacts(), 5U);
  const std::uint64_t first = sum(*checker).waits;
  ASSERT_TRUE(scene.check(*checker, answers, done));
  EXPECT_LE(sum(*checker).waits - first, 4U);
}

}  // namespace
}  // namespace tocsin::batch_checker_test
