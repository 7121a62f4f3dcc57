#include "io/unit.h"

#include <gtest/gtest.h>

#include <limits>

namespace tocsin::io::unit_test {
namespace {

std::vector<std::string_view> fitting(double height) {
  std::vector<std::string_view> names;
  for (const NamedUnit& unit : fitting_units(height)) names.push_back(unit.name);
  return names;
}

TEST(Unit, TheOneThatMakesAPersonFits) {
  using Names = std::vector<std::string_view>;
  EXPECT_EQ(fitting(1.7), Names{"m"});
  EXPECT_EQ(fitting(170), Names{"cm"});
  EXPECT_EQ(fitting(1700), Names{"mm"});
  EXPECT_EQ(fitting(67), Names{"in"});
  EXPECT_EQ(fitting(30), Names{"cmu"});
  EXPECT_EQ(fitting(15), Names{});
  EXPECT_EQ(fitting(0), Names{});
  EXPECT_EQ(fitting(-1.7), Names{});
  EXPECT_EQ(fitting(std::numeric_limits<double>::quiet_NaN()), Names{});
  EXPECT_EQ(fitting(std::numeric_limits<double>::infinity()), Names{});
}

TEST(Unit, NeverDoTwoFit) {
  for (double height = 0.5; height < 4000; height *= 1.0005) {
    EXPECT_LE(fitting_units(height).size(), 1U) << height;
  }
}

TEST(Unit, ThePersonTellingWins) {
  const Result<UnitChoice> told = choose_unit(0.5, 1.7);
  EXPECT_EQ(told->metres, 0.5);
  EXPECT_EQ(told->reason, "as told");
}

TEST(Unit, TheGuessSaysWhy) {
  const Result<UnitChoice> guess = choose_unit({}, 25.65);
  ASSERT_TRUE(guess.ok());
  EXPECT_EQ(guess->metres, 0.0254 / 0.45);
  EXPECT_EQ(guess->reason, "rest height 1.45 m in cmu");
}

TEST(Unit, WithoutAFitThePersonIsAsked) {
  const Result<UnitChoice> none = choose_unit({}, 15);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, ErrorCode::kInput);
  for (const char* const part : {"15 units high", "15 m (m)", "0.15 m (cm)", "0.015 m (mm)",
                                 "0.381 m (in)", "0.847 m (cmu)", "--motion-unit"}) {
    EXPECT_NE(none.error().message.find(part), std::string::npos) << none.error().message;
  }
}

TEST(Unit, SenselessOnesAreRefused) {
  for (const double unit : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(choose_unit(unit, 1.7).error().code, ErrorCode::kUsage);
  }
}

TEST(Unit, FromTheCommandLine) {
  EXPECT_EQ(parse_unit("cm")->metres, 0.01);
  EXPECT_EQ(parse_unit("cmu")->metres, 0.0254 / 0.45);
  EXPECT_EQ(parse_unit("0.3048")->metres, 0.3048);
  EXPECT_TRUE(parse_unit("auto").ok());
  EXPECT_FALSE(parse_unit("auto")->metres.has_value());
  for (const char* const wrong : {"", "km", "0", "-1", "nan", "1 m", "1e999"}) {
    EXPECT_EQ(parse_unit(wrong).error().code, ErrorCode::kUsage) << wrong;
  }
}

}  // namespace
}  // namespace tocsin::io::unit_test
