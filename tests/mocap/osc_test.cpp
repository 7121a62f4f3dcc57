// OSC 1.0's own examples (opensoundcontrol.stanford.edu/spec-1_0-examples.html), and what is
// malformed.
#include "mocap/osc.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "mocap/bytes_of.h"

namespace tocsin::mocap::osc_test {
namespace {

using test::bytes_of;

TEST(Osc, ReadsTheSpecificationsFirstExample) {
  const std::string packet = bytes_of("'/oscillator/4/frequency' 00 ',f' 00 00 43 dc 00 00");
  const auto read = read_osc(packet);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ((*read)[0].address, "/oscillator/4/frequency");
  ASSERT_EQ((*read)[0].values.size(), 1U);
  EXPECT_EQ((*read)[0].values[0].number, 440.0);
}

constexpr std::string_view kSecond =
    "'/foo' 00 00 00 00 ',iisff' 00 00 00 00 03 e8 ff ff ff ff 'hello' 00 00 00 3f 9d f3 b6 "
    "40 b5 b2 2d";

TEST(Osc, ReadsTheSpecificationsSecondExample) {
  const std::string packet = bytes_of(kSecond);
  const auto read = read_osc(packet);
  ASSERT_TRUE(read.ok()) << read.error().message;
  const auto& values = (*read)[0].values;
  ASSERT_EQ(values.size(), 5U);
  EXPECT_EQ(values[0].number, 1000.0);
  EXPECT_EQ(values[1].number, -1.0);
  EXPECT_EQ(values[2].text, "hello");
  EXPECT_EQ(values[3].number, static_cast<double>(1.234F));
  EXPECT_EQ(values[4].number, static_cast<double>(5.678F));
}

TEST(Osc, WritesTheSpecificationsSecondExample) {
  const std::array<OscArgument, 5> values{1000, -1, std::string_view("hello"), 1.234F, 5.678F};
  EXPECT_EQ(osc_message("/foo", values), bytes_of(kSecond));
}

TEST(Osc, ReadsBundlesInBundlesInOrder) {
  const std::string packet = bytes_of(
      "'#bundle' 00 00 00 00 00 00 00 00 01"
      "00 00 00 0c '/a' 00 00 ',i' 00 00 00 00 00 01"
      "00 00 00 20 '#bundle' 00 00 00 00 00 00 00 00 01"
      "00 00 00 0c '/b' 00 00 ',T' 00 00 00 00 00 00"
      "00 00 00 08 '/c' 00 00 ',' 00 00 00");
  // The inner bundle's message /b has four bytes too many.
  EXPECT_FALSE(read_osc(packet).ok());
  const std::string sound = bytes_of(
      "'#bundle' 00 00 00 00 00 00 00 00 01"
      "00 00 00 0c '/a' 00 00 ',i' 00 00 00 00 00 01"
      "00 00 00 1c '#bundle' 00 00 00 00 00 00 00 00 01"
      "00 00 00 08 '/b' 00 00 ',T' 00 00"
      "00 00 00 08 '/c' 00 00 ',' 00 00 00");
  const auto read = read_osc(sound);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->size(), 3U);
  EXPECT_EQ((*read)[0].address, "/a");
  EXPECT_EQ((*read)[1].address, "/b");
  EXPECT_EQ((*read)[1].values[0].number, 1.0);
  EXPECT_EQ((*read)[2].address, "/c");
}

TEST(Osc, ReadsEveryType) {
  const std::string packet = bytes_of(
      "'/t' 00 00 ',ifsbhtdScrmTFNI[i]' 00"
      "00 00 00 02 3f 80 00 00 'x' 00 00 00 00 00 00 03 01 02 03 00"
      "ff ff ff ff ff ff ff fe 00 00 00 00 00 00 00 01 3f f8 00 00 00 00 00 00 'sym' 00"
      "00 00 00 41 11 22 33 44 00 90 40 7f 00 00 00 07");
  const auto read = read_osc(packet);
  ASSERT_TRUE(read.ok()) << read.error().message;
  const auto& v = (*read)[0].values;
  ASSERT_EQ(v.size(), 16U);
  EXPECT_EQ(v[3].text, std::string_view("\x01\x02\x03", 3));
  EXPECT_EQ(v[4].number, -2.0);
  EXPECT_EQ(v[6].number, 1.5);
  EXPECT_EQ(v[7].text, "sym");
  EXPECT_EQ(v[15].number, 7.0);
}

TEST(Osc, RefusesWhatIsMalformed) {
  for (const char* const packet :
       {"",                                   // nothing
        "'/a' 00",                            // no multiple of 4
        "'/abc'",                             // an address without an end
        "'a' 00 00 00",                       // no slash
        "'/a' 00 00 'i' 00 00 00",            // tags without a comma
        "'/a' 00 00 ',i' 00 00",              // an argument is missing
        "'/a' 00 00 ',q' 00 00 00 00 00 00",  // an unknown type
        "'/a' 00 00 ',b' 00 00 ff ff ff ff",  // a blob without its bytes
        "'/a' 00 01 ',' 00 00 00",            // padding that is not zero
        "'#bundle' 00 00 00 00 00",           // no time tag
        "'#bundle' 00 00 00 00 00 00 00 00 01 00 00 00 10 '/a' 00 00 ',' 00 00 00",
        "'#bundle' 00 00 00 00 00 00 00 00 01 00 00 00 00"}) {  // an empty element
    EXPECT_FALSE(read_osc(bytes_of(packet)).ok()) << packet;
  }
}

TEST(Osc, RefusesBundlesThatAreNestedTooDeep) {
  std::string packet = osc_message("/a", {});
  for (int i = 0; i < 8; ++i) packet = osc_bundle(std::array{packet});
  EXPECT_TRUE(read_osc(packet).ok());
  packet = osc_bundle(std::array{packet});
  EXPECT_FALSE(read_osc(packet).ok());
}

}  // namespace
}  // namespace tocsin::mocap::osc_test
