// Malformed AMC files: each is refused with the line and the cause.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "amc_files.h"

namespace tocsin::io::amc_bad_input_test {
namespace {

using test::BadCase;
using test::changed;
using test::kSmallAmc;
using test::kSmallAsf;

Result<Motion> parse(const std::string& amc, const MotionOptions& options = {}) {
  return test::parse(kSmallAsf, amc, options);
}

void expect_refused(const std::string& amc, int line, const std::string& phrase) {
  test::expect_input_error(parse(amc), fmt::format("take.amc:{}: {}", line, phrase));
}

// Line 4 is frame 1's number, line 8 frame 2's.
constexpr BadCase kCases[] = {
    {"1\nroot", "root", 4, "expected the number of the first frame, found \"root\""},
    {":DEGREES", "DEGREES", 3, "expected the number of the first frame, found \"DEGREES\""},
    {":DEGREES", ":DEGREES 3", 3, "expected the end of the line, found \"3\""},
    {":DEGREES", ":SAMPLES-PER-SECOND", 3,
     ":SAMPLES-PER-SECOND: expected a number, found the end of the line"},
    {":DEGREES", ":samples-per-second 0", 3,
     "a rate of 0 frames a second makes no sense; it must be between 1e-06 and 1e+09"},
    {":DEGREES", ":samples-per-second -30", 3,
     "a rate of -30 frames a second makes no sense; it must be between 1e-06 and 1e+09"},
    {"\n2\n", "\n3\n", 8, "frame 3 comes after frame 1; the numbers must rise by 1"},
    {"\n2\n", "\n1\n", 8, "frame 1 comes after frame 1; the numbers must rise by 1"},
    {"\n2\n", "\n", 8, "frame 1 names the bone \"root\" twice"},
    {"\n2\n", "\n2.0\n", 8, "frame 1: \"2.0\" is no bone of small.asf"},
    {"\n2\n", "\n2 2\n", 8, "frame 1: \"2\" is no bone of small.asf"},
    {"\n2\n", "\n99999999999999999999\n", 8,
     "frame 1: \"99999999999999999999\" is no bone of small.asf"},
    {"\n2\n", "\n:DEGREES\n2\n", 8, "frame 1: \":DEGREES\" is no bone of small.asf"},
    {"arm 90 90 0", "arm 90 90", 6,
     "frame 1, bone \"arm\", value 3 of 3: expected a number, found the end of the line"},
    {"arm 90 90 0", "arm 90 90 0 1", 6,
     "frame 1, bone \"arm\" has more values than the 3 of the .asf: \"1\""},
    {"arm 90 90 0", "arm 90 9O 0", 6,
     "frame 1, bone \"arm\", value 2 of 3: expected a number, found \"9O\""},
    {"arm 90 90 0", "arm 90 nan 0", 6,
     "frame 1, bone \"arm\", value 2 of 3: the number \"nan\" is not finite"},
    {"arm 90 90 0", "arm inf 90 0", 6,
     "frame 1, bone \"arm\", value 1 of 3: the number \"inf\" is not finite"},
    {"arm 90 90 0", "arm 1e999 90 0", 6,
     "frame 1, bone \"arm\", value 1 of 3: the number \"1e999\" is too large for a double"},
    {"arm 90 90 0", "leg 90 90 0", 6, "frame 1: \"leg\" is no bone of small.asf"},
    {"arm 90 90 0", "hand_end 90 90 0", 6, "frame 1: \"hand_end\" is no bone of small.asf"},
    {"arm 90 90 0", "arm 90 90 0\narm 90 90 0", 7, "frame 1 names the bone \"arm\" twice"},
    {"arm 90 90 0\n", "", 9, "frame 2 names the bone \"arm\", which the first frame does not"},
    {"arm 0 0 0\n", "", 8, "frame 2 does not name the bone \"arm\""},
    {"hand 0\n", "3\n", 8, "frame 2 does not name the bone \"hand\""},
    {"hand 0\n", "hand 0\n3\n", 12, "frame 3 does not name the bone \"root\""},
    {"root 1 2 3 0 0 0\narm 90 90 0\nhand 90\n", "", 4, "frame 1 names no bone"},
};

TEST(AmcBadInput, IsRefusedWithLineAndCause) {
  for (const BadCase& bad : kCases) {
    SCOPED_TRACE(bad.to);
    expect_refused(changed(kSmallAmc, bad.from, bad.to), bad.line, bad.message);
  }
}

TEST(AmcBadInput, EmptyAndNearlyEmpty) {
  expect_refused("", 1, "there are no frames");
  expect_refused("# nothing\n\n:DEGREES\n", 4, "there are no frames");
  expect_refused("1", 1, "frame 1 names no bone");
  expect_refused("9223372036854775807\nroot 0 0 0 0 0 0\n-9223372036854775808\n", 3,
                 "frame -9223372036854775808 comes after frame 9223372036854775807; the numbers "
                 "must rise by 1");
}

TEST(AmcBadInput, FarAndHugeNumbersAreErrors) {
  EXPECT_EQ(parse(changed(kSmallAmc, "root 0 1 0", "root 0 2e6 0")).error().message,
            "take.amc: frame 1, joint \"root\": the translation (0, 2000000, 0) m is beyond "
            "1000000 m");
  EXPECT_FALSE(parse(changed(kSmallAmc, "root 0 1 0", "root 0 1e308 0")).ok());
  EXPECT_FALSE(
      parse(changed(kSmallAmc, "root 0 1 0", "root 0 1e308 0"), {.unit_metres = 1e3}).ok());
  EXPECT_TRUE(parse(changed(kSmallAmc, "arm 90", "arm 1e308")).ok());
  const std::string radians = changed(kSmallAsf, "angle deg", "angle rad");
  const std::string amc = changed(kSmallAmc, ":DEGREES\n", "");
  EXPECT_EQ(test::parse(radians, changed(amc, "arm 90", "arm 1e308")).error().message,
            "take.amc:5: frame 1, bone \"arm\": the angle is too large");
}

TEST(AmcBadInput, SenselessOptionsAreTheCallersFault) {
  for (const double rate : {0.0, -1.0, 1e300, 1e-300, 0.0 / 0.0, 1.0 / 0.0}) {
    EXPECT_EQ(parse(kSmallAmc, {.rate = rate}).error().code, ErrorCode::kUsage) << rate;
  }
  EXPECT_EQ(parse(kSmallAmc, {.unit_metres = 0.0}).error().code, ErrorCode::kUsage);
}

TEST(AmcBadInput, TruncatedAnywhere) {
  const std::string text = kSmallAmc;
  const std::size_t whole_frame = text.find("\n2\n");
  std::vector<std::size_t> read;
  std::size_t warned = 0;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Result<Motion> motion = parse(text.substr(0, size));
    if (!motion.ok()) {
      EXPECT_TRUE(motion.error().message.starts_with("take.amc:")) << motion.error().message;
    } else if (motion->source().warnings.empty()) {
      read.push_back(size);
    } else {
      ++warned;
      EXPECT_NE(motion->source().warnings[0].find("in no frame"), std::string::npos);
    }
  }
  // After a whole line of the first and only frame: the bones that are lost stay at rest (warning).
  EXPECT_EQ(warned, 4U);
  // Else only what cannot be told from a shorter file passes: "hand 9", "hand 90", "hand 90\n"; and
  // the last line without its line end.
  EXPECT_EQ(read, (std::vector<std::size_t>{whole_frame - 1, whole_frame, whole_frame + 1,
                                            text.size() - 1}));
}

TEST(AmcBadInput, AnyByteReplaced) {
  std::mt19937 random(17);
  for (std::size_t i = 0; i < std::string(kSmallAmc).size(); ++i) {
    for (int k = 0; k < 20; ++k) {
      std::string text = kSmallAmc;
      text[i] = static_cast<char>(random());
      const Result<Motion> motion = parse(text);
      if (!motion.ok()) {
        EXPECT_TRUE(motion.error().message.starts_with("take.amc:")) << motion.error().message;
      }
    }
  }
}

TEST(AmcBadInput, BinaryNoise) {
  std::mt19937 random(18);
  for (int k = 0; k < 200; ++k) {
    std::string noise(4096, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    EXPECT_FALSE(parse(noise).ok());
    EXPECT_FALSE(parse(":DEGREES\n1\nroot 0 0 0 0 0 0\n" + noise).ok());
  }
}

TEST(AmcBadInput, BonesThatAreInNoFrameCannotFillTheMemory) {
  std::string asf = ":root order tx\n:bonedata\n";
  for (int i = 0; i < 8'000; ++i) {
    asf += fmt::format("begin name b{} direction 1 0 0 length 1 axis 0 0 0 XYZ end\n", i);
  }
  asf += ":hierarchy begin\nroot";
  for (int i = 0; i < 8'000; ++i) asf += fmt::format(" b{}", i);
  asf += "\nend\n";
  std::string amc;
  for (int i = 0; i < 100'000; ++i) amc += fmt::format("{}\nroot 0\n", i);
  const MotionOptions options{.unit_metres = 1.0};
  const Result<Motion> motion = test::parse(asf, amc, options);
  ASSERT_FALSE(motion.ok());
  EXPECT_NE(motion.error().message.find("too many bones that are in no frame"), std::string::npos)
      << motion.error().message;
  const Result<Motion> few = test::parse(asf, amc.substr(0, amc.find("\n3\n") + 1), options);
  ASSERT_TRUE(few.ok()) << few.error().message;
  EXPECT_EQ(few->skeleton().size(), 16'001);
}

}  // namespace
}  // namespace tocsin::io::amc_bad_input_test
