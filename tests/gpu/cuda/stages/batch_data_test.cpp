// How a batch is laid out: what is shared, what is left out, and that nothing of the last batch
// shows.
#include "gpu/cuda/stages/batch_data.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "gpu/cuda/device/failure.h"
#include "support/cuda_batch.h"
#include "support/scenes/odd_takes.h"
#include "tocsin/link_pairs.h"

namespace tocsin::cuda::batch_data_test {
namespace {

using core::batch::BatchStep;
using core::batch::kNone;
using test::ItemList;

/// Every item's poses stand where its step says.
void expect_poses(const BatchData& batch, std::span<const BatchItem> items) {
  ASSERT_EQ(batch.steps.size(), items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const BatchStep& step = batch.steps[i];
    const std::span<const std::int32_t> used = batch.models.used(step.model);
    for (std::size_t k = 0; k < used.size(); ++k) {
      const auto joint = static_cast<std::size_t>(used[k]);
      ASSERT_LT(std::max(step.pose0, step.pose1) + k, batch.poses.size());
      ASSERT_EQ(batch.poses.data()[step.pose0 + k], items[i].step->pose0()[joint]) << i;
      ASSERT_EQ(batch.poses.data()[step.pose1 + k], items[i].step->pose1()[joint]) << i;
    }
  }
}

/// Every item's links and joints follow those of the items before.
void expect_numbers(const BatchData& batch, std::span<const BatchItem> items) {
  std::uint32_t links = 0;
  std::uint32_t joints = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const BatchStep& step = batch.steps[i];
    ASSERT_EQ(step.first_link, links);
    ASSERT_EQ(step.first_joint, joints);
    ASSERT_EQ(step.in_between, items[i].step->in_between());
    const auto count = static_cast<std::uint32_t>(items[i].avatar->links().size());
    ASSERT_EQ(batch.models.models()[step.model].link_count, count);
    for (std::uint32_t k = 0; k < count; ++k) ASSERT_EQ(batch.step_of_link[links + k], i);
    links += count;
    joints += batch.models.models()[step.model].joint_count;
  }
  EXPECT_EQ(batch.step_of_link.size(), links);
  EXPECT_EQ(batch.joint_count, joints);
}

/// Every model is its avatar: links, and chains from the root.
void expect_models(const BatchData& batch, std::span<const BatchItem> items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    const core::batch::Model& model = batch.models.models()[batch.steps[i].model];
    const std::span<const std::int32_t> used = batch.models.used(batch.steps[i].model);
    const std::span<const Joint> joints = items[i].avatar->skeleton().joints();
    const std::span<const Link> links = items[i].avatar->links();
    for (std::size_t k = 0; k < links.size(); ++k) {
      const core::batch::ModelLink& got = batch.models.links()[model.first_link + k];
      ASSERT_TRUE(got.a == links[k].a && got.b == links[k].b && got.radius == links[k].radius);
      int joint = links[k].joint;
      ASSERT_EQ(used[static_cast<std::size_t>(got.joint)], joint);
      for (std::int32_t n = got.chain_length; n-- > 0;) {
        const std::int32_t at =
            batch.models.chains()[got.chain_begin + static_cast<std::size_t>(n)];
        ASSERT_EQ(used[static_cast<std::size_t>(at)], joint);
        joint = joints[static_cast<std::size_t>(joint)].parent;
      }
      ASSERT_EQ(joint, -1) << "a chain ends at a root";
    }
  }
}

void expect_sound(const BatchData& batch, std::span<const BatchItem> items) {
  ASSERT_NO_FATAL_FAILURE(expect_poses(batch, items));
  ASSERT_NO_FATAL_FAILURE(expect_numbers(batch, items));
  ASSERT_NO_FATAL_FAILURE(expect_models(batch, items));
}

ItemList random_items(std::uint64_t seed, int takes, int frames) {
  test::RandomLinks random(seed);
  ItemList list;
  for (int i = 0; i < takes; ++i) {
    list.add(i % 3 == 2 ? test::many_roots(random, 17, frames, 0.3, 0.2)
                        : test::random_take(random, 3 + i % 7, frames, 0.3, 0.2));
  }
  return list;
}

TEST(BatchData, IsWhatTheItemsSayWhateverItHeldBefore) {
  BatchData batch;
  std::vector<ItemList> lists;
  for (const auto& [takes, frames] :
       {std::pair(3, 5), {40, 60}, {1, 2}, {30, 50}, {0, 0}, {5, 9}}) {
    lists.push_back(random_items(861 + static_cast<std::uint64_t>(takes), takes, frames));
  }
  for (ItemList& list : lists) {  // small ones on one thread, large ones on several
    batch.set(list.items(), list.groups(), 3, 0.125);
    ASSERT_NO_FATAL_FAILURE(expect_sound(batch, list.items()));
    EXPECT_EQ(batch.margin, 0.125);
    EXPECT_TRUE(batch.masks.empty());
    EXPECT_TRUE(batch.self_pairs.empty());
  }
}

TEST(BatchData, AvatarsBoundAlikeShareAModel) {
  test::RandomLinks random(871);
  const test::RandomTake take = test::random_take(random, 8, 3, 0.3, 0.2);
  const std::vector<Link> links(take.avatar.links().begin(), take.avatar.links().end());
  const auto with = [&](auto&& change) {
    std::vector<Link> changed = links;
    change(changed);
    return test::RandomTake{take.motion,
                            Avatar::create("changed", take.avatar.skeleton(), changed).value()};
  };
  ItemList list;
  list.add(take);
  list.add(take);
  list.add(with([](std::vector<Link>& l) { l[0].name = "another name"; }));
  list.add(with([](std::vector<Link>& l) { l[6].radius *= 1.5; }));
  list.add(with([](std::vector<Link>& l) { l[3].b.y += 1e-12; }));
  list.add(with([](std::vector<Link>& l) { l.pop_back(); }));
  list.add(with([](std::vector<Link>& l) { std::swap(l[1], l[2]); }));
  list.add(take);
  BatchData batch;
  batch.set(list.items(), list.groups(), 3, 0.0);
  ASSERT_NO_FATAL_FAILURE(expect_sound(batch, list.items()));
  EXPECT_EQ(batch.models.models().size(), 5U);
  const std::uint64_t version = batch.models.version();
  batch.set(list.items(), list.groups(), 3, 0.0);
  EXPECT_EQ(batch.models.version(), version) << "nothing new to upload";
  std::reverse(list.items().begin(), list.items().end());
  batch.set(list.items(), list.groups(), 3, 0.0);
  ASSERT_NO_FATAL_FAILURE(expect_sound(batch, list.items()));
  EXPECT_EQ(batch.models.version(), version);
  EXPECT_NE(BatchData().models.version(), BatchData().models.version());
}

// The same links on joints whose parents differ are another model.
TEST(BatchData, ParentsMakeAModelToo) {
  ItemList list;
  for (const int parent : {0, 1}) {
    std::vector<Joint> joints(3);
    for (int j = 0; j < 3; ++j) joints[static_cast<std::size_t>(j)].name = std::to_string(j);
    joints[1].parent = 0;
    joints[2].parent = parent;
    const Skeleton skeleton = Skeleton::create(joints).value();
    test::RandomTake take;
    take.avatar = Avatar::create("two", skeleton,
                                 {{"x", 1, {}, {1, 0, 0}, 0.1}, {"y", 2, {}, {1, 0, 0}, 0.1}})
                      .value();
    take.motion = Motion::create(skeleton, 0.01, std::vector<Transform>(6)).value();
    list.add(take);
  }
  BatchData batch;
  batch.set(list.items(), list.groups(), 3, 0.0);
  ASSERT_NO_FATAL_FAILURE(expect_sound(batch, list.items()));
  EXPECT_EQ(batch.models.models().size(), 2U);
}

// Avatars that come and go do not fill the memory.
TEST(BatchData, ForgetsModelsThatNobodyUses) {
  test::RandomLinks random(872);
  const Skeleton skeleton = test::random_take(random, 4, 2, 0.1, 0.1).avatar.skeleton();
  BatchData batch;
  std::size_t most = 0;
  for (int i = 0; i < 3000; ++i) {
    test::RandomTake take;
    take.avatar =
        Avatar::create("new", skeleton,
                       {{"x", 1, {}, {1, 0, 0}, 0.1 + 1e-6 * i}, {"y", 2, {}, {1, 0, 0}, 0.1}})
            .value();
    take.motion = Motion::create(skeleton, 0.01, std::vector<Transform>(8)).value();
    ItemList list;
    list.add(take);
    batch.set(list.items(), list.groups(), 3, 0.0);
    if (i % 300 == 0) {
      ASSERT_NO_FATAL_FAILURE(expect_sound(batch, list.items()));
    }
    most = std::max(most, batch.models.models().size());
  }
  EXPECT_LT(most, 1100U);
}

TEST(BatchData, LeavesOutJointsThatNoLinkHangsOn) {
  test::RandomLinks random(873);
  test::RandomTake take = test::long_chain(random, 40, 3, 0.3);
  const Link& link = take.avatar.links()[2];  // at joint 20
  ASSERT_EQ(link.joint, 20);
  take.avatar = Avatar::create("one link", take.avatar.skeleton(), {link}).value();
  ItemList list;
  list.add(take);
  BatchData batch;
  batch.set(list.items(), list.groups(), 3, 0.0);
  ASSERT_NO_FATAL_FAILURE(expect_sound(batch, list.items()));
  EXPECT_EQ(batch.models.models()[0].joint_count, 21U);
  EXPECT_EQ(batch.joint_count, 42U);
  EXPECT_EQ(batch.poses.size(), 3U * 21U);
}

// One chain serves all links that hang on its joints.
TEST(BatchData, ALongChainStandsThereOnce) {
  test::RandomLinks random(874);
  ItemList list;
  list.add(test::long_chain(random, 1000, 2, 0.3));
  BatchData batch;
  batch.set(list.items(), list.groups(), 3, 0.0);
  ASSERT_NO_FATAL_FAILURE(expect_sound(batch, list.items()));
  EXPECT_EQ(batch.models.chains().size(), 1000U);
}

TEST(BatchData, PosesThatFollowEachOtherAreShared) {
  test::RandomLinks random(875);
  ItemList list;
  for (int i = 0; i < 3; ++i) list.add(test::random_take(random, 6, 11, 0.3, 0.2));
  const std::size_t joints = [&] {
    BatchData batch;
    batch.set(list.items(), list.groups(), 3, 0.0);
    EXPECT_EQ(batch.joint_count % 10, 0U);
    return batch.joint_count / 10;  // of the three avatars together
  }();
  BatchData batch;
  enum Layout : std::uint8_t { kByAvatar, kByInstant, kByInstantAlone, kWithGaps };
  for (const Layout layout : {kByAvatar, kByInstant, kByInstantAlone, kWithGaps}) {
    SCOPED_TRACE(testing::Message() << "layout " << layout);
    std::vector<BatchItem> items = list.items();
    if (layout != kByAvatar) {  // all avatars at an instant, then at the next
      for (std::size_t i = 0; i < items.size(); ++i) {
        items[i] = list.items()[i % 3 * 10 + i / 3];
        items[i].group = static_cast<std::uint32_t>(layout == kByInstantAlone ? i : i / 3);
      }
    }
    // The last of the avatars comes late: the others' distance from instant to instant changes.
    if (layout == kWithGaps) {
      for (const int instant : {2, 1, 0}) items.erase(items.begin() + 3 * instant + 2);
    }
    batch.set(items, list.groups(), 3, 0.0);
    ASSERT_NO_FATAL_FAILURE(expect_sound(batch, items));
    const std::size_t joints_of_last =
        batch.models.models()[batch.steps[items.size() - 1].model].joint_count;
    EXPECT_EQ(batch.poses.size(), 11 * joints - (layout == kWithGaps ? 3 * joints_of_last : 0));
  }
  ItemList still;
  still.add(test::random_take(random, 6, 11, 0.3, 0.2), {.still = true});
  batch.set(still.items(), still.groups(), 3, 0.0);
  ASSERT_NO_FATAL_FAILURE(expect_sound(batch, still.items()));
  EXPECT_EQ(batch.poses.size(), batch.joint_count);
}

// Two avatars that differ on one motion's poses, at one instant after the other: each has its own.
TEST(BatchData, PosesAreSharedByOneModelOnly) {
  test::RandomLinks random(879);
  const test::RandomTake take = test::random_take(random, 6, 5, 0.3, 0.2);
  test::RandomTake other = take;
  other.avatar =
      Avatar::create("tip", take.avatar.skeleton(), {take.avatar.links().back()}).value();
  const StepList steps = take.motion.steps().value();
  const ActivePairs all;
  const LinkPairs none;
  std::vector<BatchItem> items;
  for (const Step& step : steps) {
    for (const auto& who : {std::cref(take), std::cref(other), std::cref(take), std::cref(other)}) {
      items.push_back(
          {&who.get().avatar, &step, &all, &none, static_cast<std::uint32_t>(items.size())});
    }
  }
  BatchData batch;
  batch.set(items, static_cast<std::uint32_t>(items.size()), 3, 0.0);
  ASSERT_NO_FATAL_FAILURE(expect_sound(batch, items));
  const auto joints = [&](std::size_t item) {
    return std::size_t{batch.models.models()[batch.steps[item].model].joint_count};
  };
  // Five poses, and the first once more, where the second of a model begins.
  EXPECT_EQ(batch.poses.size(), 6 * (joints(0) + joints(1)));
}

TEST(IndexTable, TellsApartWhatHasOneHash) {
  IndexTable table;
  for (const std::uint32_t most : {1U, 3U, 100U}) {
    table.reset(most);
    const auto is = [](std::uint32_t wanted) {
      return [=](std::uint32_t index) { return index % 50 == wanted % 50; };
    };
    for (std::uint32_t i = 0; i < most; ++i) {
      EXPECT_EQ(table.find(7, is(i)), i < 50 ? kNone : i - 50);
      EXPECT_EQ(table.find_or_add(7, i, is(i)), i % 50);
      EXPECT_EQ(table.find(7, is(i)), i % 50);
    }
  }
}

TEST(BatchData, GroupsReachToAllRefs) {
  test::RandomLinks random(876);
  ItemList list;
  for (int i = 0; i < 6; ++i)
    list.add(test::many_roots(random, 12, 4, 0.3, i % 2 == 0 ? 1e4 : 1.0));
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    list.items()[i].group = static_cast<std::uint32_t>(i % 4);
  }
  BatchData batch;
  batch.set(list.items(), 5, 3, 0.0);
  for (std::uint32_t group = 0; group < 5; ++group) {
    // By hand: the least box around the first pose's roots that carry a link, as floats.
    core::Box want;
    for (const BatchItem& item : list.items()) {
      if (item.group != group) continue;
      for (const Link& link : item.avatar->links()) {
        int root = link.joint;
        const std::span<const Joint> joints = item.avatar->skeleton().joints();
        while (joints[static_cast<std::size_t>(root)].parent >= 0) {
          root = joints[static_cast<std::size_t>(root)].parent;
        }
        const Vec3& p = item.step->pose0()[static_cast<std::size_t>(root)].translation;
        want = join(want, core::box_of({static_cast<float>(p.x), static_cast<float>(p.y),
                                        static_cast<float>(p.z)}));
      }
    }
    EXPECT_EQ(batch.groups[group].refs.lo, want.lo);
    EXPECT_EQ(batch.groups[group].refs.hi, want.hi);
  }
}

TEST(BatchData, SelfPairsAreInOrder) {
  test::RandomLinks random(878);
  const test::RandomTake take = test::random_take(random, 9, 8, 0.3, 0.2);
  const test::RandomTake other = test::random_take(random, 12, 700, 0.3, 0.2);
  const LinkPairs pairs = LinkPairs::of(take.avatar);
  const LinkPairs others = LinkPairs::of(other.avatar);
  ItemList list;
  list.add(take, {}, nullptr, &pairs);
  list.add(take);
  list.add(other, {}, nullptr, &others);
  list.add(take, {}, nullptr, &pairs);
  BatchData batch;
  batch.set(list.items(), list.groups(), 4, 0.0);
  std::vector<core::batch::LinkPair> want;
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    const BatchItem& item = list.items()[i];
    const auto count = static_cast<std::int32_t>(item.avatar->links().size());
    const std::uint32_t first = batch.steps[i].first_link;
    for (std::int32_t p = 0; p < count; ++p) {
      for (std::int32_t q = p + 1; q < count; ++q) {
        if (!item.self->active(p, q)) continue;
        want.push_back(
            {first + static_cast<std::uint32_t>(p), first + static_cast<std::uint32_t>(q)});
      }
    }
  }
  EXPECT_GT(want.size(), 10000U);
  ASSERT_EQ(batch.self_pairs.size(), want.size());
  EXPECT_TRUE(std::equal(want.begin(), want.end(), batch.self_pairs.begin()));
}

// 2^18 steps of 2^14 joints: their joints cannot be counted any more. What comes after can.
TEST(BatchData, SaysWhenThereIsTooMuch) {
  std::vector<Joint> joints(16384);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    joints[j].name = std::to_string(j);
    joints[j].parent = static_cast<int>(j) - 1;
  }
  const Skeleton skeleton = Skeleton::create(std::move(joints)).value();
  test::RandomTake take;
  take.avatar = Avatar::create("long", skeleton, {{"tip", 16383, {}, {1, 0, 0}, 0.1}}).value();
  take.motion =
      Motion::create(skeleton, 0.01, std::vector<Transform>(std::size_t{2} * 16384)).value();
  ItemList list;
  list.add(take);
  const std::vector<BatchItem> items(std::size_t{1} << 18U, list.items()[0]);
  BatchData batch;
  try {
    batch.set(items, 1, 3, 0.0);
    ADD_FAILURE() << "2^32 joints";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), FailureKind::kMemory);
    EXPECT_STREQ(failure.what(), "a batch has 4294967296 joints: 2^32 are too many");
  }
  batch.set(std::span(items).first(3), 1, 3, 0.0);
  expect_sound(batch, std::span(items).first(3));
}

}  // namespace
}  // namespace tocsin::cuda::batch_data_test
