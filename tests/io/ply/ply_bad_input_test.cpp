// Malformed PLY files: each is refused with the element, the line where there are lines, and the
// cause.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "io/ply/ply.h"
#include "io/ply/ply_files.h"

namespace tocsin::io::ply_bad_input_test {
namespace {

using test::kAllPly;
using test::kPlyFace;
using test::kPlyXyz;
using test::Ply;
using test::ply_header;
using test::ply_with_face;
using test::PlyBody;

void expect_refused(const std::string& bytes, const std::string& message) {
  const auto room = parse_ply(bytes, "r.ply");
  ASSERT_FALSE(room.ok()) << bytes.substr(0, 300);
  EXPECT_EQ(room.error().code, ErrorCode::kInput);
  EXPECT_EQ(room.error().message, "r.ply: " + message) << bytes.substr(0, 300);
}

TEST(PlyBadInput, Headers) {
  const std::string types = "expected: property TYPE NAME, or property list TYPE TYPE NAME";
  const std::string format =
      "expected: format ascii 1.0, or binary_little_endian or binary_big_endian";
  const struct {
    const char* text;
    std::string message;
  } kCases[] = {
      {"", "the header does not end: there is no line end_header"},
      {"plx\n", "line 1: expected: ply"},
      {"ply more\n", "line 1: expected: ply"},
      {"ply\nend_header", "the header does not end: there is no line end_header"},
      {"ply\nend_header\n", "line 2: the header lacks a format line"},
      {"ply\nformat ascii 1.0\nformat ascii 1.0\n", "line 3: a second format line"},
      {"ply\nformat ascii 2.0\n", "line 2: " + format},
      {"ply\nformat\n", "line 2: " + format},
      {"ply\nformat binary 1.0\n", "line 2: " + format},
      {"ply\n\n", "line 2: the header has an empty line"},
      {"ply\nelement vertex\n", "line 2: expected: element NAME COUNT"},
      {"ply\nelement vertex 3x\n",
       "line 2: the number of \"vertex\" elements must be a whole number, is \"3x\""},
      {"ply\nelement vertex 900\n", "line 2: claims 900 \"vertex\" elements in a file of 23 bytes"},
      {"ply\nproperty float x\n", "line 2: a property before any element"},
      {"ply\nelement a 0\nproperty half x\n", "line 3: " + types},
      {"ply\nelement a 0\nproperty list uchar x\n", "line 3: " + types},
      {"ply\nelement a 0\nproperty list foo int x\n", "line 3: " + types},
      {"ply\nelement a 0\nproperty list float int x\n",
       "line 3: the length of a list must be an integer"},
      {"ply\nfoo\n",
       "line 2: expected format, comment, obj_info, element, property or end_header, found "
       "\"foo\""},
  };
  for (const auto& [text, message] : kCases) expect_refused(text, message);
}

TEST(PlyBadInput, ElementsThatAreNotWhatTheyShouldBe) {
  const auto file = [](const std::string& lines) {
    return ply_header(Ply::kText, lines) + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  };
  const std::string vertex = fmt::format("element vertex 3\n{}", kPlyXyz);
  const struct {
    std::string lines;
    const char* message;
  } kCases[] = {
      {"element vertex 3\nproperty float x\nproperty float y\n",
       "line 3: \"vertex\": lacks the property z"},
      {"element vertex 3\nproperty float x\nproperty float y\nproperty int x\n",
       "line 3: \"vertex\": a second property x"},
      {"element vertex 3\nproperty list uchar float x\n", "line 3: \"vertex\": x is a list"},
      {vertex + "element face 1\nproperty list uchar int v\n",
       "line 7: \"face\": lacks the property vertex_indices"},
      {vertex + "element face 1\nproperty list uchar float vertex_indices\n",
       "line 7: \"face\": vertex_indices must be a list of integers"},
      {vertex + "element face 1\nproperty int vertex_index\n",
       "line 7: \"face\": vertex_index must be a list of integers"},
      {vertex + "element face 1\nproperty list uchar int vertex_indices\n"
                "property list uchar int vertex_index\n",
       "line 7: \"face\": a second list of vertex_indices"},
      {vertex + vertex, "line 7: \"vertex\": the element comes twice"},
      {vertex, "holds no triangles"},
      {fmt::format("{}element face 0\n{}", vertex, kPlyFace), "holds no triangles"},
      {"", "holds no triangles"},
  };
  for (const auto& [lines, message] : kCases) expect_refused(file(lines), message);
}

TEST(PlyBadInput, LinesOfText) {
  const auto vertices = [](const std::string& second) {
    return ply_header(Ply::kText,
                      fmt::format("element vertex 3\n{}element face 1\n{}", kPlyXyz, kPlyFace)) +
           "0 0 0\n" + second + "\n0 1 0\n3 0 1 2\n";
  };
  const std::string where = "line 11: vertex 1: ";
  expect_refused(vertices("1 0"), where + "expected a number, found the end of the line");
  expect_refused(vertices("1 0 foo"), where + "expected a number, found \"foo\"");
  expect_refused(vertices("1.0D+00 0 0"),
                 where +
                     "expected a number, found \"1.0D+00\": an exponent as Fortran writes it; "
                     "write e instead of d");
  expect_refused(vertices("1 0 0 0"), where + "more values than the header says");
  expect_refused(vertices("1 nan 0"), where + "the number \"nan\" is not finite");
  expect_refused(vertices("inf 0 0"), where + "the number \"inf\" is not finite");
  expect_refused(vertices("1e999 0 0"), where + "the number \"1e999\" is too large for a double");
  expect_refused(vertices("1e300 0 0"),
                 where + "(1e+300, 0, 0) is further than 1000000 m from the origin");
  expect_refused(vertices("\n\n1 0 -1000001"),
                 "line 13: vertex 1: (1, 0, -1000001) is further than 1000000 m from the origin");

  const std::string face = "line 13: face 0: ";
  expect_refused(ply_with_face("3 0 1\n"), face + "expected an integer, found the end of the line");
  expect_refused(ply_with_face("3 0 1 2 2\n"), face + "more values than the header says");
  expect_refused(ply_with_face("3 0 1 2.5\n"), face + "expected an integer, found \"2.5\"");
  expect_refused(ply_with_face("x\n"), face + "expected an integer, found \"x\"");
  expect_refused(ply_with_face("-1\n"), face + "a list of -1 values");
  expect_refused(ply_with_face("3 0 1 3\n"),
                 face + "index 3 is out of range (there are 3 vertices)");
  expect_refused(ply_with_face("3 0 1 -1\n"),
                 face + "index -1 is out of range (there are 3 vertices)");
  expect_refused(ply_with_face("3 0 1 4294967296\n"),
                 face + "index 4294967296 is out of range (there are 3 vertices)");
  expect_refused(ply_with_face("99999999999999999999 0\n"),
                 face + "expected an integer, found \"99999999999999999999\"");
  expect_refused(ply_with_face("   \n\n  "), "line 15: face 0: the file ends before it");
  expect_refused(ply_with_face("1 0\n"), "holds no triangles");
}

TEST(PlyBadInput, NumbersInBytes) {
  for (const Ply format : {Ply::kLittle, Ply::kBig}) {
    const std::string header = ply_header(
        format, fmt::format("element vertex 3\n{}element face 2\n{}", kPlyXyz, kPlyFace));
    const auto with = [&](float x, std::int32_t last, std::uint8_t length) {
      PlyBody body(format);
      body.put(0.0F).put(0.0F).put(0.0F).put(1.0F).put(x).put(0.0F).put(0.0F).put(0.0F).put(1.0F);
      body.list<std::uint8_t, std::int32_t>({0, 1, 2});
      body.put(length).put(std::int32_t{0}).put(std::int32_t{1}).put(last);
      return header + body.text();
    };
    EXPECT_TRUE(parse_ply(with(0, 2, 3), "r.ply").ok());
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    expect_refused(with(kInfinity, 2, 3), "vertex 1: (1, inf, 0) is not finite");
    expect_refused(with(std::numeric_limits<float>::quiet_NaN(), 2, 3),
                   "vertex 1: (1, nan, 0) is not finite");
    expect_refused(with(-2e6F, 2, 3),
                   "vertex 1: (1, -2000000, 0) is further than 1000000 m from the origin");
    expect_refused(with(0, 3, 3), "face 1: index 3 is out of range (there are 3 vertices)");
    expect_refused(with(0, -1, 3), "face 1: index -1 is out of range (there are 3 vertices)");
    expect_refused(with(0, 2, 4), "face 1: the file ends within it");
    expect_refused(with(0, 2, 255), "face 1: the file ends within it");
  }
}

TEST(PlyBadInput, ClaimsAreCheckedAgainstTheFile) {
  const std::string padding(100, ' ');
  for (const Ply format : kAllPly) {
    const std::string bytes =
        ply_header(format,
                   fmt::format("element vertex 100\n{}element face 1\n{}", kPlyXyz, kPlyFace)) +
        padding;
    const auto room = parse_ply(bytes, "r.ply");
    ASSERT_FALSE(room.ok());
    EXPECT_NE(room.error().message.find("line 3: 100 elements \"vertex\" take at least"),
              std::string::npos)
        << room.error().message;
  }
  // A list that claims what is not there.
  const std::string lines = "element a 1\nproperty list uint double b\n";
  PlyBody body(Ply::kLittle);
  body.put(std::uint32_t{0xFFFFFFFF});
  expect_refused(ply_header(Ply::kLittle, lines) + body.text() + padding,
                 "a 0: the file ends within it");
}

TEST(PlyBadInput, DamagedObjects) {
  const auto with = [](const std::string& comments) {
    std::string text = ply_with_face("3 0 1 2\n");
    return text.insert(text.find("element"), comments);
  };
  const std::string expected = "line 3: expected: comment tocsin.object FIRST COUNT NAME";
  expect_refused(with("comment tocsin.object\n"), expected);
  expect_refused(with("comment tocsin.object 0 1\n"), expected);
  expect_refused(with("comment tocsin.object 0  1 a\n"), expected);
  expect_refused(with("comment tocsin.object 0 -1 a\n"), expected);
  expect_refused(with("comment tocsin.object 0 4294967296 a\n"), expected);
  expect_refused(with("comment tocsin.objects 0 1 a\n"), expected);
  const std::string escape =
      "line 3: the object's name has an escape that is neither \\\\ nor \\xHH";
  for (const char* name : {"\\", "a\\n", "\\x", "\\x1", "\\x4", "\\x41", "\\xzz"}) {
    expect_refused(with(fmt::format("comment tocsin.object 0 1 {}\n", name)), escape);
  }
  expect_refused(with("comment tocsin.object 1 1 a\n"),
                 "line 3: object \"a\" begins at face 1, the one before ends at 0");
  expect_refused(with("comment tocsin.object 0 1 a\ncomment tocsin.object 0 0 b\n"),
                 "line 4: object \"b\" begins at face 0, the one before ends at 1");
  expect_refused(with("comment tocsin.object 0 0 a\ncomment tocsin.object 0 1 a\n"),
                 "line 4: object \"a\" comes twice");
  expect_refused(
      with("comment tocsin.object 0 2 a\n"),
      "the header notes objects of 2 triangles in all, the file has 1 faces that make 1");
  expect_refused(
      with("comment tocsin.object 0 4294967295 a\ncomment tocsin.object 4294967295 9 b\n"),
      "line 4: too many faces");
}

TEST(PlyBadInput, EveryTruncation) {
  for (const Ply format : kAllPly) {
    PlyBody body(format);
    for (const Vec3f v : {Vec3f{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) {
      body.put(v.x).put(v.y).put(v.z).end();
    }
    body.list<std::uint8_t, std::int32_t>({0, 1, 2}).end();
    body.list<std::uint8_t, std::int32_t>({0, 1, 2, 0}).end();
    const std::string bytes =
        ply_header(format, fmt::format("comment tocsin.object 0 2 a\nelement vertex 3\n{}"
                                       "element face 2\n{}",
                                       kPlyXyz, kPlyFace)) +
        body.text();
    // Only the blank and the line end after the last number of a text are not missed. The objects
    // do not fit, as the last face is a quadrilateral: so all are refused, and none crashes.
    for (std::size_t size = 0; size <= bytes.size(); ++size) {
      const auto room = parse_ply(std::string_view(bytes).substr(0, size), "r.ply");
      ASSERT_FALSE(room.ok()) << size;
      EXPECT_TRUE(room.error().message.starts_with("r.ply: "));
      const bool whole = room.error().message.find("notes objects") != std::string::npos;
      EXPECT_EQ(whole, size + (format == Ply::kText ? 2 : 0) >= bytes.size()) << size;
    }
  }
}

}  // namespace
}  // namespace tocsin::io::ply_bad_input_test
