// PLY rooms, read. The files are written here number by number; what must come out is worked out by
// hand from them.
#include "io/ply/ply.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "io/ply/ply_files.h"
#include "support/test_folder.h"
#include "tocsin/io.h"

namespace tocsin::io::ply_test {
namespace {

using test::kAllPly;
using test::kPlyFace;
using test::kPlyXyz;
using test::Ply;
using test::ply_header;
using test::PlyBody;

std::vector<Vec3f> vertices(const Environment& room) {
  return {room.vertices().begin(), room.vertices().end()};
}

std::vector<TriangleIndices> triangles(const Environment& room) {
  return {room.triangles().begin(), room.triangles().end()};
}

std::vector<std::string> names(const Environment& room) {
  std::vector<std::string> out;
  for (const Object& object : room.objects()) out.push_back(object.name);
  return out;
}

bool warns(const Environment& room, const std::string& part) {
  for (const std::string& warning : room.warnings()) {
    if (warning.find(part) != std::string::npos) return true;
  }
  return false;
}

/// Five vertices, the last of which nobody uses; two triangles.
std::string square(Ply format) {
  PlyBody body(format);
  for (const Vec3f v : {Vec3f{0, 0, 0}, {2, 0, 0}, {2, 0.5F, 0}, {0, 0.5F, -0.0F}, {9, 9, 9}}) {
    body.put(v.x).put(v.y).put(v.z).end();
  }
  body.list<std::uint8_t, std::int32_t>({2, 0, 1}).end();
  body.list<std::uint8_t, std::int32_t>({0, 2, 3}).end();
  return ply_header(format,
                    fmt::format("element vertex 5\n{}element face 2\n{}", kPlyXyz, kPlyFace)) +
         body.text();
}

TEST(Ply, VerticesAndFacesKeepTheOrderOfTheFile) {
  for (const Ply format : kAllPly) {
    const auto room = parse_ply(square(format), "some/where/rug.ply");
    ASSERT_TRUE(room.ok()) << room.error().message;
    EXPECT_EQ(names(*room), std::vector<std::string>{"rug"});
    EXPECT_EQ(vertices(*room),
              (std::vector<Vec3f>{{0, 0, 0}, {2, 0, 0}, {2, 0.5F, 0}, {0, 0.5F, 0}, {9, 9, 9}}));
    EXPECT_TRUE(std::signbit(room->vertices()[3].z));
    EXPECT_EQ(triangles(*room), (std::vector<TriangleIndices>{{2, 0, 1}, {0, 2, 3}}));
    EXPECT_TRUE(room->warnings().empty()) << room->warnings()[0];
  }
}

/// A triangle whose coordinates have the type C, its indices I, their number L.
template <class C, class L, class I>
void expect_types(const char* c, const char* l, const char* i) {
  for (const Ply format : kAllPly) {
    PlyBody body(format);
    for (const auto& v : {std::array<int, 3>{1, 2, 3}, {4, 100, 6}, {7, 8, 9}}) {
      for (const int x : v) body.put(static_cast<C>(x));
      body.end();
    }
    body.list<L, I>({I{2}, I{1}, I{0}}).end();
    const std::string header = fmt::format(
        "element vertex 3\nproperty {0} x\nproperty {0} y\nproperty {0} z\nelement face 1\n"
        "property list {1} {2} vertex_index\n",
        c, l, i);
    const auto room = parse_ply(ply_header(format, header) + body.text(), "r.ply");
    ASSERT_TRUE(room.ok()) << header << room.error().message;
    EXPECT_EQ(vertices(*room), (std::vector<Vec3f>{{1, 2, 3}, {4, 100, 6}, {7, 8, 9}})) << header;
    EXPECT_EQ(triangles(*room), (std::vector<TriangleIndices>{{2, 1, 0}})) << header;
  }
}

TEST(Ply, AnyTypeOfNumber) {
  expect_types<std::int8_t, std::int8_t, std::int8_t>("char", "char", "char");
  expect_types<std::uint8_t, std::uint8_t, std::uint8_t>("uchar", "uchar", "uint8");
  expect_types<std::int16_t, std::int16_t, std::int16_t>("short", "short", "int16");
  expect_types<std::uint16_t, std::uint16_t, std::uint16_t>("ushort", "uint16", "ushort");
  expect_types<std::int32_t, std::int32_t, std::int32_t>("int", "int", "int32");
  expect_types<std::uint32_t, std::uint32_t, std::uint32_t>("uint32", "uint", "uint");
  expect_types<float, std::uint8_t, std::int32_t>("float32", "int8", "int");
  expect_types<double, std::uint8_t, std::uint32_t>("double", "uint8", "uint32");
  expect_types<double, std::int16_t, std::uint16_t>("float64", "short", "uint16");
}

TEST(Ply, OtherPropertiesArePassedOver) {
  for (const Ply format : kAllPly) {
    for (const bool lists : {false, true}) {
      // x, y, z in another order, of different types, among colours, normals and lists.
      PlyBody body(format);
      for (const Vec3f v : {Vec3f{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) {
        body.put(std::uint8_t{200}).put(static_cast<double>(v.z)).put(-0.5F).put(v.x);
        if (lists) body.list<std::uint16_t, float>({1.5F, 2.5F});
        body.put(static_cast<std::int16_t>(v.y)).put(std::int8_t{-7}).end();
      }
      for (int i = 0; i < 2; ++i) {
        body.put(std::uint8_t{3});
        if (lists) body.list<std::uint8_t, float>({0.1F, 0.2F, 0.3F, 0.4F});
        body.list<std::uint8_t, std::int32_t>({0, 1, 2}).put(1.25).end();
      }
      const std::string header = fmt::format(
          "element vertex 3\nproperty uchar red\nproperty double z\nproperty float nx\n"
          "property float x\n{}property short y\nproperty char c\nelement face 2\n"
          "property uchar flags\n{}{}property double quality\n",
          lists ? "property list ushort float extra\n" : "",
          lists ? "property list uchar float texcoord\n" : "", kPlyFace);
      const auto room = parse_ply(ply_header(format, header) + body.text(), "r.ply");
      ASSERT_TRUE(room.ok()) << room.error().message;
      EXPECT_EQ(vertices(*room), (std::vector<Vec3f>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
      EXPECT_EQ(triangles(*room), (std::vector<TriangleIndices>{{0, 1, 2}, {0, 1, 2}}));
    }
  }
}

TEST(Ply, PolygonsAreFannedAlsoWhereTheirNumberOfCornersChanges) {
  for (const Ply format : kAllPly) {
    PlyBody body(format);
    for (int i = 0; i < 6; ++i) {
      body.put(static_cast<float>(i)).put(static_cast<float>(i * i)).put(0.0F).end();
    }
    body.list<std::uint8_t, std::uint16_t>({0, 1, 2, 3}).end();
    body.list<std::uint8_t, std::uint16_t>({5, 4, 3, 2}).end();
    body.list<std::uint8_t, std::uint16_t>({0, 1, 2}).end();
    body.list<std::uint8_t, std::uint16_t>({}).end();
    body.list<std::uint8_t, std::uint16_t>({4}).end();
    body.list<std::uint8_t, std::uint16_t>({4, 5}).end();
    body.list<std::uint8_t, std::uint16_t>({0, 5}).end();
    body.list<std::uint8_t, std::uint16_t>({5, 3, 1, 0, 2}).end();
    const auto room =
        parse_ply(ply_header(format, fmt::format("element vertex 6\n{}element face 8\n"
                                                 "property list uchar ushort vertex_indices\n",
                                                 kPlyXyz)) +
                      body.text(),
                  "r.ply");
    ASSERT_TRUE(room.ok()) << room.error().message;
    EXPECT_EQ(triangles(*room), (std::vector<TriangleIndices>{{0, 1, 2},
                                                              {0, 2, 3},
                                                              {5, 4, 3},
                                                              {5, 3, 2},
                                                              {0, 1, 2},
                                                              {5, 3, 1},
                                                              {5, 1, 0},
                                                              {5, 0, 2}}));
    const std::string left_out = "r.ply: left out, as only triangles can be touched: ";
    EXPECT_EQ(std::vector<std::string>(room->warnings().begin(), room->warnings().end()),
              (std::vector<std::string>{left_out + "1 point", left_out + "2 lines",
                                        left_out + "1 empty face"}));
  }
}

TEST(Ply, ManyFacesGoThroughTheFastWayWhole) {
  // More than one batch, with a remainder; pentagons, so that a batch is no multiple of a fan.
  constexpr int kFaces = 2500;
  for (const Ply format : kAllPly) {
    PlyBody body(format);
    for (int i = 0; i < kFaces; ++i) {
      body.put(static_cast<float>(i)).put(0.5F).put(static_cast<float>(-i)).end();
    }
    std::vector<TriangleIndices> expected;
    for (int i = 0; i < kFaces; ++i) {
      const int j = (i * 7) % kFaces;
      body.list<std::uint8_t, std::int32_t>({i, j, 0, 1, kFaces - 1}).end();
      const auto a = static_cast<std::uint32_t>(i);
      expected.push_back({a, static_cast<std::uint32_t>(j), 0});
      expected.push_back({a, 0, 1});
      expected.push_back({a, 1, kFaces - 1});
    }
    const auto room =
        parse_ply(ply_header(format, fmt::format("element vertex {0}\n{1}element face {0}\n{2}",
                                                 kFaces, kPlyXyz, kPlyFace)) +
                      body.text(),
                  "r.ply");
    ASSERT_TRUE(room.ok()) << room.error().message;
    EXPECT_EQ(triangles(*room), expected);
    ASSERT_EQ(room->vertices().size(), static_cast<std::size_t>(kFaces));
    EXPECT_EQ(room->vertices()[kFaces - 1], (Vec3f{kFaces - 1, 0.5F, 1 - kFaces}));
  }
}

TEST(Ply, StripsTurnEverySecondTriangleRound) {
  for (const Ply format : kAllPly) {
    PlyBody body(format);
    body.list<std::int32_t, std::int32_t>({0, 1, 2, 3, -1, 3, 2, 1, 0, 0, -1, -1, 1, 2}).end();
    for (const Vec3f v : {Vec3f{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}) {
      body.put(v.x).put(v.y).put(v.z).end();
    }
    // The vertices come after the strips that use them.
    const auto room = parse_ply(
        ply_header(format, fmt::format("element tristrips 1\nproperty list int int vertex_indices\n"
                                       "element vertex 4\n{}",
                                       kPlyXyz)) +
            body.text(),
        "r.ply");
    ASSERT_TRUE(room.ok()) << room.error().message;
    // All triangles of 0 1 2 3 face +z; the next strip ends in one of zero area.
    EXPECT_EQ(triangles(*room), (std::vector<TriangleIndices>{
                                    {0, 1, 2}, {2, 1, 3}, {3, 2, 1}, {1, 2, 0}, {1, 0, 0}}));
    EXPECT_EQ(room->warnings().size(), 1U);
    EXPECT_TRUE(warns(*room, "1 line"));
  }
}

TEST(Ply, WhatIsNoTriangleIsCounted) {
  for (const Ply format : kAllPly) {
    PlyBody body(format);
    for (const Vec3f v : {Vec3f{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) {
      body.put(v.x).put(v.y).put(v.z).end();
    }
    body.put(std::int32_t{0}).put(std::int32_t{1}).end();
    body.put(std::int32_t{1}).put(std::int32_t{2}).end();
    body.list<std::uint8_t, float>({0.5F, 0.25F}).end();
    body.list<std::uint8_t, std::int32_t>({0, 1, 2}).end();
    body.put(std::uint8_t{65}).end();
    const auto room = parse_ply(
        ply_header(format,
                   fmt::format("element vertex 3\n{}element edge 2\nproperty int vertex1\n"
                               "property int vertex2\nelement camera 1\nproperty list uchar float "
                               "p\nelement none 7\nelement face 1\n{}",
                               kPlyXyz, kPlyFace)) +
            body.text(),
        "r.ply");
    ASSERT_TRUE(room.ok()) << room.error().message;
    EXPECT_EQ(triangles(*room), (std::vector<TriangleIndices>{{0, 1, 2}}));
    EXPECT_TRUE(warns(*room, "passed over: 1 elements \"camera\""));
    EXPECT_TRUE(warns(*room, "passed over: 7 elements \"none\""));
    EXPECT_TRUE(warns(*room, "left out, as only triangles can be touched: 2 edges"));
    EXPECT_TRUE(warns(*room, "passed over: what follows the last element"));
  }
}

TEST(Ply, LineEndsOfTheHeader) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    for (const Ply format : {Ply::kText, Ply::kLittle}) {
      PlyBody body(format);
      // 1.3e-44F begins with the byte 0x0a, which is also a line end.
      const float odd = format == Ply::kText ? 0.5F : std::bit_cast<float>(0x0000000AU);
      for (const Vec3f v : {Vec3f{odd, 0, 0}, {1, 0, 0}, {0, 1, 0}}) {
        body.put(v.x).put(v.y).put(v.z).end();
      }
      body.list<std::uint8_t, std::int32_t>({0, 1, 2}).end();
      std::string header;
      for (const char c :
           ply_header(format, fmt::format("comment  made by\thand \nobj_info a b c d e f g h i\n"
                                          "element vertex 3\n{}element face 1\n{}",
                                          kPlyXyz, kPlyFace))) {
        header += c == '\n' ? end : std::string(1, c);
      }
      const auto room = parse_ply(header + body.text(), "r.ply");
      ASSERT_TRUE(room.ok()) << room.error().message;
      EXPECT_EQ(vertices(*room), (std::vector<Vec3f>{{odd, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
    }
  }
}

TEST(Ply, ScaleAndUpAxisAreAppliedInDouble) {
  for (const Ply format : kAllPly) {
    const auto room = parse_ply(square(format), "r.ply", {.scale = 0.1, .up = UpAxis::kZ});
    ASSERT_TRUE(room.ok()) << room.error().message;
    // (x, y, z) becomes (x, z, -y); 0.1 in double times 0.5 rounds to the float nearest to 0.05.
    EXPECT_EQ(room->vertices()[2], (Vec3f{0.2F, 0, -0.05F}));
  }
}

TEST(Ply, LoadEnvironmentReadsIt) {
  const test::TestFolder folder;
  const auto file = folder.write("rug.PLY", square(Ply::kLittle));
  const auto room = load_environment(file, {.scale = 1.0, .up = UpAxis::kX});
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(names(*room), std::vector<std::string>{"rug"});
  EXPECT_EQ(room->vertices()[2], (Vec3f{-0.5F, 2, 0}));  // (x, y, z) becomes (-y, x, z)
  // Far too large a scale is refused, not overflowed.
  EXPECT_FALSE(load_environment(file, {.scale = 1e300, .up = UpAxis::kY}).ok());
  const auto bad = load_environment(folder.write("bad.ply", "plx\n"));
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message, (folder.path() / "bad.ply").string() + ": line 1: expected: ply");
}

TEST(Ply, ObjectsThatTheHeaderNotes) {
  for (const Ply format : kAllPly) {
    std::string file = square(format);
    const auto with = [&](const std::string& comments) {
      std::string text = file;
      return text.insert(text.find("element"), comments);
    };
    const auto room = parse_ply(with("comment tocsin.object 0 1 a  rug \\\\ \\x0aof two\\x7f \n"
                                     "comment something else\n"
                                     "comment tocsin.object 1 0 nothing\n"
                                     "comment tocsin.object 1 1 a\n"),
                                "r.ply");
    ASSERT_TRUE(room.ok()) << room.error().message;
    EXPECT_EQ(names(*room), (std::vector<std::string>{"a  rug \\ \nof two\x7f ", "a"}));
    EXPECT_EQ(room->objects()[1].first_triangle, 1U);
    // Vertices 0 and 2 belong to both.
    EXPECT_EQ(room->vertices().size(), 6U);
    EXPECT_EQ(room->corners(0), (std::array<Vec3f, 3>{{{2, 0.5F, 0}, {0, 0, 0}, {2, 0, 0}}}));
    EXPECT_EQ(room->corners(1), (std::array<Vec3f, 3>{{{0, 0, 0}, {2, 0.5F, 0}, {0, 0.5F, 0}}}));
    EXPECT_TRUE(warns(*room, "1 named objects have no triangles"));
    EXPECT_TRUE(warns(*room, "1 of 5 vertices are used by no triangle"));

    const auto one = parse_ply(with("comment tocsin.object 0 2 carpet\n"), "r.ply");
    EXPECT_EQ(names(*one), std::vector<std::string>{"carpet"});
    EXPECT_EQ(one->vertices().size(), 5U);
    EXPECT_TRUE(one->warnings().empty());
  }
}

}  // namespace
}  // namespace tocsin::io::ply_test
