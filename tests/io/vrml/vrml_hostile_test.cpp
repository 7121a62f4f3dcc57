// VRML files that nest or multiply without end: refused in bounded time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "io/vrml/vrml.h"
#include "io/vrml/vrml_files.h"

namespace tocsin::io::vrml_hostile_test {
namespace {

using test::expect_message;
using test::expect_refused;
using test::kFaceLine;
using test::kHeader;
using test::repeated;

TEST(VrmlHostile, NestedTwoHundredThousandDeep) {
  constexpr std::size_t kDeep = 200'000;
  for (const char* const part :
       {"Group { children ", "Group { children [ ", "Foo { a [ ", "Foo { a ", "PROTO P [ ] { ",
        "PROTO P [ field MFNode a Group { PROTO Q [ ] { ", "Script { field SFNode a "}) {
    expect_message(kHeader + repeated(part, kDeep), "room.wrl:2: nested more than 500 deep");
  }
  expect_refused(repeated("}", kDeep), 2, "expected a node, found \"}\"");
}

TEST(VrmlHostile, DeepWithoutBrackets) {
  // Each Group uses the one before: no bracket is deep, but the scene is.
  std::string chain = "DEF N0 " + kFaceLine;
  for (int i = 1; i < 5'000; ++i) {
    chain += fmt::format("DEF N{} Group {{ children USE N{} }}\n", i, i - 1);
  }
  const Result<Environment> room =
      parse_vrml(kHeader + "Switch { choice [\n" + chain + "] } USE N4999", "room.wrl");
  ASSERT_FALSE(room.ok());
  EXPECT_NE(room.error().message.find("nested more than 500 deep"), std::string::npos)
      << room.error().message;
  // The same by PROTOs, which resolve without recursion.
  std::string protos = "PROTO P0 [ ] { " + kFaceLine + "}\n";
  for (int i = 1; i < 5'000; ++i)
    protos += fmt::format("PROTO P{} [ ] {{ P{} {{ }} }}\n", i, i - 1);
  EXPECT_TRUE(parse_vrml(kHeader + protos + "P4999 { }", "room.wrl").ok());
}

/// Doubles at each of n levels.
std::string bomb(const std::string& core, int levels) {
  std::string text = "Switch { choice [ DEF N0 " + core;
  for (int i = 1; i <= levels; ++i) {
    text += fmt::format("DEF N{} Group {{ children [ USE N{} USE N{} ] }}\n", i, i - 1, i - 1);
  }
  return text + fmt::format("] }}\nUSE N{}", levels);
}

TEST(VrmlHostile, UseBombs) {
  const auto message_of = [](const std::string& body) {
    VrmlLimits limits;  // as the real ones, but for the test's time
    limits.free_triangles = 1U << 16U;
    limits.free_work = 1U << 24U;
    limits.free_concave_work = 1U << 20U;
    limits.free_objects = 1U << 20U;
    const auto begin = std::chrono::steady_clock::now();
    const Result<Environment> room = parse_vrml(kHeader + body, "room.wrl", {}, limits);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(120));
    EXPECT_FALSE(room.ok());
    return room.error().message;
  };
  EXPECT_NE(message_of(bomb(kFaceLine, 60))
                .find("nodes are used so often that they make more than "
                      "65536 triangles"),
            std::string::npos);
  EXPECT_NE(
      message_of(bomb("Group { }", 60)).find("nodes are used so often that they take more than 1"),
      std::string::npos);
  EXPECT_NE(message_of(bomb("Shape { geometry Sphere { } }", 60)).find("65536 triangles"),
            std::string::npos);
  // Faces of two corners make no triangles, but work.
  EXPECT_NE(message_of(bomb("Shape { geometry IndexedFaceSet { coord Coordinate { point 0 0 0 } "
                            "coordIndex [" +
                                repeated("0 0 -1 ", 1000) + "] } }",
                            60))
                .find("they take more than"),
            std::string::npos);
  // Geometries of which nothing comes out, however long they take.
  for (const char* const idle :
       {"Shape { geometry Cylinder { radius 40 side FALSE top FALSE bottom FALSE } }",
        "Transform { scaleOrientation 1 1 0.3 0.7 scale 40 1e-12 1 children Shape { geometry "
        "Sphere { } } }",
        "Shape { geometry Extrusion { crossSection [0 0] spine [0 0 0 0 0 0 0 0 0 0 0 0] } }"}) {
    EXPECT_NE(message_of(bomb(idle, 60)).find("they take more than"), std::string::npos) << idle;
  }
  // PROTOs that double.
  std::string protos = "PROTO P0 [ ] { " + kFaceLine + "}\n";
  for (int i = 1; i < 60; ++i) {
    protos += fmt::format("PROTO P{} [ ] {{ Group {{ children [ P{} {{ }} P{} {{ }} ] }} }}\n", i,
                          i - 1, i - 1);
  }
  EXPECT_NE(message_of(protos + "P59 { }").find("65536 triangles"), std::string::npos);
  // A concave face of 1,000 corners a thousand times.
  std::string points;
  std::string index;
  for (int i = 0; i < 1000; ++i) {
    points += fmt::format("{} {} 0 ", i, i % 2 == 0 ? 0 : 100 + i);
    index += fmt::format("{} ", i);
  }
  points += "500 -1000 0";
  EXPECT_NE(
      message_of("DEF C Shape { geometry IndexedFaceSet { convex FALSE coord Coordinate { point "
                 "[" +
                 points + "] } coordIndex [" + index + " 1000] } } " + repeated("USE C ", 1000))
          .find("have too many corners to cut them up"),
      std::string::npos);
}

TEST(VrmlHostile, TheWorstSmallFilesTakeASecond) {
  const auto idle = [](const std::string& geometry) {
    return bomb("Shape { geometry " + geometry + " }", 60);
  };
  for (const std::string& body :
       {idle("Sphere { }"), idle("Cylinder { radius 40 side FALSE top FALSE bottom FALSE }"),
        idle("Extrusion { crossSection [0 0] spine [" + repeated("0 0 0 ", 100) + "] }"),
        bomb("Transform { scaleOrientation 1 1 0.3 0.7 scale 40 1e-12 1 children Shape { geometry "
             "Sphere { } } }",
             60)}) {
    SCOPED_TRACE(body.substr(0, 150));
    const auto begin = std::chrono::steady_clock::now();
    const Result<Environment> room = parse_vrml(kHeader + body, "room.wrl");
    // Fifty times what it takes, for sanitizers and busy machines: only runaway growth fails.
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
    ASSERT_FALSE(room.ok());
    EXPECT_NE(room.error().message.find("nodes are used so often"), std::string::npos);
  }
}

TEST(VrmlHostile, ObjectsThatMultiply) {
  const Result<Environment> room = parse_vrml(kHeader + bomb(kFaceLine, 22), "room.wrl");
  ASSERT_FALSE(room.ok());
  EXPECT_NE(room.error().message.find("nodes are used so often that they make more than 262144 "
                                      "objects"),
            std::string::npos);
  EXPECT_TRUE(parse_vrml(kHeader + bomb(kFaceLine, 10), "room.wrl").ok());
}

TEST(VrmlHostile, ConcaveFacesAndExtrusionsThatAreTooLarge) {
  std::string index;
  for (int i = 0; i < 5000; ++i) index += "0 1 2 3 ";
  expect_refused(
      "Shape { geometry IndexedFaceSet { convex FALSE coord Coordinate { point [0 0 0, 1 0 "
      "0, 0 1 0, 3 3 3] } coordIndex [" +
          index + "] } }",
      2,
      "IndexedFaceSet: a face of 20000 corners with convex FALSE: at most 4096 are "
      "possible");
  expect_refused("Shape { geometry Extrusion { crossSection [" + repeated("0 1 ", 5000) +
                     "] spine [" + repeated("0 1 2 ", 5000) + "] } }",
                 2,
                 "Extrusion: a crossSection of 5000 along a spine of 5000: more than 4194304 "
                 "points");
}

}  // namespace
}  // namespace tocsin::io::vrml_hostile_test
