// Radii for bodies of other sizes: given factors, factors found from bone lengths, bad values.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tocsin/avatar.h"

namespace tocsin::avatar_scale_test {
namespace {

/// Bones a, b, c, d of 0.1, 0.2, 0.3 and 0.4 m in a row, times `size`.
Skeleton row(double size = 1.0) {
  const auto made = Skeleton::create({{"a", -1, {}},
                                      {"b", 0, {{}, {0.1 * size, 0, 0}}},
                                      {"c", 1, {{}, {0, 0.2 * size, 0}}},
                                      {"d", 2, {{}, {0, 0, 0.3 * size}}},
                                      {"e", 3, {{}, {0.4 * size, 0, 0}}}});
  EXPECT_TRUE(made.ok());
  return *made;
}

/// Links of those bones; `lengths` on the reference body, 0: not known.
AvatarModel row_model(const std::vector<double>& lengths) {
  AvatarModel out;
  out.name = "row";
  const char* const joints[] = {"a", "b", "c", "d", "e"};
  for (std::size_t i = 0; i < 4; ++i) {
    LinkModel link;
    link.name = std::string("bone_") + joints[i];
    link.joint = joints[i];
    link.b.joint = joints[i + 1];
    link.radius = 0.01 * static_cast<double>(i + 1);
    link.length = lengths[i];
    out.links.push_back(link);
  }
  return out;
}

const RadiusScale kAutomatic{.automatic = true};

TEST(AvatarScale, WithoutAScaleNothingChanges) {
  const auto avatar = Avatar::bind(row_model({1, 1, 1, 1}), row());
  ASSERT_TRUE(avatar.ok());
  EXPECT_EQ(avatar->radius_factor(), 1.0);
  EXPECT_EQ(avatar->links()[2].radius, 0.01 * 3.0);
}

TEST(AvatarScale, AGivenFactorMultiplies) {
  const auto avatar = Avatar::bind(row_model({0, 0, 0, 0}), row(), {.factor = 0.5});
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  EXPECT_EQ(avatar->radius_factor(), 0.5);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(avatar->links()[i].radius, 0.5 * (0.01 * static_cast<double>(i + 1)));
  }
}

TEST(AvatarScale, TheFactorIsTheMedianRatio) {
  // The ratios of 0.1, 0.2, 0.3, 0.4 to these are 1, 2, 3 and 10.
  const std::vector<double> lengths{0.1, 0.1, 0.1, 0.04};
  const auto four = Avatar::bind(row_model(lengths), row(), kAutomatic);
  ASSERT_TRUE(four.ok()) << four.error().message;
  EXPECT_NEAR(four->radius_factor(), 2.5, 1e-12);  // between 2 and 3
  EXPECT_NEAR(four->links()[3].radius, 2.5 * 0.04, 1e-12);

  const auto three = Avatar::bind(row_model({0.1, 0, 0.1, 0.04}), row(), kAutomatic);
  EXPECT_NEAR(three->radius_factor(), 3.0, 1e-12);  // of 1, 3, 10; the second does not say
  EXPECT_NEAR(three->links()[1].radius, 3.0 * 0.02, 1e-12);
}

TEST(AvatarScale, ABodyHalfAsLargeGetsHalfTheFactor) {
  const AvatarModel m = row_model({0.11, 0.19, 0.33, 0.38});
  const auto whole = Avatar::bind(m, row(), kAutomatic);
  const auto half = Avatar::bind(m, row(0.5), kAutomatic);
  ASSERT_TRUE(whole.ok() && half.ok());
  EXPECT_NEAR(half->radius_factor(), 0.5 * whole->radius_factor(), 1e-15);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(half->links()[i].radius, 0.5 * whole->links()[i].radius, 1e-15);
  }
}

TEST(AvatarScale, EndsThatAreGivenAsVectorsCountToo) {
  AvatarModel m = row_model({0, 0, 0, 0});
  m.links[0].a = {{-0.1, 0, 0}, ""};
  m.links[0].length = 0.4;  // 0.2 m on the skeleton
  const auto avatar = Avatar::bind(m, row(), kAutomatic);
  ASSERT_TRUE(avatar.ok());
  EXPECT_NEAR(avatar->radius_factor(), 0.5, 1e-15);
}

TEST(AvatarScale, AModelWithoutLengthsCannotBeScaledAutomatically) {
  const auto avatar = Avatar::bind(row_model({0, 0, 0, 0}), row(), kAutomatic);
  ASSERT_FALSE(avatar.ok());
  EXPECT_EQ(avatar.error().code, ErrorCode::kInput);
  EXPECT_NE(avatar.error().message.find("\"row\" does not say how long"), std::string::npos)
      << avatar.error().message;
}

TEST(AvatarScale, ASkeletonWithoutLengthsNeither) {
  const auto avatar = Avatar::bind(row_model({1, 1, 1, 1}), row(0.0), kAutomatic);
  ASSERT_FALSE(avatar.ok());
  EXPECT_EQ(avatar.error().code, ErrorCode::kInput);
}

TEST(AvatarScale, SenselessFactorsAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double factor : {0.0, -0.0, -1.0, nan, inf, -inf}) {
    for (const auto& avatar : {Avatar::bind(row_model({1, 1, 1, 1}), row(), {.factor = factor}),
                               Avatar::automatic(row(), {.factor = factor})}) {
      ASSERT_FALSE(avatar.ok()) << factor;
      EXPECT_EQ(avatar.error().code, ErrorCode::kUsage);
    }
    // Automatic scaling does not look at it.
    EXPECT_TRUE(
        Avatar::bind(row_model({1, 1, 1, 1}), row(), {.automatic = true, .factor = factor}).ok());
  }
}

TEST(AvatarScale, ScaledRadiiKeepTheLimits) {
  for (const double factor : {1e-5, 2e3, 1e300}) {  // of 0.01 to 0.04 m: below 1e-6, above 10
    const auto avatar = Avatar::bind(row_model({1, 1, 1, 1}), row(), {.factor = factor});
    ASSERT_FALSE(avatar.ok()) << factor;
    EXPECT_EQ(avatar.error().code, ErrorCode::kUsage);
    EXPECT_NE(avatar.error().message.find("bone_a"), std::string::npos) << avatar.error().message;
  }
  const auto small = Avatar::bind(row_model({1e4, 1e4, 1e4, 1e4}), row(), kAutomatic);
  ASSERT_FALSE(small.ok());
  EXPECT_EQ(small.error().code, ErrorCode::kInput);
}

TEST(AvatarScale, OneLinkPerBoneFitsTheBodyByItself) {
  const auto plain = Avatar::automatic(row());
  const auto automatic = Avatar::automatic(row(), kAutomatic);
  const auto doubled = Avatar::automatic(row(), {.factor = 2.0});
  ASSERT_TRUE(plain.ok() && automatic.ok() && doubled.ok());
  EXPECT_EQ(automatic->radius_factor(), 1.0);
  EXPECT_EQ(doubled->radius_factor(), 2.0);
  for (std::size_t i = 0; i < plain->links().size(); ++i) {
    EXPECT_EQ(automatic->links()[i].radius, plain->links()[i].radius);
    EXPECT_EQ(doubled->links()[i].radius, 2.0 * plain->links()[i].radius);
  }
}

}  // namespace
}  // namespace tocsin::avatar_scale_test
