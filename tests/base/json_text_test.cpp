#include "base/json_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

namespace tocsin::base::json_text_test {
namespace {

std::string json_of(std::string_view text) {
  std::string out;
  append_json(out, text);
  return out;
}

std::string json_of(double value) {
  std::string out;
  append_json(out, value);
  return out;
}

constexpr const char* kBad = "\xEF\xBF\xBD";

TEST(JsonText, Strings) {
  EXPECT_EQ(json_of(""), "\"\"");
  EXPECT_EQ(json_of("a\"b\\c/d"), "\"a\\\"b\\\\c/d\"");
  EXPECT_EQ(json_of(std::string_view("\0\x01\x1f\n\t\r\x7f", 7)),
            "\"\\u0000\\u0001\\u001f\\n\\t\\r\x7f\"");
}

TEST(JsonText, Utf8IsKept) {
  // One to four bytes, and the ends of the ranges around the surrogates.
  for (const std::string text : {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                                 "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(valid_utf8(text), text);
  }
}

TEST(JsonText, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(valid_utf8("a\xff"
                       "b"),
            std::string("a") + kBad + "b");
  EXPECT_EQ(valid_utf8("\xc0\xaf"), kBad);          // overlong
  EXPECT_EQ(valid_utf8("\xed\xa0\x80"), kBad);      // a surrogate
  EXPECT_EQ(valid_utf8("\xf4\x90\x80\x80"), kBad);  // beyond U+10FFFF
  EXPECT_EQ(valid_utf8("\xe5\xa3"), kBad);          // cut off
  EXPECT_EQ(valid_utf8("\xc3("), std::string(kBad) + "(");
}

TEST(JsonText, AnyBytesMakeValidJson) {
  std::mt19937 random(7);
  for (int i = 0; i < 20'000; ++i) {
    std::string text(random() % 12, ' ');
    for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? random() % 128 : random() % 256);
    const std::string json = json_of(text);
    ASSERT_TRUE(nlohmann::json::accept(json)) << json;
    ASSERT_EQ(nlohmann::json::parse(json).get<std::string>(), valid_utf8(text));
  }
}

TEST(JsonText, Numbers) {
  EXPECT_EQ(json_of(0.0), "0");
  EXPECT_EQ(json_of(-0.0), "-0");
  EXPECT_EQ(json_of(0.1), "0.1");
  EXPECT_EQ(json_of(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(json_of(1e-9), "1e-09");
  EXPECT_EQ(json_of(5e-324), "5e-324");
  EXPECT_EQ(json_of(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(json_of(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(json_of(std::nan("")), "null");
}

TEST(JsonText, NumbersReadBackAsThemselves) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t bits = random();
    double value = 0.0;
    static_assert(sizeof value == sizeof bits);
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    const std::string text = json_of(value);
    ASSERT_TRUE(nlohmann::json::accept(text)) << text;
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
  }
}

TEST(JsonText, PrintableObeysNoControlCharacter) {
  EXPECT_EQ(printable("a\x1b[2J\r\x7f\xc2\x9b"
                      "b\n\tc"),
            "a?[2J???b\n\tc");
}

}  // namespace
}  // namespace tocsin::base::json_text_test
