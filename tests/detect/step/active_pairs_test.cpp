#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::active_pairs_test {
namespace {

TEST(ActivePairs, GlobsSwitchOffWhatTheyMatch) {
  test::RandomLinks random(81);
  const test::RandomTake take = test::random_take(random, 4, 2, 0.1, 0.1);  // link1, link2, link3
  const Environment room = test::random_room(random, 12, 1, 1.0);
  const std::vector<std::string> patterns{"link[12]:object1*", "nothing:*"};
  const auto pairs = ActivePairs::ignoring(take.avatar, room, patterns).value();
  for (std::int32_t link = 0; link < 3; ++link) {
    for (std::uint32_t object = 0; object < 12; ++object) {
      const bool off = link < 2 && (object == 1 || object >= 10);
      EXPECT_EQ(pairs.active(link, object), !off) << link << " " << object;
    }
  }
  ASSERT_EQ(pairs.matches().size(), 2U);
  EXPECT_EQ(pairs.matches()[0], 6U);
  EXPECT_EQ(pairs.matches()[1], 0U);
}

TEST(ActivePairs, AllAreActiveByDefault) { EXPECT_TRUE(ActivePairs().active(7, 1234)); }

TEST(ActivePairs, APatternNeedsAColon) {
  test::RandomLinks random(82);
  const test::RandomTake take = test::random_take(random, 3, 2, 0.1, 0.1);
  const std::vector<std::string> patterns{"*foot"};
  const auto pairs =
      ActivePairs::ignoring(take.avatar, test::random_room(random, 1, 1, 1.0), patterns);
  ASSERT_FALSE(pairs.ok());
  EXPECT_EQ(pairs.error().code, ErrorCode::kUsage);
  EXPECT_NE(pairs.error().message.find("*foot"), std::string::npos);
}

}  // namespace
}  // namespace tocsin::active_pairs_test
