// What the device makes of a batch: swept links are the bits of scene::StepMotion, boxes hold what
// they must.
#include "gpu/cuda/stages/motion_stage.h"

#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <vector>

#include "core/motion/surroundings.h"
#include "core/query/link_pair.h"
#include "make/make.h"
#include "scene/swept/step_motion.h"
#include "support/cuda_batch.h"
#include "support/cuda_devices.h"
#include "support/data.h"
#include "support/scenes/odd_takes.h"
#include "support/scenes/wide_box.h"
#include "tocsin/tocsin.h"

namespace tocsin::cuda::motion_stage_test {
namespace {

using core::batch::BatchStep;
using test::ItemList;

template <class T>
bool same_bits(const T& p, const T& q) {
  return std::memcmp(&p, &q, sizeof(T)) == 0;
}

/// What the stage has made of a batch, in the CPU's memory.
struct Made {
  BatchData batch;
  std::vector<core::SweptLink> swept;  ///< of all links, their motion pointing to what is here
  std::vector<core::AxisState> at0;
  std::vector<core::JointMotion> motions;
  std::vector<core::Box> boxes;

  explicit Made(const std::shared_ptr<Device>& device) : batch(device) {}
};

template <class T>
std::vector<T> downloaded(Device& device, const T* from, std::size_t count) {
  std::vector<T> out(count);
  if (count != 0) device.download(out.data(), from, count * sizeof(T));
  return out;
}

void run(MotionStage& stage, const std::shared_ptr<Device>& device, const core::Box& bounds,
         Made& out) {
  stage.upload(out.batch);
  stage.move(bounds);
  const core::batch::View view = stage.view();
  std::vector<std::uint32_t> all(view.link_count);
  // In another order than they lie in.
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = static_cast<std::uint32_t>(all.size() - 1 - i);
  }
  Array<std::uint32_t> near(device);
  near.upload(all);
  Array<core::SweptLink> swept(device);
  Array<core::AxisState> at0(device);
  stage.sweep(near.data(), near.size(), bounds, swept, at0);
  out.swept = swept.download();
  out.at0 = at0.download();
  std::reverse(out.swept.begin(), out.swept.end());
  std::reverse(out.at0.begin(), out.at0.end());
  out.motions = downloaded(*device, view.motions, view.joint_count);
  out.boxes = downloaded(*device, stage.boxes(), view.link_count);
  for (core::SweptLink& link : out.swept) {
    link.motion.joints = out.motions.data() + (link.motion.joints - view.motions);
    link.motion.chain = out.batch.models.chains().data() + (link.motion.chain - view.chains);
  }
}

void expect_same_motion(const core::LinkMotion& got, const core::LinkMotion& want,
                        std::span<const std::int32_t> used) {
  ASSERT_EQ(got.chain_length, want.chain_length);
  for (std::int32_t k = 0; k < got.chain_length; ++k) {
    ASSERT_EQ(used[static_cast<std::size_t>(got.chain[k])], want.chain[k]);
    ASSERT_TRUE(same_bits(got.joints[got.chain[k]], want.joints[want.chain[k]]));
  }
  ASSERT_EQ(got.kind, want.kind);
  ASSERT_TRUE(same_bits(got.a, want.a) && same_bits(got.b, want.b));
  ASSERT_TRUE(same_bits(got.ref, want.ref));
  ASSERT_TRUE(same_bits(got.radius, want.radius) && same_bits(got.speed, want.speed));
  ASSERT_TRUE(same_bits(got.acceleration_a, want.acceleration_a) &&
              same_bits(got.acceleration_b, want.acceleration_b));
  ASSERT_TRUE(same_bits(got.reach, want.reach));
}

void expect_same_link(const core::SweptLink& got, const core::SweptLink& want) {
  ASSERT_TRUE(same_bits(got.box, want.box));
  ASSERT_EQ(got.pieces, want.pieces);
  for (std::size_t k = 0; k < static_cast<std::size_t>(want.pieces); ++k) {
    ASSERT_TRUE(same_bits(got.piece[k], want.piece[k]));
    ASSERT_TRUE(same_bits(got.ends[k], want.ends[k]));
  }
  const auto last = static_cast<std::size_t>(want.pieces);
  ASSERT_TRUE(same_bits(got.ends[last], want.ends[last]));
  ASSERT_TRUE(same_bits(got.grow_a, want.grow_a) && same_bits(got.grow_b, want.grow_b));
  ASSERT_TRUE(same_bits(got.padding, want.padding));
}

/// How much a test has seen.
struct Seen {
  std::size_t links = 0;
  std::size_t in_pieces = 0;
  std::size_t longest = 0;
};

/// All that was made against scene::StepMotion.
void expect_cpu_bits(const Made& made, std::span<const BatchItem> items, const core::Box& bounds,
                     double margin, Seen& seen) {
  scene::StepMotion motion;
  ASSERT_EQ(made.batch.steps.size(), items.size());
  for (std::size_t s = 0; s < items.size(); ++s) {
    SCOPED_TRACE(testing::Message() << "item " << s);
    const BatchStep& step = made.batch.steps[s];
    motion.set(*items[s].avatar, *items[s].step, margin, bounds);
    for (std::size_t i = 0; i < motion.links().size(); ++i) {
      const std::size_t at = step.first_link + i;
      ASSERT_LT(at, made.swept.size());
      ASSERT_EQ(made.batch.step_of_link[at], s);
      const core::SweptLink& got = made.swept[at];
      const core::SweptLink& want = motion.links()[i];
      ASSERT_NO_FATAL_FAILURE(
          expect_same_motion(got.motion, want.motion, made.batch.models.used(step.model)));
      ASSERT_NO_FATAL_FAILURE(expect_same_link(got, want));
      ASSERT_TRUE(same_bits(made.at0[at], core::evaluate(want.motion, 0.0)));
      ASSERT_TRUE(test::holds(made.boxes[at], want.box));
      ++seen.links;
      seen.in_pieces += want.pieces > 1 ? 1 : 0;
      seen.longest = std::max(seen.longest, static_cast<std::size_t>(want.motion.chain_length));
    }
  }
}

/// Takes of all sorts; `far`: how far their roots travel in a frame, metres.
ItemList all_sorts(std::uint64_t seed, double far) {
  test::RandomLinks random(seed);
  ItemList list;
  for (int i = 0; i < 12; ++i) {
    const double turn = i % 3 == 0 ? 3.1 : i % 3 == 1 ? 0.5 : 0.001;
    const double travel = i % 4 == 3 ? far : 0.3;
    const StepRange range{
        .in_between = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate,
        .still = i == 5};
    list.add(test::random_take(random, 3 + i, 4, turn, travel), range);
    list.add(test::many_roots(random, 5 * (1 + i % 6), 4, turn, travel), range);
  }
  list.add(test::random_take(random, 2, 3, 1.0, 0.3));  // a chain of one
  list.add(test::long_chain(random, 100, 3, 0.5));
  return list;
}

class MotionStageTest : public test::OnCudaDevice {};
TOCSIN_ON_CUDA_DEVICES(MotionStageTest);

TEST_P(MotionStageTest, SweptLinksAreTheCpusBits) {
  MotionStage stage(device());
  Made made(device());
  Seen seen;
  // Of one stage, one after the other: what the batch before has left must not show.
  for (const auto& [bounds, far] :
       {std::pair(core::Box{{-5, -5, -5}, {5, 5, 5}}, 0.3),
        std::pair(core::Box{{-9e4F, 0, 1}, {1, 5, 3e5F}}, 1e5), std::pair(core::Box{}, 10.0)}) {
    for (const double margin : {0.0, 0.02}) {
      ItemList list = all_sorts(831 + static_cast<std::uint64_t>(far), far);
      made.batch.set(list.items(), list.groups(), 3, margin);
      run(stage, device(), bounds, made);
      ASSERT_NO_FATAL_FAILURE(expect_cpu_bits(made, list.items(), bounds, margin, seen));
    }
  }
  EXPECT_GT(seen.links, 3000U);
  EXPECT_GT(seen.in_pieces, 500U);
  EXPECT_EQ(seen.longest, 100U);
}

TEST_P(MotionStageTest, NothingIsMadeOfNothing) {
  MotionStage stage(device());
  Made made(device());
  made.batch.set({}, 0, 3, 0.0);
  run(stage, device(), {}, made);
  EXPECT_EQ(stage.view().link_count, 0U);
  EXPECT_TRUE(made.swept.empty());
}

TEST_P(MotionStageTest, MadeTakesToo) {
  const AvatarModel model = load_avatar_model("humanoid16").value();
  ItemList list;
  for (const Performance kind :
       {Performance::kWalk, Performance::kReach, Performance::kKick, Performance::kCartwheel}) {
    const Motion motion = make_motion({.kind = kind, .seconds = 4.0, .rate = 60.0}).value();
    const Avatar avatar = Avatar::bind(model, motion.skeleton()).value();
    list.add({motion, avatar}, {.stride = kind == Performance::kWalk ? 1 : 12});
  }
  const core::Box bounds{{-10, 0, -10}, {10, 3, 10}};
  MotionStage stage(device());
  Made made(device());
  made.batch.set(list.items(), list.groups(), 3, 0.0);
  run(stage, device(), bounds, made);
  Seen seen;
  expect_cpu_bits(made, list.items(), bounds, 0.0, seen);
  EXPECT_GT(seen.links, 4000U);
}

TEST_P(MotionStageTest, RecordedTakesToo) {
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  const Motion motion = load_motion(test::data_path("motions/cmu_bvh/01_01.bvh")).value();
  const Avatar avatar = Avatar::bind(*load_avatar_model("humanoid16"), motion.skeleton()).value();
  ItemList list;
  list.add({motion, avatar}, {.first = 900, .last = 1400});
  list.add({motion, avatar}, {.stride = 24, .in_between = InBetween::kTranslateRotate});
  const core::Box bounds{{-10, 0, -10}, {10, 3, 10}};
  MotionStage stage(device());
  Made made(device());
  made.batch.set(list.items(), list.groups(), 3, 0.0);
  run(stage, device(), bounds, made);
  Seen seen;
  expect_cpu_bits(made, list.items(), bounds, 0.0, seen);
  EXPECT_GT(seen.links, 8000U);
  EXPECT_EQ(made.batch.models.models().size(), 1U);
}

/// Pairs of links of one group, and what certify_pair says of them.
struct Pairs {
  std::size_t all = 0;
  std::size_t counted = 0;  ///< that are not free, or may graze
  std::size_t apart = 0;    ///< whose boxes do not meet
};

/// Each box must hold the one that may_graze compares for this pair; pairs that count must meet.
void expect_pair_found(const Made& made, std::size_t i, std::size_t j, Pairs& pairs) {
  const core::LinkMotion& p = made.swept[i].motion;
  const core::LinkMotion& q = made.swept[j].motion;
  const double apart = core::norm(q.ref - p.ref);
  ASSERT_TRUE(test::holds(made.boxes[i],
                          core::detail::swept_box(p, core::rounding_margin(p, apart), {}), p.ref));
  ASSERT_TRUE(test::holds(made.boxes[j],
                          core::detail::swept_box(q, core::rounding_margin(q, apart), {}), q.ref));
  const bool meet = overlap(made.boxes[i], made.boxes[j]);
  const core::Certificate c =
      core::certify_pair(p, made.at0[i], q, made.at0[j], 1e-6, core::kToEnd);
  const bool counts = c.outcome == core::Outcome::kOverlap || c.outcome == core::Outcome::kHit ||
                      (c.outcome == core::Outcome::kGraze && core::may_graze(p, q));
  ASSERT_TRUE(meet || !counts) << i << " and " << j;
  ++pairs.all;
  pairs.counted += counts ? 1 : 0;
  pairs.apart += meet ? 0 : 1;
}

void expect_pairs_found(const Made& made, Pairs& pairs) {
  const std::span<const BatchStep> steps = made.batch.steps.all();
  const std::size_t count = made.swept.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const std::uint32_t p = made.batch.step_of_link[i];
      const std::uint32_t q = made.batch.step_of_link[j];
      if (steps[p].group != steps[q].group) continue;
      ASSERT_NO_FATAL_FAILURE(expect_pair_found(made, i, j, pairs));
    }
  }
}

/// A crowd in every group, `where` metres from the origin.
ItemList crowds(std::uint64_t seed, double where, double far) {
  test::RandomLinks random(seed);
  ItemList list;
  for (int i = 0; i < 4; ++i) {
    const double turn = i % 2 == 0 ? 0.6 : 0.05;
    test::RandomTake take = i == 2 ? test::many_roots(random, 15, 3, turn, far)
                                   : test::random_take(random, 6, 3, turn, 0.3);
    const Vec3 at = where * Vec3{1.0, 0.0, -1.0} + random.vector(0, 1);
    take.motion = take.motion.placed({at, random.uniform(-180, 180)}).value();
    list.add(take);
  }
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    list.items()[i].group = static_cast<std::uint32_t>(i % 2);  // the first steps meet, the others
  }
  return list;
}

TEST_P(MotionStageTest, BoxesFindEveryPairThatCounts) {
  MotionStage stage(device());
  Made made(device());
  Pairs pairs;
  for (const double where : {0.0, 1e5, 5e5}) {
    for (const double far : {0.5, 2e5}) {
      for (std::uint64_t seed = 841; seed < 844; ++seed) {
        ItemList list = crowds(seed, where, far);
        made.batch.set(list.items(), 2, 3, seed == 842 ? 0.05 : 0.0);
        // A room that is near, far, or empty: it must not matter.
        run(stage, device(), seed == 843 ? core::Box{} : core::Box{{-1, -1, -1}, {1, 1, 1}}, made);
        ASSERT_NO_FATAL_FAILURE(expect_pairs_found(made, pairs));
      }
    }
  }
  EXPECT_GT(pairs.all, 10000U);
  EXPECT_GT(pairs.counted, 500U);
  EXPECT_GT(pairs.apart, 1000U);
}

TEST_P(MotionStageTest, TakesNoMoreMemoryThanWasSaid) {
  for (const bool shared : {false, true}) {
    ItemList list = all_sorts(851, 0.3);
    if (shared) {
      test::RandomLinks random(852);
      list = ItemList();
      list.add(test::random_take(random, 12, 200, 0.1, 0.1));
    }
    std::size_t said = 0;
    for (const BatchItem& item : list.items()) said += BatchData::bytes_of(item, 3);
    const std::size_t before = device()->free_memory();
    BatchData batch(device());
    MotionStage stage(device());
    batch.set(list.items(), list.groups(), 3, 0.0);
    stage.upload(batch);
    stage.move({});
    const std::size_t taken = before - std::min(before, device()->free_memory());
    if (device()->emulated()) {
      EXPECT_GT(taken, 0U);
    }
    EXPECT_LE(taken, said);
  }
}

}  // namespace
}  // namespace tocsin::cuda::motion_stage_test
