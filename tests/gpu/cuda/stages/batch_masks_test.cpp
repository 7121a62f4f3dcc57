// The masks of a batch: each table once, whoever it belongs to.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gpu/cuda/stages/batch_data.h"
#include "support/cuda_batch.h"

namespace tocsin::cuda::batch_masks_test {
namespace {

using core::batch::kNone;
using test::ItemList;

TEST(BatchMasks, StandThereOncePerTable) {
  test::RandomLinks random(877);
  const Environment room = test::random_room(random, 4, 3, 1.0);
  const test::RandomTake take = test::random_take(random, 6, 4, 0.3, 0.2);
  const test::RandomTake other = test::random_take(random, 9, 4, 0.3, 0.2);
  const auto ignoring = [&](const Avatar& avatar, const std::string& pattern) {
    return ActivePairs::ignoring(avatar, room, std::vector<std::string>{pattern}).value();
  };
  const ActivePairs some = ignoring(take.avatar, "link2:object*");
  const ActivePairs others = ignoring(other.avatar, "*:object3");
  const ActivePairs all;
  ItemList list;
  list.add(take, {}, &some);
  list.add(take, {}, &all);
  list.add(other, {}, &others);
  list.add(take, {}, &some);
  BatchData batch;
  batch.set(list.items(), list.groups(), 4, 0.0);
  EXPECT_EQ(batch.masks.size(), (5U + 8U) * 4U);
  for (std::size_t i = 0; i < list.items().size(); ++i) {
    const BatchItem& item = list.items()[i];
    if (item.active == &all) {
      EXPECT_EQ(batch.steps[i].mask, kNone);
      continue;
    }
    for (std::size_t link = 0; link < item.avatar->links().size(); ++link) {
      for (std::uint32_t object = 0; object < 4; ++object) {
        EXPECT_EQ(batch.masks[batch.steps[i].mask + link * 4 + object] == 0,
                  item.active->active(static_cast<std::int32_t>(link), object));
      }
    }
  }
  EXPECT_EQ(batch.steps[list.items().size() - 1].mask, batch.steps[0].mask);
}

// Everyone has a table of one's own, as members of a crowd do; what counts is what it says. Few
// tables are compared by one thread, many by several.
TEST(BatchMasks, AreComparedByWhatTheySay) {
  test::RandomLinks random(880);
  const Environment room = test::random_room(random, 70, 3, 1.0);
  const test::RandomTake take = test::random_take(random, 6, 4, 0.3, 0.2);
  const test::RandomTake other = test::random_take(random, 9, 4, 0.3, 0.2);
  BatchData batch;
  for (const int count : {7, 1500, 40}) {
    for (const int contents : {1, 3}) {
      SCOPED_TRACE(testing::Message() << count << " of " << contents);
      std::vector<ActivePairs> own;
      std::vector<const test::RandomTake*> who;
      for (int i = 0; i < count; ++i) {
        const test::RandomTake& it = contents > 1 && i % 5 == 4 ? other : take;
        std::vector<std::string> patterns;
        if (i % 7 != 6) patterns.push_back(fmt::format("link*:object{}", 69 - i % contents));
        who.push_back(&it);
        own.push_back(ActivePairs::ignoring(it.avatar, room, patterns).value());
      }
      ItemList list;
      for (std::size_t i = 0; i < own.size(); ++i) list.add(*who[i], {.last = 1}, &own[i]);
      batch.set(list.items(), list.groups(), 70, 0.0);
      const std::span<const BatchItem> items = list.items();
      ASSERT_EQ(items.size(), own.size());
      std::set<std::uint32_t> tables;
      std::size_t bytes = 0;
      for (std::size_t i = 0; i < items.size(); ++i) {
        const std::uint32_t mask = batch.steps[i].mask;
        ASSERT_EQ(mask == kNone, items[i].active->all());
        if (mask == kNone) continue;
        const std::size_t links = items[i].avatar->links().size();
        if (tables.insert(mask).second) bytes += links * 70;
        for (std::size_t k = 0; k < links * 70; ++k) {
          ASSERT_EQ(batch.masks[mask + k] == 0,
                    items[i].active->active(static_cast<std::int32_t>(k / 70),
                                            static_cast<std::uint32_t>(k % 70)));
        }
      }
      EXPECT_EQ(batch.masks.size(), bytes);
      EXPECT_LE(tables.size(), contents == 1 ? 1U : 6U);
      if (count > 100) {
        EXPECT_EQ(tables.size(), contents == 1 ? 1U : 6U) << "three for either avatar";
      }
    }
  }
}

}  // namespace
}  // namespace tocsin::cuda::batch_masks_test
