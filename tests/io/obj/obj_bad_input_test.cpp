// Malformed OBJ files: each is refused with the line and the cause.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>

#include "io/obj/obj.h"

namespace tocsin::io::obj_bad_input_test {
namespace {

Result<Environment> parse_bad(std::string_view text) { return parse_obj(text, "room.obj"); }

void expect_refused(std::string_view text, int line, const std::string& phrase) {
  SCOPED_TRACE(text.substr(0, 200));
  const Result<Environment> room = parse_bad(text);
  ASSERT_FALSE(room.ok());
  EXPECT_EQ(room.error().code, ErrorCode::kInput);
  const std::string start = fmt::format("room.obj:{}: ", line);
  EXPECT_TRUE(room.error().message.starts_with(start)) << room.error().message << " != " << start;
  EXPECT_NE(room.error().message.find(phrase), std::string::npos)
      << room.error().message << " lacks " << phrase;
}

/// Three vertices on lines 1 to 3, then these lines.
std::string after_vertices(const std::string& lines) {
  return "v 0 0 0\nv 1 0 0\nv 0 1 0\n" + lines;
}

TEST(ObjBadInput, Vertices) {
  expect_refused("v 1 2\n", 1, "vertex: expected a number, found the end of the line");
  expect_refused("# x\nv 1 2 foo\n", 2, "vertex: expected a number, found \"foo\"");
  expect_refused("v 1 2 3foo\n", 1, "expected a number, found \"3foo\"");
  expect_refused("v 1 2 3.1d2\n", 1,
                 "expected a number, found \"3.1d2\": an exponent as Fortran writes it");
  expect_refused("v 1 2 # 3\n", 1, "expected a number, found \"#\"");
  expect_refused("v nan 0 0\n", 1, "the number \"nan\" is not finite");
  expect_refused("v 0 inf 0\n", 1, "the number \"inf\" is not finite");
  expect_refused("v 0 0 1e999\n", 1, "the number \"1e999\" is too large for a double");
  expect_refused("v 0 0 -1000001\n", 1, "the coordinate -1000001 m is beyond 1000000 m");
  expect_refused("v 0 0 1e300\n", 1, "the coordinate 1e+300 m is beyond");
  expect_refused("v 0 0 0 nan\n", 1, "the number \"nan\" is not finite");
  expect_refused("v 0 0 0 red\n", 1, "expected a number, found \"red\"");
  expect_refused("v 1 2 3 4 5 6 7 8 9\n", 1, "vertex with more than 8 numbers");
}

TEST(ObjBadInput, TheScaleCountsForTheLimit) {
  const std::string text = after_vertices("v 2000 0 0\nf 1 2 4\n");
  EXPECT_TRUE(parse_obj(text, "room.obj", {500.0, UpAxis::kY}).ok());
  EXPECT_EQ(parse_obj(text, "room.obj", {501.0, UpAxis::kY}).error().message,
            "room.obj:4: the coordinate 1002000 m is beyond 1000000 m");
  EXPECT_FALSE(parse_obj("v 1e300 0 0\n", "room.obj", {1e300, UpAxis::kY}).ok());
  for (const double scale : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                             std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(parse_obj(text, "room.obj", {scale, UpAxis::kY}).error().code, ErrorCode::kUsage);
  }
}

TEST(ObjBadInput, Faces) {
  expect_refused(after_vertices("f 1 2\n"), 4, "a face needs at least 3 corners, found 2");
  expect_refused(after_vertices("f\n"), 4, "a face needs at least 3 corners, found 0");
  expect_refused(after_vertices("f 1 2 # 3\n"), 4, "a face needs at least 3 corners, found 2");
  expect_refused(after_vertices("f 0 1 2\n"), 4,
                 "vertex 0 does not exist: indices start at 1 or -1");
  expect_refused(after_vertices("\nf 1 2 -4\n"), 5, "vertex -4 does not exist: 3 came before");
  expect_refused(after_vertices("f 1 2 3\nf 1 2 4\nf 1 2 3\n"), 5,
                 "vertex 4 does not exist: the file has 3");
  expect_refused(after_vertices("f 1 2 99\nf 1 9 3\n"), 4,
                 "vertex 99 does not exist: the file has 3");
  for (const char* const far : {"4294967295", "4294967296", "9223372036854775807"}) {
    expect_refused(after_vertices(fmt::format("f 1 2 {}\n", far)), 4,
                   fmt::format("vertex {} does not exist", far));
  }
  for (const char* const far :
       {"9223372036854775808", "-9223372036854775809", "99999999999999999999999"}) {
    expect_refused(after_vertices(fmt::format("f 1 2 {}\n", far)), 4, "does not exist");
  }
  expect_refused(after_vertices("f 1 2 -9223372036854775808\n"), 4, "does not exist");
}

TEST(ObjBadInput, References) {
  for (const char* const corner : {"x", "3x", "3.0", "/3", "3/x", "3/1/x", "3/1/1/1", "3/-", "3//-",
                                   "3///", "1e0", "--3", "+3", "nan", "3\\1"}) {
    expect_refused(after_vertices(fmt::format("f 1 2 {}\n", corner)), 4,
                   "expected a vertex index (1, 1/2, 1//3 or 1/2/3), found \"");
  }
}

TEST(ObjBadInput, UnknownKeywords) {
  expect_refused("foo 1 2 3\n", 1, "unknown keyword \"foo\"");
  expect_refused("V 1 2 3\n", 1, "unknown keyword \"V\"");
  expect_refused("v1 2 3\n", 1, "unknown keyword \"v1\"");
  expect_refused("<html>\n", 1, "unknown keyword \"<html>\"");
  expect_refused("\nHIERARCHY\n", 2, "unknown keyword \"HIERARCHY\"");
  expect_refused(after_vertices("f 1 2 3\n\\\n\nx\n"), 7, "unknown keyword \"x\"");
  expect_refused(std::string("v 0 0 0\n\0\0\0\n", 12), 2, "unknown keyword \"\\x00");
}

TEST(ObjBadInput, LineNumbersCountContinuedLinesAndEveryEnd) {
  expect_refused("v 0 \\\n0 \\\r\n0\rv 1 0 0\r\nfoo\n", 5, "unknown keyword \"foo\"");
}

TEST(ObjBadInput, WithoutTriangles) {
  for (const char* const text : {"", "\n\n", "# nothing\n", "o a\nv 0 0 0\n", "v 0 0 0\np 1\n"}) {
    const Result<Environment> room = parse_bad(text);
    ASSERT_FALSE(room.ok());
    EXPECT_EQ(room.error().message, "room.obj: there are no faces, so no triangles");
  }
}

constexpr const char* kRoom =
    "# room\nmtllib a.mtl\no table top\nv -1.5 0 2e-001 1 0 0\nv 1.5 0 0\nv 1.5 1 0\nv 0 1 0\nvt 0 "
    "0\nusemtl x\n"
    "f 1/1 2/1 3/1 4/1\no leg\nl 1 2\nf -4//1 -2//1 \\\n-1//1\n";

TEST(ObjBadInput, TruncatedAnywhere) {
  const std::string text = kRoom;
  ASSERT_TRUE(parse_bad(text).ok()) << parse_bad(text).error().message;
  for (std::size_t size = 0; size < text.size(); ++size) {
    const Result<Environment> room = parse_bad(std::string_view(text).substr(0, size));
    if (room.ok()) {
      EXPECT_GE(size, text.find("3/1 4/1") + 1);
    } else {
      EXPECT_EQ(room.error().code, ErrorCode::kInput);
      EXPECT_TRUE(room.error().message.starts_with("room.obj:")) << room.error().message;
    }
  }
}

TEST(ObjBadInput, AnyByteReplaced) {
  std::mt19937 random(9);
  const std::string text = kRoom;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (int k = 0; k < 20; ++k) {
      std::string other = text;
      other[i] = static_cast<char>(random());
      const Result<Environment> room = parse_bad(other);
      if (!room.ok()) {
        EXPECT_TRUE(room.error().message.starts_with("room.obj:")) << room.error().message;
      }
    }
  }
}

TEST(ObjBadInput, BinaryNoise) {
  std::mt19937 random(10);
  for (int k = 0; k < 200; ++k) {
    std::string noise(4096, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    EXPECT_FALSE(parse_bad(noise).ok());
    EXPECT_FALSE(parse_bad(after_vertices("f 1 2 3\n") + noise).ok());
  }
}

}  // namespace
}  // namespace tocsin::io::obj_bad_input_test
