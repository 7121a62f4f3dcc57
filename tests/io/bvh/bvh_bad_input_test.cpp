// Malformed BVH files: each is refused with the line and the cause.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "io/bad_motion.h"
#include "io/bvh/bvh.h"

namespace tocsin::io::bvh_bad_input_test {
namespace {

constexpr const char* kSmall = R"(HIERARCHY
ROOT Hips
{
  OFFSET 0 1 0
  CHANNELS 4 Xposition Zrotation Yrotation Xrotation
  JOINT Head
  {
    OFFSET 0 0.5 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 0.2 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.04
1 10 20 30 40
2 11 21 31 41
)";

Result<Motion> parse_bad(std::string_view text) {
  return parse_bvh(text, "take.bvh", {1.0, UpAxis::kY});
}

/// kSmall with one place changed.
std::string changed(const std::string& from, const std::string& to) {
  return with_change(kSmall, from, to);
}

void expect_refused(std::string_view text, int line, const std::string& phrase) {
  expect_refusal(parse_bad(text), fmt::format("take.bvh:{}: ", line), phrase);
}

constexpr BadCase kHierarchyCases[] = {
    {"HIERARCHY", "HIERARCHIE", 1, "expected HIERARCHY, found \"HIERARCHIE\""},
    {"ROOT Hips", "JOINT Hips", 2, "expected ROOT or MOTION, found \"JOINT\""},
    {"ROOT Hips", "ROOT", 2, "expected a joint's name, found the end of the line"},
    {"ROOT Hips\n{", "ROOT Hips\n", 4, "expected { after joint \"Hips\", found \"OFFSET\""},
    {"OFFSET 0 1 0", "OFFSET 0 1", 4, "OFFSET: expected a number, found the end of the line"},
    {"OFFSET 0 1 0", "OFFSET 0 foo 0", 4, "OFFSET: expected a number, found \"foo\""},
    {"OFFSET 0 1 0", "OFFSET 0 1,5 0", 4,
     "expected a number, found \"1,5\": a decimal comma; write a point instead"},
    {"OFFSET 0 1 0", "OFFSET 0 1.0D+00 0", 4,
     "expected a number, found \"1.0D+00\": an exponent as Fortran writes it; write e"},
    {"OFFSET 0 1 0", "OFFSET 0 -1.#IND 0", 4, "the number \"-1.#IND\" is not finite"},
    {"OFFSET 0 1 0", "OFFSET 0 nan 0", 4, "the number \"nan\" is not finite"},
    {"OFFSET 0 1 0", "OFFSET 0 -inf 0", 4, "the number \"-inf\" is not finite"},
    {"OFFSET 0 1 0", "OFFSET 0 1e999 0", 4, "the number \"1e999\" is too large"},
    {"OFFSET 0 1 0", "OFFSET 0 1 0 0", 4,
     "expected OFFSET, CHANNELS, JOINT, End Site or } in joint \"Hips\""},
    {"OFFSET 0 1 0", "OFFSET 0 1 0 OFFSET 0 1 0", 4, "a second OFFSET in joint \"Hips\""},
    {"  OFFSET 0 1 0\n", "", 14, "joint \"Hips\" (line 2) has no OFFSET"},
    {"      OFFSET 0 0.2 0\n", "", 12, "joint \"Head_end\" (line 10) has no OFFSET"},
    {"CHANNELS 4", "CHANNELS", 5, "expected a number of channels, found \"Xposition\""},
    {"CHANNELS 4", "CHANNELS -4", 5, "expected a number of channels, found \"-4\""},
    {"CHANNELS 4", "CHANNELS 4.0", 5, "expected a number of channels, found \"4.0\""},
    {"CHANNELS 4", "CHANNELS 99999999999999999999", 5, "expected a number of channels"},
    {"CHANNELS 4", "CHANNELS 100000000000", 5,
     "expected 100000000000 channel names (Xposition, Zrotation, ...), found the end of the line "
     "after 4"},
    {"CHANNELS 4", "CHANNELS 3", 5, "more channel names than the 3 announced: \"Xrotation\""},
    {"Yrotation", "Wrotation", 5, "found \"Wrotation\" after 2"},
    {"Yrotation", "Yscale", 5, "found \"Yscale\" after 2"},
    {"Zrotation", "Xposition", 5, "\"Xposition\" is listed twice"},
    {"CHANNELS 1 Xrotation", "CHANNELS 1 Xrotation CHANNELS 1 Xrotation", 9, "a second CHANNELS"},
    {"End Site", "End", 10, "expected End Site, found End the end of the line"},
    {"End Site", "End Effector", 10, "expected End Site, found End \"Effector\""},
    {"OFFSET 0 0.2 0", "OFFSET 0 0.2 0 CHANNELS 1 Xrotation", 12,
     "an End Site cannot have channels"},
    {"OFFSET 0 0.2 0", "OFFSET 0 0.2 0 JOINT x { }", 12,
     "expected OFFSET or } in joint \"Head_end\""},
    {"      OFFSET 0 0.2 0\n    }\n", "      OFFSET 0 0.2 0\n", 15, "found \"MOTION\""},
    {"  }\n}\n", "  }\n}\n}\n", 16, "expected ROOT or MOTION, found \"}\""},
};

TEST(BvhBadInput, Hierarchy) {
  for (const BadCase& bad : kHierarchyCases) {
    SCOPED_TRACE(bad.to);
    expect_refused(changed(bad.from, bad.to), bad.line, bad.phrase);
  }
}

constexpr BadCase kMotionCases[] = {
    {"MOTION", "", 17, "expected ROOT or MOTION, found \"Frames:\""},
    {"Frames: 2\n", "", 17, "expected Frames:, found \"Frame\""},
    {"Frames: 2", "Frame 2", 17, "expected Frames:, found \"Frame\""},
    {"Frames: 2", "Frames: two", 17, "expected the number of frames, found \"two\""},
    {"Frames: 2", "Frames: -2", 17, "expected the number of frames, found \"-2\""},
    {"Frames: 2", "Frames: 2.5", 17, "expected the number of frames, found \"2.5\""},
    {"Frames: 2", "Frames:", 17, "expected the number of frames, found the end of the line"},
    {"Frames: 2", "Frames: 2 3", 17, "expected the end of the line, found \"3\""},
    {"Frame Time: 0.04\n", "", 18, "expected Frame Time:, found \"1\""},
    {"Frame Time: 0.04", "Frame Time: fast", 18, "Frame Time: expected a number, found \"fast\""},
    {"Frame Time: 0.04", "Frame Time: 0", 18, "the frame time is 0 s; it must be between"},
    {"Frame Time: 0.04", "Frame Time: 1e308", 18, "the frame time is 1e+308 s; it must be between"},
    {"Frame Time: 0.04", "Frame Time: 1e-320", 18, "it must be between"},
    {"Frame Time: 0.04", "Frame Time: -0.04", 18, "the frame time is -0.04 s"},
    {"Frame Time: 0.04", "Frame Time: 1e-999", 18, "the frame time is 0 s"},
    {"Frame Time: 0.04", "Frame Time: inf", 18, "the number \"inf\" is not finite"},
    {"Frame Time: 0.04", "Frame Time: nan", 18, "the number \"nan\" is not finite"},
    {"Frame Time: 0.04", "Frame Time: 0.04 s", 18, "expected the end of the line, found \"s\""},
    {"1 10 20 30 40", "1 10 20 30", 19,
     "frame 0, number 5 of 5: expected a number, found the end of the line"},
    {"2 11 21 31 41", "2 11", 20, "frame 1, number 3 of 5: expected a number"},
    {"1 10 20 30 40", "1 10 20 30 40 50", 19,
     "frame 0 has more numbers than the 5 channels: \"50\""},
    {"1 10 20 30 40", "1 10 foo 30 40", 19,
     "frame 0, number 3 of 5: expected a number, found \"foo\""},
    {"1 10 20 30 40", "1 10 nan 30 40", 19, "the number \"nan\" is not finite"},
    {"1 10 20 30 40", "1 10 -1e999 30 40", 19, "the number \"-1e999\" is too large for a double"},
    {"1 10 20 30 40", "1 10 2O 30 40", 19, "expected a number, found \"2O\""},
    {"2 11 21 31 41\n", "2 11 21 31 41\nthe end\n", 21, "frame 2, number 1 of 5"},
    {"1 10 20 30 40\n2 11 21 31 41\n", "", 19, "there are no frames"},
};

TEST(BvhBadInput, Motion) {
  for (const BadCase& bad : kMotionCases) {
    SCOPED_TRACE(bad.to);
    expect_refused(changed(bad.from, bad.to), bad.line, bad.phrase);
  }
}

TEST(BvhBadInput, TheErrorNamesTheFrameAndJointOfAFarPose) {
  const Result<Motion> motion = parse_bad(changed("2 11 21 31 41", "2e6 11 21 31 41"));
  ASSERT_FALSE(motion.ok());
  EXPECT_EQ(
      motion.error().message,
      "take.bvh: frame 1, joint \"Hips\": the translation (2000000, 1, 0) m is beyond 1000000 m");
  EXPECT_FALSE(parse_bad(changed("OFFSET 0 1 0", "OFFSET 0 1e300 0")).ok());
  EXPECT_FALSE(
      parse_bvh(changed("OFFSET 0 1 0", "OFFSET 0 1e308 0"), "take.bvh", {1e10, UpAxis::kY}).ok());
  EXPECT_FALSE(parse_bvh(changed("OFFSET 0 1 0", "OFFSET 0 -1.5e308 0"), "take.bvh").ok());
}

TEST(BvhBadInput, EmptyAndNearlyEmpty) {
  expect_refused("", 1, "expected HIERARCHY, found the end of the file");
  expect_refused("\n\n \t\n", 4, "expected HIERARCHY, found the end of the file");
  expect_refused("\xef\xbb\xbf", 1, "expected HIERARCHY");
  expect_refused("HIERARCHY", 1, "expected ROOT or MOTION, found the end of the file");
  expect_refused("HIERARCHY MOTION", 1, "there is no ROOT before MOTION");
  expect_refused("HIERARCHY\nROOT r {\nOFFSET 0 1 0 }\nMOTION\nFrames: 1\nFrame Time: 1\n", 4,
                 "no joint has a channel");
}

TEST(BvhBadInput, TruncatedAnywhere) {
  const std::string text = kSmall;
  std::size_t read = 0;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Result<Motion> motion = parse_bad(std::string_view(text).substr(0, size));
    if (motion.ok()) {
      // Only what cannot be told from a shorter file may pass: whole frame lines, or a last number
      // that lost digits.
      EXPECT_GE(size, text.find("40\n2 11") + 1);
      EXPECT_LE(motion->frame_count(), 2);
      ++read;
    } else {
      EXPECT_EQ(motion.error().code, ErrorCode::kInput);
      EXPECT_TRUE(motion.error().message.starts_with("take.bvh:")) << motion.error().message;
    }
  }
  // "...4", "...40", "...40\n", then "...4" and "...41" of the second line.
  EXPECT_EQ(read, 5U);
}

TEST(BvhBadInput, AnyByteReplaced) {
  std::mt19937 random(7);
  for (std::size_t i = 0; std::string(kSmall).size() > i; ++i) {
    for (int k = 0; k < 20; ++k) {
      std::string text = kSmall;
      text[i] = static_cast<char>(random());
      const Result<Motion> motion = parse_bad(text);
      if (!motion.ok()) {
        EXPECT_TRUE(motion.error().message.starts_with("take.bvh:")) << motion.error().message;
      }
    }
  }
}

TEST(BvhBadInput, BinaryNoise) {
  std::mt19937 random(8);
  for (int k = 0; k < 200; ++k) {
    std::string noise(4096, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    EXPECT_FALSE(parse_bad(noise).ok());
    EXPECT_FALSE(parse_bad("HIERARCHY\nROOT r\n{\n" + noise).ok());
    const std::string header(kSmall, std::string(kSmall).find("1 10"));
    EXPECT_FALSE(parse_bad(header + noise).ok());
  }
  expect_refused(changed("ROOT Hips", std::string("ROOT Hips\n\0", 11)), 3, "found \"\\x00\"");
}

std::string nested(int depth) {
  std::string text = "HIERARCHY\nROOT r\n";
  for (int i = 0; i < depth; ++i) text += "{OFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT j\n";
  text += "{OFFSET 0 0 0\nCHANNELS 1 Xrotation\n" +
          std::string(static_cast<std::size_t>(depth) + 1, '}');
  text += "\nMOTION\nFrames: 1\nFrame Time: 1\n";
  for (int i = 0; i <= depth; ++i) text += "1 ";
  return text;
}

TEST(BvhBadInput, DepthIsLimitedAndCostsNoStack) {
  EXPECT_TRUE(parse_bad(nested(9'999)).ok()) << parse_bad(nested(9'999)).error().message;
  // ROOT on line 2, then three lines a joint.
  expect_refused(nested(200'000), 2 + 3 * 10'000, "more than 10000 joints");
  std::string open = "HIERARCHY\n";
  for (int i = 0; i < 200'000; ++i) open += "ROOT r {";
  expect_refused(open, 2, "found \"ROOT\"");
}

TEST(BvhBadInput, NamesAreLimited) {
  EXPECT_TRUE(parse_bad(changed("Hips", std::string(256, 'n'))).ok());
  expect_refused(changed("Hips", std::string(257, 'n')), 2, "is longer than 256 bytes");
}

TEST(BvhBadInput, ClaimsCostNothing) {
  const Result<Motion> frames = parse_bad(changed("Frames: 2", "Frames: 100000000000"));
  ASSERT_TRUE(frames.ok()) << frames.error().message;
  EXPECT_EQ(frames->frame_count(), 2);
  EXPECT_EQ(frames->source().warnings[0], "take.bvh:17: 100000000000 frames announced, 2 read");
  const Result<Motion> most = parse_bad(changed("Frames: 2", "Frames: 9223372036854775807"));
  EXPECT_EQ(most->frame_count(), 2);
}

TEST(BvhBadInput, JointsWithoutChannelsCannotFillTheMemory) {
  // Two bytes a line would become 9,000 transforms.
  std::string text = "HIERARCHY\nROOT r {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n";
  for (int i = 0; i < 9'000; ++i) text += "End Site { OFFSET 0 0 0 }\n";
  text += "}\nMOTION\nFrames: 100000\nFrame Time: 1\n";
  const std::string few = text + "1\n2\n3\n";
  for (int i = 0; i < 100'000; ++i) text += "1\n";
  const Result<Motion> motion = parse_bad(text);
  ASSERT_FALSE(motion.ok());
  EXPECT_NE(motion.error().message.find("too many joints without channels"), std::string::npos)
      << motion.error().message;
  EXPECT_TRUE(parse_bad(few).ok()) << parse_bad(few).error().message;
}

TEST(BvhBadInput, SenselessUnitsAreTheCallersFault) {
  EXPECT_EQ(parse_bvh(kSmall, "take.bvh", {0.0, UpAxis::kY}).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace tocsin::io::bvh_bad_input_test
