// Malformed ASF files: each is refused with the line and the cause.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "amc_files.h"

namespace tocsin::io::asf_bad_input_test {
namespace {

using test::BadCase;
using test::changed;
using test::kSmallAsf;

void expect_skeleton_refused(const std::string& asf, int line, const std::string& phrase) {
  test::expect_input_error(parse_asf(asf, "small.asf"),
                           fmt::format("small.asf:{}: {}", line, phrase));
}

constexpr BadCase kSkeletonCases[] = {
    {":version 1.10", "version 1.10", 2, "expected a keyword such as :root, found \"version\""},
    {":name small\n", ":name small\nfoo\n", 4, "expected a keyword such as :root, found \"foo\""},
    {"mass 1.0", "mass heavy", 5, "mass: expected a number, found \"heavy\""},
    {"length 0.0254", "length", 6, "length: expected a number, found the end of the line"},
    {"length 0.0254", "length 0", 6, "the unit of length is 0, not between 1e-06 and 1000000"},
    {"length 0.0254", "length -1", 6, "the unit of length is -1, not between 1e-06 and 1000000"},
    {"length 0.0254", "length 1e300", 6,
     "the unit of length is 1e+300, not between 1e-06 and 1000000"},
    {"length 0.0254", "length 1e-320", 6,
     "the unit of length is 1e-320, not between 1e-06 and 1000000"},
    {"length 0.0254", "length inf", 6, "length: the number \"inf\" is not finite"},
    {"angle deg", "angle grad", 7, "expected the unit deg or rad, found \"grad\""},
    {"angle deg", "angle", 7, "expected the unit deg or rad, found the end of the line"},
    {":root\n", ":toor\n", 44, "there is no :root"},
    {":root\n", ":units\n", 11, "a second :units"},
    {"  order TX TY TZ RX RY RZ\n", "", 11, "the root has no order"},
    {"TX TY TZ", "TX TY TY", 12, "\"TY\" is listed twice"},
    {"TX TY TZ", "TX TY W", 12, "expected rx, ry, rz, tx, ty or tz, found \"W\""},
    {"TX TY TZ", "TX TY L", 12, "expected rx, ry, rz, tx, ty or tz, found \"L\""},
    {"axis XYZ", "axis XYX", 13, "expected an order of the axes, such as XYZ, found \"XYX\""},
    {"axis XYZ", "axis XY", 13, "expected an order of the axes, such as XYZ, found \"XY\""},
    {"position 0 0 0", "position 0 0", 14,
     "position: expected a number, found the end of the line"},
    {"position 0 0 0", "position 0 1e999 0", 14,
     "position: the number \"1e999\" is too large for a double"},
    {"orientation 0 0 0", "orientation 0 0 nan", 15,
     "orientation: the number \"nan\" is not finite"},
    {"  begin\n    id 1", "  start\n    id 1", 17, "expected begin, found \"start\""},
    {"    name arm\n", "", 17, "the bone has no name"},
    {"name arm", "name", 19, "expected a bone's name, found the end of the line"},
    {"name hand", "name ARM", 32, "a second bone named \"ARM\""},
    {"name hand", "name Root", 32, "a second bone named \"Root\""},
    {"    direction 1 0 0\n", "", 17, "the bone \"arm\" has no direction"},
    {"    length 2\n", "", 17, "the bone \"arm\" has no length"},
    {"    axis 0 0 90 XYZ\n", "", 30, "the bone \"hand\" has no axis"},
    {"direction 1 0 0", "direction 1 0 east", 20, "direction: expected a number, found \"east\""},
    {"length 2", "length -2", 21, "the length -2 is negative"},
    {"length 2", "length 2 length 2", 21, "a second length in the bone \"arm\""},
    {"axis 0 0 90 XYZ", "axis 0 0 90", 35,
     "expected an order of the axes, such as XYZ, found the end of the line"},
    {"axis 0 0 90 XYZ", "axis 0 90 XYZ", 35, "axis: expected a number, found \"XYZ\""},
    {"dof rx ry rz", "dof rx ry rw", 23, "expected rx, ry, rz, tx, ty, tz or l, found \"rw\""},
    {"dof rx ry rz", "dof rx ry rx", 23, "\"rx\" is listed twice"},
    {"    limits (-10 10)\n  end\n", "    limits (-10 10)\n", 38, "the bone of line 30 has no end"},
    {"    cofmass 1.0\n  end\n", "    cofmass 1.0\n", 29, "the bone of line 17 has no end"},
    {":hierarchy\n  begin\n", ":hierarchy\n", 40, "expected begin, found \"root\""},
    {"    arm hand\n  end\n", "    arm hand\n", 43, "the hierarchy of line 39 has no end"},
    {"    arm hand\n", "    arm leg\n", 42, "the hierarchy names \"leg\", which is no bone"},
    {"    arm hand\n", "    leg hand\n", 42, "the hierarchy names \"leg\", which is no bone"},
    {"    arm hand\n", "    leg\n", 42, "the hierarchy names \"leg\", which is no bone"},
    {"    arm hand\n", "    arm hand\n    hand root\n", 43, "the root cannot hang on a bone"},
    {"    arm hand\n", "    arm hand hand\n", 42, "the bone \"hand\" hangs on \"arm\" already"},
    {"    arm hand\n", "", 30,
     "the hierarchy does not hang the bone \"hand\" on any other or on the root"},
    {"    root arm\n", "", 17,
     "the hierarchy does not hang the bone \"arm\" on any other or on the root"},
    {"    root arm\n", "    hand arm\n", 30, "the bone \"hand\" hangs on itself, by the hierarchy"},
    {"    root arm\n    arm hand\n", "    root arm\n    hand hand\n", 30,
     "the bone \"hand\" hangs on itself, by the hierarchy"},
};

TEST(AsfBadInput, IsRefusedWithLineAndCause) {
  for (const BadCase& bad : kSkeletonCases) {
    SCOPED_TRACE(bad.to);
    expect_skeleton_refused(changed(kSmallAsf, bad.from, bad.to), bad.line, bad.message);
  }
}

TEST(AsfBadInput, EmptyAndNearlyEmpty) {
  expect_skeleton_refused("", 1, "there is no :root");
  expect_skeleton_refused("# a\n:root order rx\n", 3, "there is no :bonedata");
  expect_skeleton_refused(":root order rx\n:bonedata\n", 3, "there is no :hierarchy");
  expect_skeleton_refused(":root order rx\n:bonedata\n:hierarchy", 3,
                          "expected begin, found the end of the file");
  // A root alone is a skeleton.
  EXPECT_TRUE(parse_asf(":root order rx\n:bonedata\n:hierarchy begin end", "small.asf").ok());
}

TEST(AsfBadInput, HugeAnglesAreErrors) {
  std::string asf = changed(kSmallAsf, "angle deg", "angle rad");
  expect_skeleton_refused(changed(asf, "axis 0 0 90", "axis 0 0 1e308"), 30,
                          "an angle is too large");
  EXPECT_TRUE(parse_asf(changed(kSmallAsf, "axis 0 0 90", "axis 0 0 1e308"), "small.asf").ok());
}

TEST(AsfBadInput, HugeLengthsAreErrors) {
  const auto message = [](const std::string& asf) {
    return test::parse(asf, test::kSmallAmc).error().message;
  };
  EXPECT_EQ(message(changed(kSmallAsf, "    length 2\n", "    length 2e6\n")),
            "take.amc: frame 0, joint \"hand\": the translation (2000000, 0, 0) m is beyond "
            "1000000 m");
  EXPECT_NE(message(changed(changed(kSmallAsf, "    length 2\n", "    length 1e308\n"),
                            "direction 1 0 0", "direction 10 0 0")),
            "");
}

TEST(AsfBadInput, TruncatedAnywhere) {
  const std::string text = kSmallAsf;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Result<AsfSkeleton> skeleton = parse_asf(text.substr(0, size), "small.asf");
    // Only the last line end may go.
    EXPECT_EQ(skeleton.ok(), size == text.size() - 1) << size;
    if (skeleton.ok()) continue;
    EXPECT_TRUE(skeleton.error().message.starts_with("small.asf:")) << skeleton.error().message;
  }
}

TEST(AsfBadInput, AnyByteReplaced) {
  std::mt19937 random(27);
  for (std::size_t i = 0; i < std::string(kSmallAsf).size(); ++i) {
    for (int k = 0; k < 10; ++k) {
      std::string text = kSmallAsf;
      text[i] = static_cast<char>(random());
      const Result<AsfSkeleton> skeleton = parse_asf(text, "small.asf");
      if (!skeleton.ok()) {
        EXPECT_TRUE(skeleton.error().message.starts_with("small.asf:")) << skeleton.error().message;
      }
      (void)test::parse(text, test::kSmallAmc);
    }
  }
}

TEST(AsfBadInput, BinaryNoise) {
  std::mt19937 random(28);
  for (int k = 0; k < 200; ++k) {
    std::string noise(4096, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    EXPECT_FALSE(parse_asf(noise, "small.asf").ok());
    EXPECT_FALSE(parse_asf(":root order rx\n" + noise, "small.asf").ok());
    EXPECT_FALSE(parse_asf(":bonedata begin\n" + noise, "small.asf").ok());
    EXPECT_FALSE(parse_asf(":hierarchy begin\n" + noise, "small.asf").ok());
  }
}

/// A chain of bones below the root.
std::string chain(int bones) {
  std::string text = ":root order rx\n:bonedata\n";
  std::string tree = ":hierarchy begin\nroot b0\n";
  for (int i = 0; i < bones; ++i) {
    text += fmt::format("begin name b{} direction 0 1 0 length 0 axis 0 0 0 XYZ end\n", i);
    if (i > 0) tree += fmt::format("b{} b{}\n", i - 1, i);
  }
  return text + tree + "end\n";
}

TEST(AsfBadInput, DepthIsLimitedAndCostsNoStack) {
  const Result<AsfSkeleton> deep = parse_asf(chain(16'382), "small.asf");
  ASSERT_TRUE(deep.ok()) << deep.error().message;
  const MotionOptions metres{.unit_metres = 1.0};
  const Result<Motion> motion = parse_amc("1\nroot 0\n", "take.amc", *deep, metres);
  EXPECT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->skeleton().size(), 16'384);
  // One more, and its end makes 16,385 joints.
  const Result<AsfSkeleton> deeper = parse_asf(chain(16'383), "small.asf");
  ASSERT_TRUE(deeper.ok()) << deeper.error().message;
  EXPECT_EQ(parse_amc("1\nroot 0\n", "take.amc", *deeper, metres).error().message,
            "small.asf: 16385 joints; a skeleton has at most 16384");
  expect_skeleton_refused(chain(200'000), 2 + 16'384, "more than 16384 bones, the root included");
}

TEST(AsfBadInput, NamesAreLimited) {
  EXPECT_TRUE(parse_asf(test::replaced(kSmallAsf, "hand", std::string(256, 'n')), "a").ok());
  const Result<AsfSkeleton> longer =
      parse_asf(test::replaced(kSmallAsf, "hand", std::string(257, 'n')), "a");
  EXPECT_NE(longer.error().message.find("is longer than 256 bytes"), std::string::npos);
}

}  // namespace
}  // namespace tocsin::io::asf_bad_input_test
