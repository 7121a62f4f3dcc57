// Malformed VRML files: each is refused with the line and the cause.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <string_view>

#include "io/vrml/vrml.h"
#include "io/vrml/vrml_files.h"

namespace tocsin::io::vrml_bad_input_test {
namespace {

using test::expect_message;
using test::expect_refused;
using test::kFaceLine;
using test::kHeader;
using test::repeated;

TEST(VrmlBadInput, OtherFiles) {
  expect_message("", "room.wrl:1: expected #VRML V2.0 utf8, found \"\"");
  expect_message("\n#VRML V2.0 utf8\n", "room.wrl:1: expected #VRML V2.0 utf8, found \"\"");
  expect_message("#VRML V2.00 utf8\n",
                 "room.wrl:1: expected #VRML V2.0 utf8, found \"#VRML V2.00 utf8\"");
  expect_message("#VRML V1.0 ascii\nSeparator { Cube { } }\n",
                 "room.wrl:1: is VRML 1.0, which is not read; convert it to VRML97");
  expect_message(
      "#X3D V3.0 utf8\n",
      "room.wrl:1: is X3D in its classic encoding, which is not read; convert it to .x3d "
      "or VRML97");
  expect_message("\x1f\x8b\x08\x08 compressed",
                 "room.wrl:1: is compressed by gzip; unpack it first (gunzip < FILE > room.wrl)");
}

TEST(VrmlBadInput, WithoutTriangles) {
  expect_message(kHeader, "room.wrl: holds no triangles");
  expect_message(kHeader + "Shape { } Shape { geometry NULL } Group { children NULL }",
                 "room.wrl: holds no triangles");
  expect_message(kHeader + "Inline { url [ \"a.wrl\" \"b.wrl\" ] }",
                 "room.wrl: holds no triangles; room.wrl:2: 1 Inline not followed, what is in "
                 "\"a.wrl\" is missing, the first here");
  expect_message(kHeader + "Box { }",
                 "room.wrl: holds no triangles; room.wrl:2: 1 Box outside of a "
                 "Shape left out, the first here");
}

TEST(VrmlBadInput, Syntax) {
  expect_refused("}", 2, "expected a node, found \"}\"");
  expect_refused("Group", 2, "expected a node, so { after \"Group\", found the end of the file");
  expect_refused("Group {\n", 3,
                 "expected } of the \"Group\" from line 2, found the end of the file");
  expect_refused("Group { children [\n", 3, "expected a node, found the end of the file");
  expect_refused("Group { children [ 5 ] }", 2, "expected a node, found \"5\"");
  expect_refused("Group { children children }", 2,
                 "expected a node, so { after \"children\", found \"}\"");
  expect_refused("Group { { } }", 2, "expected a field or }, found \"{\"");
  expect_refused("Group { ] }", 2, "expected a field or }, found \"]\"");
  expect_refused("DEF", 2, "expected a name after DEF, found the end of the file");
  expect_refused("DEF 1a Group { }", 2, "expected a name after DEF, found \"1a\"");
  expect_refused("DEF a", 2, "expected a node type, found the end of the file");
  expect_refused("Foo { a }", 2, "expected a value, found \"}\"");
  expect_refused("Foo { a [ 1 2", 2, "expected a value, found the end of the file");
  expect_refused("Foo { a 1 2foo }", 2, "expected a number, found \"2foo\"");
  expect_refused("ROUTE a.b c.d", 2, "expected the TO of a ROUTE, found the end of the file");
  expect_refused("ROUTE a.b TO }", 2, "expected what a ROUTE leads to, found \"}\"");
  expect_refused("WorldInfo { title \"abc\n\n", 2,
                 "expected a value, found a string that does not end, \"abc\\n\\n\"");
}

TEST(VrmlBadInput, Values) {
  expect_refused("Transform { translation 1 2 }", 2, "translation: expected a number, found \"}\"");
  expect_refused("Transform { translation 1 nan 3 }", 2,
                 "translation: expected a number, found \"nan\"");
  expect_refused("Transform { translation 1 2 1e999 }", 2,
                 "translation: the number \"1e999\" is too large for a double");
  expect_refused("Transform { translation [ 1 2 3 ] }", 2,
                 "translation: expected a number, found \"[\"");
  expect_refused("Transform { translation 1 2 3 4 }", 2, "expected a field or }, found \"4\"");
  expect_refused("Transform { translation 1 2 3\n translation 1 2 3 }", 3,
                 "translation has a value already");
  expect_refused("Transform { rotation 0 0 0 1 }", 2,
                 "rotation: 0 0 0 1 is no rotation: an axis and an angle");
  expect_refused("Transform { rotation 0 1 0 1e308 }", 2,
                 "rotation: 0 1 0 1e+308 is no rotation: an axis and an angle");
  expect_refused("Shape { geometry IndexedFaceSet { ccw 1 } }", 2,
                 "ccw: expected TRUE or FALSE, found \"1\"");
  expect_refused("Shape { geometry IndexedFaceSet { coord Coordinate { point [\n1 2 3, 4 5 ] } } }",
                 2, "point: 5 numbers are not a multiple of 3");
  expect_refused("Inline { url 5 }", 2, "url: expected a string, found \"5\"");
  expect_refused("Inline { url [ \"a\" b ] }", 2, "url: expected a string, found \"b\"");
}

TEST(VrmlBadInput, Geometry) {
  const auto faces = [](const std::string& index) {
    return "Shape {\ngeometry IndexedFaceSet { coord Coordinate { point [0 0 0, 1 0 0, 0 1 0] } "
           "coordIndex [" +
           index + "] } }";
  };
  expect_refused(faces("0 1 3"), 3,
                 "IndexedFaceSet: coordIndex, number 3: 3 is not the index of one of the 3 points");
  expect_refused(
      faces("0 1 2 -1 0 -2"), 3,
      "IndexedFaceSet: coordIndex, number 6: -2 is not the index of one of the 3 points");
  expect_refused(
      faces("0 1.5 2"), 3,
      "IndexedFaceSet: coordIndex, number 2: 1.5 is not the index of one of the 3 points");
  expect_refused(faces("0 1 1e300"), 3,
                 "IndexedFaceSet: coordIndex, number 3: 1e+300 is not the index of one of the 3 "
                 "points");
  expect_refused("Shape { geometry IndexedFaceSet { coordIndex [0 1 2] } }", 2,
                 "IndexedFaceSet: coordIndex, number 1: 0 is not the index of one of the 0 points");
  expect_refused("Shape { geometry IndexedFaceSet { coord\nBox { } coordIndex [0 1 2] } }", 3,
                 "coord must be a Coordinate, not a \"Box\"");
  expect_refused("Shape { geometry\nMaterial { } }", 3, "a \"Material\" is no geometry");
  expect_refused("Shape { geometry Sphere { radius -1 } }", 2,
                 "Sphere: radius must not be negative, is -1");
  expect_refused("Shape { geometry Cone { bottomRadius -1 } }", 2,
                 "Cone: bottomRadius must not be negative, is -1");
  expect_refused("Shape { geometry Cylinder { height -2 } }", 2,
                 "Cylinder: height must not be negative, is -2");
  expect_refused("Shape { geometry Box { size 1 -1 1 } }", 2,
                 "Box: size must not be negative, is -1");
  expect_refused("Shape { geometry ElevationGrid { xDimension 2 zDimension 2 height [1 2 3] } }", 2,
                 "ElevationGrid: xDimension 2 times zDimension 2 is not the number of heights, 3");
  expect_refused("Shape { geometry ElevationGrid { xDimension 65536 zDimension 4294967296 } }", 2,
                 "ElevationGrid: xDimension 65536 and zDimension 4294967296 must be whole numbers");
  expect_refused("Shape { geometry ElevationGrid { xDimension -2 zDimension 2 } }", 2,
                 "ElevationGrid: xDimension -2 and zDimension 2 must be whole numbers");
  expect_refused("Shape { geometry Extrusion { spine [0 0 0, 0 1 0, 0 2 0] scale [1 1, 2 2] } }", 2,
                 "Extrusion: 2 scales and 0 orientations for 3 spine points");
  expect_refused("Shape { geometry Extrusion { orientation 0 0 0 1 } }", 2,
                 "Extrusion: orientation 1: 0 0 0 1 is no rotation");
}

TEST(VrmlBadInput, CoordinatesOutOfRange) {
  const std::string big = "Transform { translation 1e6 0 0 children " + kFaceLine + "}";
  expect_refused(big, 2, "a point at (1000001, 0, 0) m: further than 1000000 m");
  const Result<Environment> overflow = parse_vrml(
      kHeader + "Transform { scale 1e300 1 1 children Transform { scale 1e300 1 1 children " +
          kFaceLine + "} }",
      "room.wrl");
  EXPECT_NE(overflow.error().message.find("room.wrl:2: a point at ("), std::string::npos);
  expect_refused("Shape { geometry Sphere { radius 1e300 } }", 2,
                 "Sphere: reaches further than 1000000 m from the origin");
  expect_refused("Shape { geometry Box { size 1e308 1 1 } }", 2,
                 "a point at (-5e+307, -0.5, -0.5) m: further than 1000000 m");
  EXPECT_TRUE(parse_vrml(kHeader + big, "room.wrl", {0.5, UpAxis::kY}).ok());
  for (const double scale : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_EQ(parse_vrml(kHeader + big, "room.wrl", {scale, UpAxis::kY}).error().code,
              ErrorCode::kUsage);
  }
}

TEST(VrmlBadInput, DefAndUse) {
  expect_refused("Group { children [\nUSE Later ] } DEF Later " + kFaceLine, 3,
                 "USE of \"Later\", which no DEF before it names");
  expect_refused("DEF A Group { children [ Group { children\nUSE A } ] }", 3,
                 "USE of \"A\" inside of itself");
  expect_refused(
      "DEF A Group { children [ DEF B Group { children Transform { children USE A } } ] } "
      "USE B",
      2, "USE of \"A\" inside of itself");
  expect_refused("PROTO P [ ] { DEF X Group { } }\nUSE X", 3,
                 "USE of \"X\", which no DEF before it names");
  expect_refused("DEF X Group { }\nPROTO P [ ] { Group { children USE X } }", 3,
                 "USE of \"X\", which no DEF before it names");
}

TEST(VrmlBadInput, Protos) {
  expect_refused("PROTO P { }", 2, "expected [, found \"{\"");
  expect_refused("PROTO P [ field SFFoo a 1 ] { }", 2, "there is no field type \"SFFoo\"");
  expect_refused("PROTO P [ wield SFBool a TRUE ] { }", 2,
                 "expected eventIn, eventOut, field or exposedField, found \"wield\"");
  expect_refused("PROTO P [ field SFVec3f a 1 2 ] { }", 2, "a: expected a number, found \"]\"");
  expect_refused("PROTO P [ ] { Group { }", 2, "expected a node, found the end of the file");
  expect_refused("EXTERNPROTO P [ ] 5", 2,
                 "the address of an EXTERNPROTO: expected a string, found \"5\"");
  expect_refused("Transform { translation IS at }", 2, "IS outside of the body of a PROTO");
  expect_refused("PROTO P [ ] { Transform { translation IS at } }\nP { }", 2,
                 "IS \"at\": the PROTO \"P\" has no such field");
  expect_refused("PROTO P [ field SFBool at TRUE ] { Transform { translation IS at } }\nP { }", 2,
                 "translation: its PROTO gives it 1 numbers, not 3");
  expect_refused("PROTO P [ field SFNode at NULL ] { Transform { translation IS at } }\nP { }", 2,
                 "translation: its PROTO gives it no numbers");
  expect_refused("PROTO P [ field SFBool at TRUE ] { Group { children IS at } }\nP { }", 2,
                 "children: its PROTO gives it no nodes");
  expect_refused(
      "PROTO P [ field MFFloat a [1 2] ] { Shape { geometry ElevationGrid { xDimension 1 "
      "zDimension 2 height IS a } } } P { } PROTO Q [ field MFFloat a [1 2] ] { Shape { "
      "geometry IndexedFaceSet { coord Coordinate { point IS a } } } } Q { }",
      2, "point: its PROTO gives it 2 numbers, not a multiple of 3");
  expect_refused("PROTO P [ " + repeated("field SFBool a TRUE ", 300) + "] { }", 2,
                 "a PROTO with more than 256 fields");
}

TEST(VrmlBadInput, AnInterfaceHasItsOwnNames) {
  // A default that stands for a node of the body around it would bring along an IS that means the
  // fields of the PROTO around.
  expect_refused(
      "PROTO Outer [ field SFVec3f t 0 0 0 ] { Group { children [ DEF X Transform { translation IS "
      "t children Shape { geometry Box { } } }\nGroup { PROTO Inner [ field MFNode n USE X ] { "
      "Group "
      "{ children IS n } } children [ Inner { } ] } ] } } Outer { }",
      3, "USE of \"X\", which no DEF before it names");
  expect_refused("DEF X Group { }\nPROTO P [ field SFNode n USE X ] { Group { } }", 3,
                 "USE of \"X\", which no DEF before it names");
  expect_refused("PROTO P [ field SFNode n DEF X Group { } ] { Group { } }\nUSE X", 3,
                 "USE of \"X\", which no DEF before it names");
  expect_refused("PROTO P [ field SFBool a TRUE field SFNode n Group { children IS a } ] { }", 2,
                 "IS outside of the body of a PROTO");
  // Back in the interface behind a PROTO that stands in it.
  expect_refused(
      "PROTO P [ field SFNode n Group { PROTO Q [ ] { Group { } }\nchildren IS a } ] { Group { } }",
      3, "IS outside of the body of a PROTO");
}

TEST(VrmlBadInput, LongNames) {
  EXPECT_TRUE(
      parse_vrml(kHeader + "DEF " + std::string(256, 'n') + " " + kFaceLine, "room.wrl").ok());
  expect_refused("DEF\n" + std::string(257, 'n') + " " + kFaceLine, 2,
                 "a name after DEF longer than 256 bytes");
}

const std::string kRoom =
    kHeader +
    "# a room\nPROTO Leg [ field SFVec3f at 0 0 0 ] { Transform { translation IS at children Shape "
    "{ "
    "geometry Cylinder { radius 0.1 } } } }\nDEF Table Transform { rotation 0 1 0 1.5e0 scale 1 -1 "
    "1 "
    "children [ Shape { appearance Appearance { } geometry IndexedFaceSet { convex FALSE coord DEF "
    "C "
    "Coordinate { point [ 2 0 0, 0.5 0.5 0, 0 2 0, 0 0 0 ] } coordIndex [ 0, 1, 2, 3, -1 ] } } Leg "
    "{ "
    "at 1 0 0 } ] }\nScript { eventIn SFTime go url \"javascript: \\\"x\\\" }\" }\nLOD { level [ "
    "Shape "
    "{ geometry Box { size 1 2 3 } } Group { } ] } ROUTE a.b TO c.d\nFoo { x [ 1 \"a\" NULL TRUE ] "
    "children USE Table }\nShape { geometry Extrusion { spine [ 0 0 0, 0 1 0, 1 1 0 ] } }\nShape { "
    "geometry ElevationGrid { xDimension 2 zDimension 2 height [ 0 1 0x2 3 ] } }\n";

TEST(VrmlBadInput, TruncatedAnywhere) {
  ASSERT_TRUE(parse_vrml(kRoom, "room.wrl").ok()) << parse_vrml(kRoom, "room.wrl").error().message;
  for (std::size_t size = 0; size < kRoom.size(); ++size) {
    const Result<Environment> room =
        parse_vrml(std::string_view(kRoom).substr(0, size), "room.wrl");
    if (!room.ok()) {
      EXPECT_EQ(room.error().code, ErrorCode::kInput);
      EXPECT_TRUE(room.error().message.starts_with("room.wrl:")) << room.error().message;
    }
  }
}

TEST(VrmlBadInput, AnyByteReplaced) {
  std::mt19937 random(9);
  for (std::size_t i = 0; i < kRoom.size(); ++i) {
    for (int k = 0; k < 5; ++k) {
      std::string other = kRoom;
      other[i] = k < 2 ? "{}[]\" \n#-9"[random() % 10] : static_cast<char>(random());
      const Result<Environment> room = parse_vrml(other, "room.wrl");
      if (!room.ok()) {
        EXPECT_TRUE(room.error().message.starts_with("room.wrl:")) << room.error().message;
        EXPECT_LT(room.error().message.size(), 2000U);
      }
    }
  }
}

TEST(VrmlBadInput, BinaryNoise) {
  std::mt19937 random(10);
  for (int k = 0; k < 200; ++k) {
    std::string noise(4096, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    EXPECT_FALSE(parse_vrml(noise, "room.wrl").ok());
    EXPECT_FALSE(parse_vrml(kHeader + kFaceLine + "}" + noise, "room.wrl").ok());
  }
}

}  // namespace
}  // namespace tocsin::io::vrml_bad_input_test
