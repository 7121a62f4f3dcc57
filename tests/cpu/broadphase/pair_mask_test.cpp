// PairMask answers as a matrix of all pairs does that every word is written into.
#include "cpu/broadphase/pair_mask.h"

#include <gtest/gtest.h>

#include "cpu/broadphase/mask_matrix.h"
#include "make/random.h"

namespace tocsin::cpu::pair_mask_test {
namespace {

TEST(PairMask, EverythingIsActiveAtFirst) {
  const PairMask mask;
  EXPECT_TRUE(mask.all_active());
  EXPECT_TRUE(mask.active({0, 1}));
  EXPECT_TRUE(mask.active({3, 1'000'000}));
}

TEST(PairMask, TheLatestWordAboutAPairCounts) {
  PairMask mask;
  mask.deactivate_pair(2, 1);
  EXPECT_FALSE(mask.active({1, 2}));
  EXPECT_TRUE(mask.active({1, 3}));
  mask.activate_pairs_of(1);
  EXPECT_TRUE(mask.active({1, 2}));
  mask.deactivate_pairs_of(2);
  EXPECT_FALSE(mask.active({1, 2}));
  EXPECT_FALSE(mask.active({0, 2}));
  mask.activate_pair(1, 2);
  EXPECT_TRUE(mask.active({1, 2}));
  EXPECT_FALSE(mask.active({0, 2}));
  mask.deactivate_all();
  EXPECT_FALSE(mask.active({1, 2}));
  mask.activate_pair(7, 8);  // starting from none, as paper 000 does
  EXPECT_TRUE(mask.active({7, 8}));
  EXPECT_FALSE(mask.active({6, 7}));
  mask.activate_all();
  EXPECT_TRUE(mask.active({6, 7}));
  EXPECT_TRUE(mask.all_active());
}

TEST(PairMask, ABodySwitchedOffKeepsWhatWasSaidAboutItsPairs) {
  PairMask mask;
  mask.deactivate_pair(1, 2);
  mask.deactivate(1);
  EXPECT_FALSE(mask.active({1, 3}));
  mask.activate_pair(1, 4);
  EXPECT_FALSE(mask.active({1, 4}));
  mask.activate(1);
  EXPECT_FALSE(mask.active({1, 2}));
  EXPECT_TRUE(mask.active({1, 3}));
  EXPECT_TRUE(mask.active({1, 4}));
}

TEST(PairMask, ANumberUsedAgainHasNoPast) {
  PairMask mask;
  mask.deactivate_pair(1, 2);
  mask.deactivate(3);
  mask.deactivate_pairs_of(4);
  mask.renew(1);
  mask.renew(3);
  mask.renew(4);
  for (const BodyPair p : {BodyPair{1, 2}, BodyPair{2, 3}, BodyPair{2, 4}, BodyPair{3, 4}}) {
    EXPECT_TRUE(mask.active(p)) << p.first << " " << p.second;
  }
  mask.deactivate_all();
  mask.activate_pair(1, 2);
  mask.renew(2);
  EXPECT_FALSE(mask.active({1, 2}));  // as all pairs
}

TEST(PairMask, AnswersAsAMatrixDoes) {
  constexpr int kBodies = 24;
  std::size_t active = 0;
  std::size_t asked = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    make::Random random(19, seed);
    PairMask mask;
    test::MaskMatrix matrix(kBodies);
    for (int word = 0; word < 400; ++word) {
      const std::uint64_t before = mask.version();
      test::say_anything(random, kBodies, mask, matrix);
      EXPECT_NE(mask.version(), before);
      if (word % 20 != 0) continue;
      for (BodyId i = 0; i < kBodies; ++i) {
        for (BodyId j = i + 1; j < kBodies; ++j) {
          ASSERT_EQ(mask.active({i, j}), matrix.active(i, j)) << seed << ": " << word;
          active += matrix.active(i, j) ? 1 : 0;
          ++asked;
        }
      }
    }
  }
  EXPECT_GT(active, asked / 10);
  EXPECT_LT(active, asked * 9 / 10);
}

}  // namespace
}  // namespace tocsin::cpu::pair_mask_test
