// Which pairs of an avatar's own links are looked at.
#include "tocsin/link_pairs.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tocsin::link_pairs_test {
namespace {

/// A joint below `parent`, `at` metres from it in the rest pose.
Joint joint(std::string name, int parent, const Vec3& at) {
  return {std::move(name), parent, {{}, at}};
}

/// A body of few links: pelvis on the root, a spine joint without a link, chest, two arms of two
/// links each, two thighs from one point below the pelvis.
Avatar figure() {
  Skeleton skeleton =
      Skeleton::create({joint("hips", -1, {0, 1, 0}), joint("spine", 0, {0, 0.2, 0}),
                        joint("chest", 1, {0, 0.2, 0}), joint("l_arm", 2, {0.2, 0.2, 0}),
                        joint("l_elbow", 3, {0.3, 0, 0}), joint("r_arm", 2, {-0.2, 0.2, 0}),
                        joint("r_elbow", 5, {-0.3, 0, 0}), joint("l_leg", 0, {0, -0.1, 0}),
                        joint("r_leg", 0, {0, -0.1, 0})})
          .value();
  return Avatar::create("figure", skeleton,
                        {{"pelvis", 0, {-0.1, 0, 0}, {0.1, 0, 0}, 0.1},
                         {"chest", 2, {0, 0, 0}, {0, 0.2, 0}, 0.1},
                         {"belly", 2, {0, -0.1, 0.1}, {0, -0.2, 0.1}, 0.1},
                         {"left_arm", 3, {0, 0, 0}, {0.3, 0, 0}, 0.05},
                         {"left_hand", 4, {0, 0, 0}, {0.3, 0, 0}, 0.05},
                         {"right_arm", 5, {0, 0, 0}, {-0.3, 0, 0}, 0.05},
                         {"right_hand", 6, {0, 0, 0}, {-0.3, 0, 0}, 0.05},
                         {"left_thigh", 7, {0, 0, 0}, {0.1, -0.4, 0}, 0.07},
                         {"right_thigh", 8, {0, 0, 0}, {-0.1, -0.4, 0}, 0.07}})
      .value();
}

int index_of(const Avatar& avatar, const std::string& name) {
  for (std::size_t i = 0; i < avatar.links().size(); ++i) {
    if (avatar.links()[i].name == name) return static_cast<int>(i);
  }
  ADD_FAILURE() << "no link " << name;
  return 0;
}

TEST(LinkPairs, TheDefaultHasNone) {
  const LinkPairs none;
  EXPECT_TRUE(none.none());
  EXPECT_EQ(none.size(), 0U);
  EXPECT_FALSE(none.active(0, 1));
  EXPECT_TRUE(none.fits(7));
}

TEST(LinkPairs, NeighboursAreMasked) {
  const Avatar avatar = figure();
  const LinkPairs pairs = LinkPairs::of(avatar);
  const std::vector<std::pair<std::string, std::string>> neighbours{
      {"pelvis", "chest"},        // the spine between them bears no link
      {"pelvis", "belly"},        //
      {"chest", "belly"},         // one joint
      {"chest", "left_arm"},      // parent and child
      {"belly", "left_arm"},      //
      {"left_arm", "left_hand"},  //
      {"chest", "right_arm"},     //
      {"belly", "right_arm"},    {"right_arm", "right_hand"},   {"pelvis", "left_thigh"},
      {"pelvis", "right_thigh"}, {"left_thigh", "right_thigh"},  // one point in the rest pose
  };
  const std::size_t links = avatar.links().size();
  EXPECT_EQ(pairs.size(), links * (links - 1) / 2 - neighbours.size());
  for (const auto& [p, q] : neighbours) {
    EXPECT_FALSE(pairs.active(index_of(avatar, p), index_of(avatar, q))) << p << ' ' << q;
    EXPECT_FALSE(pairs.active(index_of(avatar, q), index_of(avatar, p))) << p << ' ' << q;
  }
  EXPECT_TRUE(pairs.active(index_of(avatar, "left_hand"), index_of(avatar, "left_thigh")));
  EXPECT_TRUE(pairs.active(index_of(avatar, "left_hand"), index_of(avatar, "chest")));
  EXPECT_TRUE(pairs.active(index_of(avatar, "left_arm"), index_of(avatar, "right_arm")));
  for (int i = 0; i < static_cast<int>(links); ++i) EXPECT_FALSE(pairs.active(i, i));
  EXPECT_TRUE(pairs.fits(links));
  EXPECT_FALSE(pairs.fits(links + 1));
}

TEST(LinkPairs, PatternsSwitchPairsOff) {
  const Avatar avatar = figure();
  const std::size_t all = LinkPairs::of(avatar).size();
  const std::array<std::string, 4> patterns{"*hand:*thigh", "left_thigh:left_hand", "nobody:*",
                                            "pelvis:chest"};
  const LinkPairs pairs = LinkPairs::ignoring(avatar, patterns).value();
  EXPECT_EQ(pairs.size(), all - 4);
  EXPECT_FALSE(pairs.active(index_of(avatar, "right_hand"), index_of(avatar, "left_thigh")));
  EXPECT_TRUE(pairs.active(index_of(avatar, "right_hand"), index_of(avatar, "pelvis")));
  ASSERT_EQ(pairs.matches().size(), patterns.size());
  EXPECT_EQ(pairs.matches()[0], 4U);
  EXPECT_EQ(pairs.matches()[1], 1U);  // off already, and no typing error
  EXPECT_EQ(pairs.matches()[2], 0U);
  EXPECT_EQ(pairs.matches()[3], 1U);  // neighbours

  const std::array<std::string, 1> everything{"*:*"};
  const LinkPairs off = LinkPairs::ignoring(avatar, everything).value();
  EXPECT_TRUE(off.none());
  EXPECT_EQ(off.matches()[0], 36U);  // no link is paired with itself
}

TEST(LinkPairs, APatternNeedsAColon) {
  const std::array<std::string, 1> patterns{"left_hand"};
  const Result<LinkPairs> pairs = LinkPairs::ignoring(figure(), patterns);
  ASSERT_FALSE(pairs.ok());
  EXPECT_EQ(pairs.error().code, ErrorCode::kUsage);
  EXPECT_NE(pairs.error().message.find("'left_hand'"), std::string::npos);
}

}  // namespace
}  // namespace tocsin::link_pairs_test
