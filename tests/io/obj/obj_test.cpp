// What an OBJ file means, on small files.
#include "io/obj/obj.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace tocsin::io::obj_test {
namespace {

constexpr const char* kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

Result<Environment> parse(const std::string& text, const EnvironmentOptions& options = {}) {
  return parse_obj(text, "room.obj", options);
}

/// Corners of an environment's triangle as a list, to compare with.
std::vector<Vec3f> corners(const Environment& room, std::uint32_t triangle) {
  const auto three = room.corners(triangle);
  return {three.begin(), three.end()};
}

std::vector<std::string> names(const Environment& room) {
  std::vector<std::string> out;
  for (const Object& object : room.objects()) out.push_back(object.name);
  return out;
}

using Names = std::vector<std::string>;
using Points = std::vector<Vec3f>;
const Vec3f kA{0, 0, 0};
const Vec3f kB{1, 0, 0};
const Vec3f kC{1, 1, 0};
const Vec3f kD{0, 1, 0};

TEST(Obj, ATriangle) {
  const Result<Environment> room = parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(names(*room), Names{"default"});
  EXPECT_EQ(room->triangles().size(), 1U);
  EXPECT_EQ(corners(*room, 0), (Points{kA, kB, kC}));
  EXPECT_TRUE(room->warnings().empty());
}

TEST(Obj, PolygonsAreFannedFromTheirFirstCorner) {
  const Vec3f e{2, 2, 0};
  for (const char* const face : {"f 2 3 5 4 1", "f 2 3 5 4 1 # by the slow way"}) {
    const Result<Environment> room = parse(std::string(kSquare) + "v 2 2 0\n" + face + "\n");
    ASSERT_EQ(room->triangles().size(), 3U) << room.error().message;
    EXPECT_EQ(corners(*room, 0), (Points{kB, kC, e})) << face;
    EXPECT_EQ(corners(*room, 1), (Points{kB, e, kD})) << face;
    EXPECT_EQ(corners(*room, 2), (Points{kB, kD, kA})) << face;
  }
}

TEST(Obj, ReferencesOfEveryForm) {
  for (const char* const face :
       {"f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//1 3//1", "f 1/1/1 2/2/1 3/3/1", "f -4 -3 -2",
        "f -4/-4/-1 -3//-2 -2/9", "f 1/ 2// 3", "fo 1 2 3", "f  1\t2   3  # a face", "f 1 2 \\\n 3",
        "f 1 \\\r\n2 3", "f 1 2\\\n3"}) {
    const Result<Environment> room = parse(kSquare + std::string(face) + "\n");
    ASSERT_TRUE(room.ok()) << face << ": " << room.error().message;
    EXPECT_EQ(corners(*room, 0), (Points{kA, kB, kC})) << face;
  }
}

TEST(Obj, NegativeIndicesCountBackFromTheLine) {
  const Result<Environment> room =
      parse("v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 0 1 0\nf -3 -2 -1\n");
  EXPECT_EQ(corners(*room, 0), (Points{kA, kB, kC}));
  EXPECT_EQ(corners(*room, 1), (Points{kB, kC, kD}));
}

TEST(Obj, FacesMayStandBeforeTheirVertices) {
  const Result<Environment> room = parse("f 1 2 3\n" + std::string(kSquare));
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(corners(*room, 0), (Points{kA, kB, kC}));
}

TEST(Obj, FurtherColumnsOfAVertexAreLeftOut) {
  const Result<Environment> room =
      parse("v 0 0 0 1\nv 1 0 0 0.5 0.25 1e-003\nv 1 1 0 1 0 0 0 1 # red\nf 1 2 3\n");
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(corners(*room, 0), (Points{kA, kB, kC}));
}

TEST(Obj, ObjectsAndGroups) {
  const std::string faces = "o table\nf 1 2 3\ng leg\nf 1 3 4\no chair\nf 2 3 4\n";
  EXPECT_EQ(names(*parse(kSquare + faces)), (Names{"table", "chair"}));
  // Groups count only where the file has no object, even if that comes later.
  const std::string groups = "g top\nf 1 2 3\ng leg\nf 1 3 4\n";
  EXPECT_EQ(names(*parse(kSquare + groups)), (Names{"top", "leg"}));
  EXPECT_EQ(names(*parse(kSquare + groups + "o all\nf 1 2 4\n")), (Names{"default", "all"}));
}

TEST(Obj, FacesBeforeAnyNameBelongToDefault) {
  EXPECT_EQ(names(*parse(std::string(kSquare) + "f 1 2 3\no x\nf 1 3 4\n")),
            (Names{"default", "x"}));
  EXPECT_EQ(names(*parse(std::string(kSquare) + "o x\nf 1 3 4\no\nf 1 2 3\n")),
            (Names{"x", "default"}));
  EXPECT_EQ(names(*parse(std::string(kSquare) + "f 1 2 3\no default\nf 1 3 4\n")),
            (Names{"default"}));
}

TEST(Obj, ANameThatComesAgainContinuesItsObject) {
  const Result<Environment> room =
      parse(std::string(kSquare) + "o a\nf 1 2 3\no b\nf 2 3 4\no a\nf 1 3 4\nf 1 2 4\n");
  ASSERT_EQ(names(*room), (Names{"a", "b"}));
  EXPECT_EQ(room->objects()[0].triangle_count, 3U);
  EXPECT_EQ(room->objects()[1].first_triangle, 3U);
  EXPECT_EQ(corners(*room, 1), (Points{kA, kC, kD}));  // in file order within the object
  EXPECT_EQ(corners(*room, 2), (Points{kA, kB, kD}));
  EXPECT_EQ(corners(*room, 3), (Points{kB, kC, kD}));
}

TEST(Obj, NamesMayHaveBlanksAndBackslashes) {
  const Result<Environment> room =
      parse(std::string(kSquare) +
            "o  left chair \t\nf 1 2 3\no C:\\chair\\\nf 1 3 4\no H\xfct\nf 1 2 4\n");
  EXPECT_EQ(names(*room), (Names{"left chair", "C:\\chair\\", "H\xc3\xbct"}));
  ASSERT_EQ(room->warnings().size(), 1U);
  EXPECT_EQ(room->warnings()[0],
            "room.obj: 1 object names are not UTF-8 text, the first is \"H\\xfct\"");
}

TEST(Obj, VerticesKeepTheirOrderAndAreOwnedByTheirObject) {
  const Result<Environment> room = parse(std::string(kSquare) + "o a\nf 4 2 3\no b\nf 3 2 1\n");
  const Points want{kB, kC, kD, kA, kB, kC};
  const auto got = room->vertices();
  EXPECT_EQ(Points(got.begin(), got.end()), want);
  EXPECT_EQ(corners(*room, 0), (Points{kD, kB, kC}));
  EXPECT_EQ(corners(*room, 1), (Points{kC, kB, kA}));
}

TEST(Obj, DegenerateAndDuplicateTrianglesStay) {
  EXPECT_EQ(
      parse(std::string(kSquare) + "f 1 2 3\nf 1 2 3\nf 1 1 2\nf 2 2 2\n")->triangles().size(), 4U);
}

TEST(Obj, LineEndsAndByteOrderMark) {
  const std::string text = std::string(kSquare) + "o a b\nf 1 2 3\n";
  for (const char* const end : {"\r\n", "\r", "\n\n", " \n", "\t\n"}) {
    std::string other = "\xef\xbb\xbf";
    for (const char c : text) other += c == '\n' ? std::string(end) : std::string(1, c);
    const Result<Environment> room = parse(other);
    ASSERT_TRUE(room.ok()) << room.error().message;
    EXPECT_EQ(names(*room), Names{"a b"});
    EXPECT_EQ(corners(*room, 0), (Points{kA, kB, kC}));
  }
  EXPECT_TRUE(parse(text.substr(0, text.size() - 1)).ok());
}

TEST(Obj, OtherKeywordsArePassedOver) {
  const Result<Environment> room = parse(
      "# a comment that ends in a backslash \\\nmtllib C:\\a.mtl\\\nv 0 0 0\nv 1 0 0\nv 1 1 0\nvt "
      "0 0\nvn 0 0 1\n"
      "vp 1\ns off\nusemtl red\nlod 3\nbevel on\nf 1 2 3\n");
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(corners(*room, 0), (Points{kA, kB, kC}));
  EXPECT_TRUE(room->warnings().empty());
}

TEST(Obj, GeometryThatIsNotReadIsCounted) {
  const Result<Environment> room = parse(
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\np 1 2\nl 1 2 3\nl 1 2\ncstype bspline\nsurf 0 1 0 1 "
      "\\\n 1 2 3\nend\n"
      "call more.obj\nv 9 9 9\no nothing\n");
  ASSERT_TRUE(room.ok()) << room.error().message;
  const auto warnings = room->warnings();
  const Names want{"room.obj:5: 3 point or line elements passed over, the first here",
                   "room.obj:9: 1 free-form curves or surfaces passed over, the first here",
                   "room.obj:12: 1 calls of other files or commands passed over, the first here",
                   "room.obj: 1 named objects have no triangles and are left out",
                   "room.obj: 1 of 4 vertices are used by no triangle and are left out"};
  EXPECT_EQ(Names(warnings.begin(), warnings.end()), want);
}

TEST(Obj, CoordinatesAreRoundedOnceAfterScaleAndAxes) {
  // 0.1 and 1/3 of it: the float nearest to the double product, not the product of floats.
  const std::string text = "v 0.1 0.7 -12.345678901234567\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const Vec3f as_is = parse(text)->vertices()[0];
  EXPECT_EQ(as_is, (Vec3f{static_cast<float>(0.1), static_cast<float>(0.7),
                          static_cast<float>(-12.345678901234567)}));
  const double s = 0.0254;
  const auto f = [](double x) { return static_cast<float>(x); };
  EXPECT_EQ(parse(text, {s, UpAxis::kY})->vertices()[0],
            (Vec3f{f(0.1 * s), f(0.7 * s), f(-12.345678901234567 * s)}));
  EXPECT_EQ(parse(text, {s, UpAxis::kZ})->vertices()[0],
            (Vec3f{f(0.1 * s), f(-12.345678901234567 * s), f(-0.7 * s)}));
  EXPECT_EQ(parse(text, {s, UpAxis::kX})->vertices()[0],
            (Vec3f{f(-0.7 * s), f(0.1 * s), f(-12.345678901234567 * s)}));
}

}  // namespace
}  // namespace tocsin::io::obj_test
