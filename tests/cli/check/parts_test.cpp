// Parts of the command line that are easier to see alone: words, tables, option values, samples.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/cli/nearest_name.h"
#include "app/cli/options.h"
#include "app/cli/progress.h"
#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "app/verify/verify_steps.h"

namespace tocsin::app::parts_test {
namespace {

TEST(Words, Grouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(156080), "156,080");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
}

TEST(Words, CountOf) {
  EXPECT_EQ(count_of(1, "step"), "1 step");
  EXPECT_EQ(count_of(0, "step"), "0 steps");
  EXPECT_EQ(count_of(2000, "vertex", "vertices"), "2,000 vertices");
}

TEST(Words, Listed) {
  EXPECT_EQ(listed({}), "");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
}

TEST(Words, Brief) {
  EXPECT_EQ(brief(0.0), "0");
  EXPECT_EQ(brief(120.0005), "120");
  EXPECT_EQ(brief(0.05644444), "0.05644");
  EXPECT_EQ(brief(123456.7), "123457");
  EXPECT_EQ(brief(-2.5), "-2.5");
}

TEST(Words, FixedHasNoNegativeZero) {
  EXPECT_EQ(fixed(-0.0001, 3), "0.000");
  EXPECT_EQ(fixed(-0.0006, 3), "-0.001");
  EXPECT_EQ(fixed(1.0, 2), "1.00");
}

TEST(Words, AMomentShowsTheDigitsThatAreKnown) {
  EXPECT_EQ(moment({1.00831, 1.008310001}), "1.0083 s");
  EXPECT_EQ(moment({1.0083, 1.0167}), "1.0083 to 1.0167 s");
}

TEST(Words, DisplayWidth) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("\xe5\xa3\x81"), 2);  // a wide character
  EXPECT_EQ(display_width("e\xcc\x81"), 1);     // e and a combining accent
  EXPECT_EQ(display_width("\xc3\xa9"), 1);      // the same in one
  EXPECT_EQ(display_width("\xff"), 1);          // no UTF-8: one replacement character
}

TEST(Words, ShortenedInTheMiddle) {
  EXPECT_EQ(shortened("short", 10), "short");
  EXPECT_EQ(shortened("abcdefghij", 5), "ab…ij");
  EXPECT_EQ(shortened("a\x1b[2Jb", 10), "a?[2Jb");
  for (int width = 2; width < 12; ++width) {
    const std::string wide = shortened(
        "\xe5\xa3\x81\xe5\xa3\x81\xe5\xa3\x81\xe5\xa3\x81\xe5\xa3\x81\xe5\xa3\x81", width);
    EXPECT_LE(display_width(wide), width);
  }
}

TEST(TextTable, LinesUpWhateverTheCharacters) {
  TextTable table({{"Name", Align::kLeft}, {"n", Align::kRight}});
  table.add({"\xe5\xa3\x81", "1"});
  table.add({"abcdef", "1000"});
  EXPECT_EQ(table.text(),
            "Name       n\n"
            "\xe5\xa3\x81         1\n"
            "abcdef  1000\n");
}

TEST(Progress, Line) {
  EXPECT_EQ(progress_line("checking", 1155, 2750, 0.5),
            "checking   42%  1,155 of 2,750 steps, 2,310 steps/s, 1 s left");
  EXPECT_EQ(progress_line("checking", 10, 1000, 10.0),
            "checking    1%  10 of 1,000 steps, 1.0 steps/s, 16 min left");
  EXPECT_EQ(progress_line("checking", 0, 10, 2.0), "checking    0%  0 of 10 steps");
}

TEST(Options, Placement) {
  const Placement place = parse_placement("--place", "1,-2.5,+3,90");
  EXPECT_EQ(place.translation, (Vec3{1.0, -2.5, 3.0}));
  EXPECT_EQ(place.yaw_degrees, 90.0);
  EXPECT_EQ(parse_placement("--place", "0, 0, 1").translation, (Vec3{0.0, 0.0, 1.0}));
}

TEST(Options, ALengthInAnyUnitIsTheNumberOfMetresToTheBit) {
  // Every decimal of up to four digits, its point moved in the text.
  for (int i = 0; i < 10000; i += 7) {
    const std::string digits = std::to_string(i);
    EXPECT_EQ(parse_length("--x", digits + "cm"), std::stod(digits + "e-2"));
    EXPECT_EQ(parse_length("--x", digits + ".5mm"), std::stod(digits + ".5e-3"));
    EXPECT_EQ(parse_length("--x", digits + "e1cm"), std::stod(digits + "e-1"));
  }
  EXPECT_EQ(parse_length("--x", "-3 ft"), -3 * 0.3048);
  for (const std::string bad : {"", "cm", "2km", "1e", "1e1.5cm", "2cmm", "m2", "--2m"}) {
    try {
      (void)parse_length("--x", bad);
      ADD_FAILURE() << bad;
    } catch (const UsageError& error) {  // it says what may stand there
      EXPECT_NE(error.message.find("a number of metres, or one with a unit (m, cm, mm, in, ft)"),
                std::string::npos)
          << error.message;
    }
  }
}

TEST(NearestName, IsTheFewestEditsAwayOrNone) {
  // Counted by hand.
  EXPECT_EQ(edits_between("kitten", "sitting"), 3);
  EXPECT_EQ(edits_between("", "abc"), 3);
  EXPECT_EQ(edits_between("abc", "abc"), 0);
  EXPECT_EQ(edits_between("chekc", "check"), 1);
  EXPECT_EQ(edits_between("ca", "abc"), 3);  // no letter is touched twice
  const std::vector<std::string> names{"check", "info", "convert"};
  EXPECT_EQ(nearest_name("chek", names), "check");
  EXPECT_EQ(nearest_name("inof", names), "info");
  EXPECT_EQ(nearest_name("info", names), "info");
  EXPECT_EQ(nearest_name("dance", names), "");
  EXPECT_EQ(nearest_name("", names), "");
}

TEST(Options, Frames) {
  const FrameRange all = parse_frames("--frames", ":");
  EXPECT_EQ(all.first, 0);
  EXPECT_EQ(all.last, -1);
  EXPECT_EQ(all.stride, 1);
  const FrameRange some = parse_frames("--frames", "3:9:2");
  EXPECT_EQ(some.first, 3);
  EXPECT_EQ(some.last, 9);
  EXPECT_EQ(some.stride, 2);
  EXPECT_EQ(parse_frames("--frames", "::4").stride, 4);
}

TEST(Options, MessagesNameTheOption) {
  try {
    parse_number("--margin", "x\x1by");
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.message, "--margin: expected a number, found \"x?y\"");
  }
}

TEST(SampleSteps, AsManyAsAskedForInOrderEachOnce) {
  for (const std::size_t count : {0U, 1U, 7U, 99U, 100U}) {
    const auto steps = sample_steps(100, count, 3);
    EXPECT_EQ(steps.size(), count);
    EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
    EXPECT_EQ(std::set<std::size_t>(steps.begin(), steps.end()).size(), count);
  }
}

TEST(SampleSteps, EvenlyAndBySeed) {
  EXPECT_EQ(sample_steps(1000, 50, 1), sample_steps(1000, 50, 1));
  EXPECT_NE(sample_steps(1000, 50, 1), sample_steps(1000, 50, 2));
  // Each of 10 steps is in half of the samples of 5: 500 of 1000, standard deviation 16.
  std::vector<int> chosen(10, 0);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    for (const std::size_t step : sample_steps(10, 5, seed * 7919)) chosen[step] += 1;
  }
  for (const int times : chosen) EXPECT_NEAR(times, 500, 100);
}

}  // namespace
}  // namespace tocsin::app::parts_test
