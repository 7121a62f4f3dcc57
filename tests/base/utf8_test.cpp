#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace tocsin::base::utf8_test {
namespace {

using namespace std::string_view_literals;

/// Characters in units of so many bytes, without a mark.
std::string wide(const std::vector<std::uint32_t>& units, int bytes, bool big_endian) {
  std::string out;
  for (const std::uint32_t unit : units) {
    for (int k = 0; k < bytes; ++k) {
      const int shift = 8 * (big_endian ? bytes - 1 - k : k);
      out += static_cast<char>(unit >> static_cast<unsigned>(shift) & 0xFFU);
    }
  }
  return out;
}

std::string converted(std::string text) {
  EXPECT_EQ(make_utf8(text), "");
  return text;
}

std::string fault(std::string text) {
  const std::string before = text;
  std::string cause = make_utf8(text);
  EXPECT_EQ(text, before);
  return cause;
}

// The encodings of U+0041, U+00F6, U+20AC, U+1F600 in the Unicode Standard, tables 3-5 and 3-6.
const std::string kText = "A\xC3\xB6\xE2\x82\xAC\xF0\x9F\x98\x80\n";
const std::vector<std::uint32_t> kUnits16{0x41, 0xF6, 0x20AC, 0xD83D, 0xDE00, 0x0A};
const std::vector<std::uint32_t> kUnits32{0x41, 0xF6, 0x20AC, 0x1F600, 0x0A};

TEST(MakeUtf8, ConvertsByTheMarkAndLeavesItOut) {
  for (const bool big : {false, true}) {
    EXPECT_EQ(converted(wide({0xFEFF}, 2, big) + wide(kUnits16, 2, big)), kText);
    EXPECT_EQ(converted(wide({0xFEFF}, 4, big) + wide(kUnits32, 4, big)), kText);
  }
}

TEST(MakeUtf8, KnowsUtf16WithoutAMarkByItsZeros) {
  for (const bool big : {false, true}) {
    EXPECT_EQ(converted(wide({'H', 'I', 0xF6}, 2, big)), "HI\xC3\xB6");
  }
}

TEST(MakeUtf8, LeavesAllElseAlone) {
  for (const std::string_view text :
       {""sv, "A"sv, "HIERARCHY"sv, "\xEF\xBB\xBFHI"sv, "\xFF"sv, "\xE4\xF6"sv, "\0\0\0\0"sv,
        "a\0\0b"sv, "ply\n\0\1"sv, "A\0"sv}) {
    EXPECT_EQ(converted(std::string(text)), text);
  }
}

TEST(MakeUtf8, RefusesHalfCharacters) {
  for (const bool big : {false, true}) {
    const std::string mark = wide({0xFEFF}, 2, big);
    EXPECT_EQ(fault(mark + wide({0x41, 0xD83D, 0x41}, 2, big)),
              "UTF-16 text that is damaged at byte 4; save it as UTF-8");
    EXPECT_EQ(fault(mark + wide({0xDE00}, 2, big)),
              "UTF-16 text that is damaged at byte 2; save it as UTF-8");
    EXPECT_EQ(fault(mark + wide({0x41, 0xD83D}, 2, big)),
              "UTF-16 text that is damaged at byte 4; save it as UTF-8");
    EXPECT_EQ(fault(mark + wide({0x41}, 2, big) + "x"),
              "UTF-16 text that ends in the middle of a character; save it as UTF-8");
    EXPECT_EQ(fault(wide({0xFEFF, 0x110000}, 4, big)),
              "UTF-32 text that is damaged at byte 4; save it as UTF-8");
  }
}

TEST(MakeUtf8, EveryCutIsConvertedOrRefused) {
  const std::string whole = wide({0xFEFF}, 2, false) + wide(kUnits16, 2, false);
  int refused = 0;
  for (std::size_t size = 2; size <= whole.size(); ++size) {
    std::string text = whole.substr(0, size);
    refused += make_utf8(text).empty() ? 0 : 1;
  }
  EXPECT_EQ(refused, 7);  // six odd sizes, and the one between the two halves of a character
}

TEST(Utf8Of, OneCharacter) {
  EXPECT_EQ(utf8_of(0x41) + utf8_of(0xF6) + utf8_of(0x20AC) + utf8_of(0x1F600) + "\n", kText);
  EXPECT_EQ(utf8_of(0xD800), "");
  EXPECT_EQ(utf8_of(0x110000), "");
}

}  // namespace
}  // namespace tocsin::base::utf8_test
