// Motions of bodies as tables, good and hostile.
#include "io/shape/csv_motion.h"

#include <gtest/gtest.h>

#include <string>

namespace tocsin::io::csv_motion_test {
namespace {

const std::string kHeader = "time,x,y,z,qw,qx,qy,qz\n";

TEST(CsvMotion, ReadsTimesPlacesAndRotations) {
  for (const std::string end : {"\n", "\r\n"}) {
    std::string text =
        "\xEF\xBB\xBF" + kHeader + "\n0.5, 1,-2 ,3e1,1,0,0,0\n+0.75,1,2,3,0,0.6,0,-0.8\n\n";
    std::string with_ends;
    for (const char c : text) with_ends += c == '\n' ? end : std::string(1, c);
    const auto read = parse_csv_motion(with_ends, "b.csv");
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->start, 0.5);
    EXPECT_EQ(read->motion.frame_count(), 2);
    EXPECT_EQ(read->motion.seconds(1), 0.25);
    EXPECT_EQ(read->motion.skeleton().size(), 1);
    EXPECT_EQ(read->motion.pose(0)[0], (Transform{{1, 0, 0, 0}, {1, -2, 30}}));
    EXPECT_EQ(read->motion.pose(1)[0].translation, (Vec3{1, 2, 3}));
    EXPECT_NEAR(read->motion.pose(1)[0].rotation.x, 0.6, 1e-15);
    EXPECT_NEAR(read->motion.pose(1)[0].rotation.z, -0.8, 1e-15);
  }
  EXPECT_TRUE(parse_csv_motion(kHeader + "1,0,0,0,1.0009,0,0,0", "b.csv").ok());
}

TEST(CsvMotion, NamesTheLineOfEveryMistake) {
  struct BadRow {
    std::string text;
    std::string message;
  };
  const std::string good = "0,0,0,0,1,0,0,0\n";
  const BadRow mistakes[] = {
      {"", "b.csv: has no row"},
      {kHeader, "b.csv: has no row"},
      {good, "b.csv:1: expected the header"},
      {"time,x,y,z,qx,qy,qz,qw\n" + good, "b.csv:1: expected the header"},
      {kHeader + good + "1,0,0,0,1,0,0\n", "b.csv:3: expected 8 numbers"},
      {kHeader + "0,0,0,0,1,0,0,0,0\n", "b.csv:2: expected 8 numbers"},
      {kHeader + "0,0,0,x,1,0,0,0\n", "b.csv:2: expected a finite number, found \"x\""},
      {kHeader + "0,0,0,nan,1,0,0,0\n", "b.csv:2: expected a finite number"},
      {kHeader + "0,0,0,1e999,1,0,0,0\n", "b.csv:2: expected a finite number"},
      {kHeader + "inf,0,0,0,1,0,0,0\n", "b.csv:2: expected a finite number"},
      {kHeader + "0,0,,0,1,0,0,0\n", "b.csv:2: expected a finite number, found \"\""},
      {kHeader + good + good, "b.csv:3: times must increase"},
      {kHeader + good + "-1,0,0,0,1,0,0,0\n", "b.csv:3: times must increase"},
      {kHeader + "2e6,0,0,0,1,0,0,0\n", "b.csv:2: a time"},
      {kHeader + "0,0,2e6,0,1,0,0,0\n", "b.csv:2: a place"},
      {kHeader + "0,0,0,0,1.002,0,0,0\n", "b.csv:2: qw,qx,qy,qz must have length 1"},
      {kHeader + "0,0,0,0,0,0,0,0\n", "b.csv:2: qw,qx,qy,qz must have length 1"}};
  for (const BadRow& one : mistakes) {
    const auto read = parse_csv_motion(one.text, "b.csv");
    ASSERT_FALSE(read.ok()) << one.text;
    EXPECT_EQ(read.error().code, ErrorCode::kInput);
    EXPECT_EQ(read.error().message.substr(0, one.message.size()), one.message);
  }
}

}  // namespace
}  // namespace tocsin::io::csv_motion_test
