#include "base/text_scanner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace tocsin::base::text_scanner_test {
namespace {

std::optional<double> number(std::string_view text) { return TextScanner(text).number(); }

TEST(TextScanner, CountsLinesOfEveryKind) {
  TextScanner in("a\nb\r\nc\rd\n\r\ne");
  std::string seen;
  while (!in.at_text_end()) {
    seen += std::to_string(in.line()) + std::string(in.token()) + ' ';
  }
  EXPECT_EQ(seen, "1a 2b 3c 4d 6e ");
  EXPECT_TRUE(in.at_end());
}

TEST(TextScanner, ATokenStaysOnItsLine) {
  TextScanner in(" a\t b \n c");
  EXPECT_EQ(in.token(), "a");
  EXPECT_EQ(in.peek(), "b");
  EXPECT_EQ(in.token(), "b");
  EXPECT_TRUE(in.at_line_end());
  EXPECT_EQ(in.token(), "");
  EXPECT_EQ(in.found(), "the end of the line");
  in.next_line();
  EXPECT_EQ(in.token(), "c");
  EXPECT_EQ(in.found(), "the end of the file");
}

TEST(TextScanner, SkipsAByteOrderMarkAtTheStartOnly) {
  TextScanner in("\xef\xbb\xbfx \xef\xbb\xbfy");
  EXPECT_EQ(in.token(), "x");
  EXPECT_EQ(in.token(), "\xef\xbb\xbfy");
  EXPECT_TRUE(TextScanner("\xef\xbb\xbf").at_end());
  EXPECT_EQ(TextScanner("\xef\xbb").peek(), "\xef\xbb");
}

TEST(TextScanner, NulIsNoBlank) {
  TextScanner in(std::string_view("a\0b", 3));
  EXPECT_EQ(in.token().size(), 3U);
}

TEST(TextScanner, WordsIgnoreCase) {
  TextScanner in("Frames: 7 frametime");
  EXPECT_FALSE(in.accept_word("Frame"));
  EXPECT_TRUE(in.accept_word("FRAMES"));
  EXPECT_TRUE(in.accept(':'));
  EXPECT_FALSE(in.accept(':'));
  EXPECT_EQ(in.integer(), 7);
  EXPECT_FALSE(in.accept_word("frametimes"));
  EXPECT_TRUE(in.accept_word("frametime"));
}

TEST(TextScanner, TheRestOfALineIsTrimmed) {
  TextScanner in("\t left  hand \t\r\nx{y");
  EXPECT_EQ(in.rest_of_line(), "left  hand");
  EXPECT_EQ(in.rest_of_line(), "");
  in.next_line();
  EXPECT_EQ(in.rest_of_line('{'), "x");
  EXPECT_TRUE(in.accept('{'));
}

TEST(TextScanner, JoinsContinuedLinesIfAsked) {
  TextScanner in("a \\\nb\\\r\nc\\\rd \\e\nf", Continuation::kYes);
  std::string seen;
  while (!in.at_line_end()) seen += std::string(in.token()) + '|';
  EXPECT_EQ(seen, "a|b|c|d|\\e|");
  EXPECT_EQ(in.line(), 4);
  in.next_line();
  EXPECT_EQ(in.token(), "f");

  TextScanner plain("a \\\nb");
  plain.token();
  EXPECT_EQ(plain.token(), "\\");
  EXPECT_TRUE(plain.at_line_end());
}

TEST(TextScanner, ABackslashCanEndTheText) {
  TextScanner in("1\\", Continuation::kYes);
  EXPECT_EQ(in.token(), "1\\");
  TextScanner lines("1 \\\n", Continuation::kYes);
  EXPECT_EQ(lines.number(), 1.0);
  EXPECT_TRUE(lines.at_text_end());
}

TEST(TextScanner, ReadsNumbersOfEveryKind) {
  EXPECT_EQ(number("1"), 1.0);
  EXPECT_EQ(number("-0.25"), -0.25);
  EXPECT_EQ(number("+0.25"), 0.25);
  EXPECT_EQ(number(".0083333"), 0.0083333);
  EXPECT_EQ(number("5."), 5.0);
  EXPECT_EQ(number("-1.6201e-014"), -1.6201e-14);
  EXPECT_EQ(number("1E+005"), 1e5);
  EXPECT_EQ(number("+1e+2"), 100.0);
  EXPECT_EQ(number("000000000000000000000000000012"), 12.0);
  EXPECT_TRUE(std::signbit(*number("-0")));
}

TEST(TextScanner, RoundsCorrectly) {
  // Half-way cases and their neighbours: to even, then up.
  EXPECT_EQ(number("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(number("9007199254740993.0000000000000000000000000000000000000001"),
            9007199254740994.0);
  EXPECT_EQ(number("2.2250738585072011e-308"), 0x0.fffffffffffffp-1022);
  EXPECT_EQ(number("1.7976931348623158e308"), 0x1.fffffffffffffp1023);
}

TEST(TextScanner, TooSmallIsZero) {
  EXPECT_EQ(number("1e-999"), 0.0);
  EXPECT_TRUE(std::signbit(*number("-1e-999")));
  EXPECT_EQ(number("1e-99999999999999999999999999"), 0.0);
  EXPECT_EQ(number("1.5e-00" + std::string(300, '1')), 0.0);
  EXPECT_EQ(number("0." + std::string(400, '0') + "1"), 0.0);
  EXPECT_EQ(number(std::string(500, '9') + "e-1000"), 0.0);
  EXPECT_EQ(number("0e999999999999"), 0.0);
}

TEST(TextScanner, TooLargeIsNone) {
  EXPECT_FALSE(number("1e309"));
  EXPECT_FALSE(number("-1e999"));
  EXPECT_FALSE(number(std::string(400, '9')));
  EXPECT_FALSE(number("1e" + std::string(300, '9')));
  EXPECT_FALSE(number("0." + std::string(400, '0') + "1e1000"));
  EXPECT_FALSE(number("1.8e308"));
}

TEST(TextScanner, OtherThingsAreNoNumbers) {
  for (const char* const text :
       {"",    " ",    "\n1",      "foo",    "1x",    "1,5",   "0x10",  "1e",          "1e+",
        "--1", "+-1",  "++1",      "+",      "-",     ".",     "e5",    "nan",         "NaN",
        "inf", "-inf", "infinity", "nan(1)", "1.2.3", "1e5.0", "1_000", "\xef\xbc\x91"}) {
    TextScanner in(text);
    EXPECT_FALSE(in.number()) << text;
  }
}

TEST(TextScanner, SaysWhatIsWrongWithANumber) {
  const auto problem = [](std::string_view text) { return TextScanner(text).number_problem(); };
  EXPECT_EQ(problem("foo"), "expected a number, found \"foo\"");
  EXPECT_EQ(problem(""), "expected a number, found the end of the file");
  EXPECT_EQ(problem("\n1"), "expected a number, found the end of the line");
  EXPECT_EQ(problem("1x"), "expected a number, found \"1x\"");
  for (const std::string word : {"1.0D+00", "-3.1d02", "2D-1", "+1.d0"}) {
    EXPECT_EQ(problem(word), "expected a number, found \"" + word +
                                 "\": an exponent as Fortran writes it; write e instead of d");
  }
  for (const std::string word : {"1d", "1D+", "1dx", "d0", "1d0f"}) {
    EXPECT_EQ(problem(word), "expected a number, found \"" + word + "\"");
  }
  EXPECT_EQ(problem("nan"), "the number \"nan\" is not finite");
  EXPECT_EQ(problem("-inf"), "the number \"-inf\" is not finite");
  EXPECT_EQ(problem("1e999"), "the number \"1e999\" is too large for a double");
}

TEST(TextScanner, AFailedNumberDoesNotMove) {
  TextScanner in("a 1");
  EXPECT_FALSE(in.number());
  EXPECT_FALSE(in.integer());
  EXPECT_EQ(in.token(), "a");
  EXPECT_EQ(in.number(), 1.0);
}

TEST(TextScanner, Integers) {
  const auto integer = [](std::string_view text) { return TextScanner(text).integer(); };
  EXPECT_EQ(integer("100000000000"), 100'000'000'000);
  EXPECT_EQ(integer("+5"), 5);
  EXPECT_EQ(integer("-5"), -5);
  for (const char* const text : {"", "1.0", "1e3", "9223372036854775808", "x", "5x", "+-5"}) {
    EXPECT_FALSE(integer(text)) << text;
  }
}

TEST(TextScanner, CountsAreNotNegative) {
  TextScanner in("7 -7");
  EXPECT_EQ(in.count(), 7);
  EXPECT_FALSE(in.count());
  EXPECT_EQ(in.token(), "-7");
}

TEST(InputError, HasTheFormOfACompilers) {
  const Error error = input_error("take.bvh", 17, "expected a number, found " + in_quotes("foo"));
  EXPECT_EQ(error.code, ErrorCode::kInput);
  EXPECT_EQ(error.message, "take.bvh:17: expected a number, found \"foo\"");
}

TEST(CleanName, LeavesUtf8Alone) {
  bool changed = false;
  const std::string_view name =
      "H\xc3\xbc"
      "fte \xe2\x82\xac \xf0\x9f\xa6\xb4";
  EXPECT_EQ(clean_name(name, changed), name);
  EXPECT_FALSE(changed);
}

TEST(CleanName, TakesOtherBytesForLatin1) {
  const auto cleaned = [](std::string_view raw) {
    bool changed = false;
    const std::string name = clean_name(raw, changed);
    EXPECT_TRUE(changed) << raw;
    return name;
  };
  EXPECT_EQ(cleaned("H\xfc"
                    "fte"),
            "H\xc3\xbc"
            "fte");
  EXPECT_EQ(cleaned("\xc3"), "\xc3\x83");                          // cut short
  EXPECT_EQ(cleaned("\xc0\x80"), "\xc3\x80\xc2\x80");              // too long a form
  EXPECT_EQ(cleaned("\xed\xa0\x80"), "\xc3\xad\xc2\xa0\xc2\x80");  // a surrogate
  EXPECT_EQ(cleaned("\xf5\x80\x80\x80"), "\xc3\xb5\xc2\x80\xc2\x80\xc2\x80");
  EXPECT_EQ(cleaned("a\x01"
                    "b"),
            "a\xef\xbf\xbd"
            "b");
}

}  // namespace
}  // namespace tocsin::base::text_scanner_test
