// VRML97 rooms: what the nodes mean. Expected positions are worked out by hand, or by Eigen from
// the standard's definition of Transform.
#include "io/vrml/vrml.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "io/room_queries.h"
#include "io/vrml/vrml_files.h"

namespace tocsin::io::vrml_test {
namespace {

using test::all_warnings;
using test::Corners;
using test::kCorners;
using test::kFace;
using test::object_names;
using test::parse;
using test::triangles_of;
using test::warns;
using Names = std::vector<std::string>;

Corners moved(float x, float y, float z) {
  Corners out = kCorners;
  for (Vec3f& p : out) p = {p.x + x, p.y + y, p.z + z};
  return out;
}

TEST(Vrml, ObjectsAreNamedByTheClosestDef) {
  const auto room =
      parse("DEF House Group { children [ " + kFace + "DEF Table Transform { children [" + kFace +
            kFace + "Transform { translation 1 0 0 children " + kFace +
            "} ] } DEF Empty Group { } Group { children DEF Lamp " + kFace + "} " + kFace + "] } " +
            kFace);
  EXPECT_EQ(object_names(*room), (Names{"room", "House", "Table", "Lamp"}));
  EXPECT_EQ(triangles_of(*room, "House").size(), 2U);
  EXPECT_EQ(triangles_of(*room, "Table"),
            (std::vector<Corners>{kCorners, kCorners, moved(1, 0, 0)}));
  EXPECT_EQ(triangles_of(*room, "Lamp").size(), 1U);
  EXPECT_EQ(triangles_of(*room, "room").size(), 1U);
}

TEST(Vrml, AGeometryNamesItsShapeIfNothingElseDoes) {
  const auto room = parse(
      "Shape { geometry DEF Slab Box { } } Shape { geometry USE Slab } DEF X Group { children "
      "Shape { geometry USE Slab } }");
  EXPECT_EQ(object_names(*room), (Names{"Slab", "Slab@2", "X"}));
}

TEST(Vrml, ExportsOfModellersGiveOneObjectADef) {
  // As 3ds Max writes it: DEF on the Transform, and on parts of the geometry.
  const auto room = parse(R"(
    DEF Box01 Transform { translation 1 2 3 children [ Transform { translation 0 0.5 0 children [
      Shape { geometry DEF Box01-FACES IndexedFaceSet { ccw TRUE solid TRUE convex TRUE
        coord DEF Box01-COORD Coordinate { point [0 0 0, 1 0 0, 0 1 0] }
        coordIndex [0, 1, 2, -1] } } ] }
      Shape { geometry IndexedFaceSet { coord USE Box01-COORD coordIndex [2 1 0] } } ] }
    DEF Box01.001 Transform { children Shape { geometry USE Box01-FACES } })");
  EXPECT_EQ(object_names(*room), (Names{"Box01", "Box01.001"}));
  EXPECT_EQ(triangles_of(*room, "Box01"),
            (std::vector<Corners>{moved(1, 2.5F, 3), {{{1, 3, 3}, {2, 2, 3}, {1, 2, 3}}}}));
  EXPECT_EQ(triangles_of(*room, "Box01.001"), std::vector<Corners>{kCorners});
  EXPECT_TRUE(room->warnings().empty()) << all_warnings(*room);
}

TEST(Vrml, EachUseIsAnObject) {
  const auto room = parse("DEF Chair Transform { translation 1 0 0 children " + kFace +
                          "} Transform { translation 0 5 0 children [ USE Chair USE Chair ] } ");
  EXPECT_EQ(object_names(*room), (Names{"Chair", "Chair@2", "Chair@3"}));
  EXPECT_EQ(triangles_of(*room, "Chair"), std::vector<Corners>{moved(1, 0, 0)});
  EXPECT_EQ(triangles_of(*room, "Chair@2"), std::vector<Corners>{moved(1, 5, 0)});
  EXPECT_EQ(triangles_of(*room, "Chair@3"), std::vector<Corners>{moved(1, 5, 0)});
  EXPECT_TRUE(warns(*room, "room.wrl: object names that repeat"));
}

TEST(Vrml, UseMeansTheClosestDefBefore) {
  const auto room = parse(
      "DEF C Coordinate { point [7 7 7] } Group { children [ Shape { geometry IndexedFaceSet { "
      "coord "
      "DEF C Coordinate { point [0 0 0, 1 0 0, 0 1 0] } coordIndex [0 1 2] } } Shape { geometry "
      "IndexedFaceSet { coord USE C coordIndex [2 1 0] } } ] }");
  EXPECT_EQ(triangles_of(*room, "room").at(1), (Corners{{{0, 1, 0}, {1, 0, 0}, {0, 0, 0}}}));
}

/// The standard's definition, in Eigen.
Eigen::Affine3d transform(const Eigen::Vector3d& t, const Eigen::Vector3d& c,
                          const Eigen::AngleAxisd& r, const Eigen::Vector3d& s,
                          const Eigen::AngleAxisd& sr) {
  using Eigen::Translation3d;
  return Translation3d(t) * Translation3d(c) * r * sr * Eigen::Scaling(s) * sr.inverse() *
         Translation3d(-c);
}

TEST(Vrml, TransformsAreThoseOfTheStandard) {
  std::mt19937 random(11);
  const auto pick = [&] { return std::uniform_real_distribution<double>(-3.0, 3.0)(random); };
  const auto vector = [&] { return Eigen::Vector3d(pick(), pick(), pick()); };
  const auto text = [](const Eigen::Vector3d& v) {
    return fmt::format("{} {} {}", v.x(), v.y(), v.z());
  };
  for (int k = 0; k < 50; ++k) {
    Eigen::Affine3d world = Eigen::Affine3d::Identity();
    std::string open;
    std::string close;
    for (int depth = 0; depth < 3; ++depth) {
      const Eigen::Vector3d t = vector();
      const Eigen::Vector3d c = vector();
      const Eigen::Vector3d s = vector();  // negative ones too
      const Eigen::Vector3d axis = vector();
      const Eigen::Vector3d along = vector();
      const double angle = 4 * pick();
      const double tilt = pick();
      // Axes are written without being of unit length: exporters round them.
      open += fmt::format(
          "Transform {{ translation {} center {} scale {} rotation {} {} scaleOrientation {} {} "
          "children ",
          text(t), text(c), text(s), text(axis), angle, text(along), tilt);
      close += "} ";
      world = world * transform(t, c, Eigen::AngleAxisd(angle, axis.normalized()), s,
                                Eigen::AngleAxisd(tilt, along.normalized()));
    }
    const auto room = parse(open + kFace + close);
    const Corners got = triangles_of(*room, "room").at(0);
    for (std::size_t i = 0; i < 3; ++i) {
      const Eigen::Vector3d want =
          world * Eigen::Vector3d(kCorners[i].x, kCorners[i].y, kCorners[i].z);
      EXPECT_NEAR(got[i].x, want.x(), 1e-7 * (1.0 + std::fabs(want.x())));
      EXPECT_NEAR(got[i].y, want.y(), 1e-7 * (1.0 + std::fabs(want.y())));
      EXPECT_NEAR(got[i].z, want.z(), 1e-7 * (1.0 + std::fabs(want.z())));
    }
  }
}

TEST(Vrml, AQuarterTurnIsExact) {
  const auto room =
      parse("Transform { rotation 0 0 1 1.5707963267948966 scale 1 -1 2 children " + kFace + "}");
  EXPECT_EQ(triangles_of(*room, "room").at(0), (Corners{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}}}));
}

TEST(Vrml, ScaleAndUpAxisComeLast) {
  const auto room = parse("Transform { translation 0 0 5 children " + kFace + "}",
                          {.scale = 0.1, .up = UpAxis::kZ});
  // (x, y, z) becomes (x, z, -y).
  EXPECT_EQ(triangles_of(*room, "room").at(0),
            (Corners{{{0, 0.5F, 0}, {0.1F, 0.5F, 0}, {0, 0.5F, -0.1F}}}));
}

TEST(Vrml, ASwitchGivesItsChoiceAndAnLodItsFinestLevel) {
  const auto room =
      parse("Switch { whichChoice 1 choice [ DEF A " + kFace + "DEF B " + kFace +
            "] } Switch { choice DEF C " + kFace + "} LOD { range [5] level [ DEF D " + kFace +
            "DEF E " + kFace + "] } Switch { whichChoice 7 choice [" + kFace + "] }");
  EXPECT_EQ(object_names(*room), (Names{"B", "D"}));
  EXPECT_TRUE(warns(*room, "room.wrl:2: 1 Switch: only what they choose is read, the first here"));
  EXPECT_TRUE(warns(*room, "2 Switch that chooses nothing: what they hold is left out"));
  EXPECT_TRUE(warns(*room, "1 LOD: their finest level is read"));
}

TEST(Vrml, ACollisionGivesItsChildrenOrElseItsProxy) {
  const auto room = parse("Collision { children DEF A " + kFace + "proxy DEF B " + kFace +
                          "} Collision { collide TRUE proxy DEF C " + kFace + "}");
  EXPECT_EQ(object_names(*room), (Names{"A", "C"}));
  EXPECT_TRUE(warns(*room, "1 proxy of a Collision left out: its children are read"));
}

TEST(Vrml, ACollisionSwitchesWhatItHoldsOff) {
  const auto room = parse("DEF A " + kFace + "Collision { collide FALSE children [ DEF B " + kFace +
                          "Group { children DEF C " + kFace + "} ] proxy DEF D " + kFace +
                          "} Collision { collide FALSE proxy DEF E " + kFace + "}");
  EXPECT_EQ(object_names(*room), (Names{"A"}));
  EXPECT_TRUE(warns(*room, "2 Collision with collide FALSE: what they hold is switched off"));
}

TEST(Vrml, WhatCannotBeTouchedIsCounted) {
  const auto room = parse(kFace + R"(
    Shape { geometry Text { string ["a" "b \" } {"] fontStyle FontStyle { size 2 } } }
    Shape { geometry Text { } }
    Shape { geometry IndexedLineSet { coord Coordinate { point [0 0 0, 1 1 1] } coordIndex [0 1 -1] } }
    Inline { url "chair.wrl" }
    Billboard { axisOfRotation 0 1 0 children )" +
                          kFace + "}");
  EXPECT_EQ(triangles_of(*room, "room").size(), 2U);
  EXPECT_TRUE(warns(*room,
                    "room.wrl:3: 2 Text left out, as only surfaces can be touched, the first "
                    "here"))
      << all_warnings(*room);
  EXPECT_TRUE(warns(*room, "1 IndexedLineSet left out"));
  EXPECT_TRUE(
      warns(*room, "room.wrl:6: 1 Inline not followed, what is in \"chair.wrl\" is missing"));
  EXPECT_TRUE(warns(*room, "1 Billboard read as a Group"));
}

TEST(Vrml, WhatSaysNothingAboutGeometryIsPassedOver) {
  const auto room = parse(R"(
    WorldInfo { title "A } room" info [ "x" "y" ] } # Shape { }
    NavigationInfo { type [ "WALK" "ANY" ] avatarSize [0.25, 1.6, 0.75] headlight TRUE }
    DEF V Viewpoint { position 0 1.6 5 orientation 0 0 1 0 description "in front" }
    Background { skyColor [ 0 0 0.2, 1 1 1 ] skyAngle 1.57 }
    DEF T TimeSensor { cycleInterval 4 loop TRUE }
    DEF S Script { eventIn SFTime go field SFNode self USE V field MFString a [ "x" ] directOutput TRUE
      eventOut SFVec3f moved url "javascript: function go(t) { moved = new SFVec3f(\"0\", 1, 2); }" }
    DEF P PositionInterpolator { key [0, 1] keyValue [0 0 0, 1 1 1] }
    DEF G Transform { children [ DEF L PointLight { } TouchSensor { } Sound { source AudioClip { url [] } } )" +
                          kFace + R"( ] }
    Shape { appearance Appearance { texture PixelTexture { image 2 1 3 0xFF0000 0x00FF00 } } }
    ROUTE T.fraction_changed TO P.set_fraction
    ROUTE P.value_changed TO G . set_translation
    )");
  EXPECT_EQ(object_names(*room), Names{"G"});
  EXPECT_TRUE(room->warnings().empty()) << all_warnings(*room);
}

TEST(Vrml, UnknownNodesWithChildrenAreGroups) {
  const auto room =
      parse("Foo { speed 1 2 3 children [" + kFace + "] bar [ Baz { x NULL } ] } Qux { a " +
            "TRUE b [ 1 2 ] c \"s\" d Shape { } } Group { wobble 3 children " + kFace + "}");
  EXPECT_EQ(triangles_of(*room, "room").size(), 2U);
  EXPECT_TRUE(warns(*room, "room.wrl:2: 1 \"Foo\", of unknown type: only their children are read"));
  EXPECT_TRUE(warns(*room, "1 \"Qux\", of unknown type, left out")) << all_warnings(*room);
  EXPECT_TRUE(warns(*room,
                    "room.wrl:2: 1 fields passed over that their nodes do not have, "
                    "\"wobble\" first, here"));
}

TEST(Vrml, ProtosAreInstantiated) {
  const auto room = parse(R"(
    PROTO Leg [ field SFFloat long 1 exposedField SFVec3f at 0 0 0 eventIn SFTime go ] {
      Transform { translation IS at children DEF Inside Shape { geometry Box { size 1 1 1 } } }
      Group { children Shape { geometry Box { } } }
    }
    PROTO Table [ field MFNode legs [ Leg { } ] field SFVec3f at 5 0 0 exposedField MFNode top [] ] {
      Transform { translation IS at children [ Group { children IS legs } Group { children IS top } ] }
    }
    DEF One Table { }
    DEF Two Table { at 0 10 0 legs [ Leg { at 1 0 0 } Leg { at 2 0 0 } ] top DEF Top )" +
                          kFace + "}\nTable { at 0 0 7 }\n");
  EXPECT_EQ(object_names(*room), (Names{"room", "One", "Two", "Top"}));
  EXPECT_EQ(triangles_of(*room, "One").size(), 12U);
  EXPECT_EQ(triangles_of(*room, "Two").size(), 24U);
  EXPECT_EQ(triangles_of(*room, "room").size(), 12U);
  EXPECT_EQ(triangles_of(*room, "Top"), std::vector<Corners>{moved(0, 10, 0)});
  const auto center_x = [&](std::size_t first) {
    double sum = 0.0;
    const auto all = triangles_of(*room, "Two");
    for (std::size_t i = first; i < first + 12; ++i) {
      for (const Vec3f& p : all[i]) sum += p.x / 36.0;
    }
    return sum;
  };
  EXPECT_NEAR(center_x(0), 1.0, 0.2);
  EXPECT_NEAR(center_x(12), 2.0, 0.2);
  EXPECT_TRUE(room->warnings().empty()) << all_warnings(*room);
}

TEST(Vrml, AProtoMayStandInTheInterfaceOfAnother) {
  const auto room = parse(R"(
    PROTO Outer [ field MFNode n Group { PROTO Inner [ field SFVec3f at 1 0 0 ] {
        Transform { translation IS at children )" +
                          kFace + R"( } } children [ Inner { } Inner { at 0 2 0 } ] } ] {
      Group { children IS n } }
    Outer { })");
  EXPECT_EQ(triangles_of(*room, "room"), (std::vector<Corners>{moved(1, 0, 0), moved(0, 2, 0)}));
  EXPECT_TRUE(room->warnings().empty()) << all_warnings(*room);
}

TEST(Vrml, TypeNamesMeanWhatTheirSurroundingsSay) {
  const auto at = [](float x) {
    return fmt::format("Transform {{ translation {} 0 0 children {} }}", x, kFace);
  };
  const auto room =
      parse("PROTO P [ ] { " + at(1) + " } PROTO Q [ ] { PROTO P [ ] { " + at(2) +
            " } PROTO P [ ] { " + at(3) + " } PROTO R [ ] { P { } } R { } } Q { } P { } " +
            "PROTO P [ ] { " + at(4) + " } P { } R { children " + kFace + "}");
  EXPECT_EQ(triangles_of(*room, "room"),
            (std::vector<Corners>{moved(3, 0, 0), moved(1, 0, 0), moved(4, 0, 0), kCorners}));
  EXPECT_TRUE(warns(*room, "1 \"R\", of unknown type"));  // declared inside of Q
}

TEST(Vrml, TheCollisionObjectOfVCollideIsRead) {
  // Hudson et al. 1997, figures 2 and 4: an EXTERNPROTO, two objects that know each other.
  const auto room = parse(R"(EXTERNPROTO CollisionObject [ eventIn MFNode addChildren
      eventIn MFNode removeChildren exposedField MFNode children exposedField MFNode ignoredObjects
      exposedField SFBool collide field SFVec3f bboxCenter field SFNode proxy eventOut SFTime collideTime ]
      [ "urn:x" "http://example.org/CollisionObject.wrl" ]
    DEF FOO CollisionObject { collide TRUE children )" +
                          kFace + R"(
      ignoredObjects [ DEF BAR CollisionObject { ignoredObjects [ USE FOO ] children )" +
                          kFace + "} ] } USE BAR\n");
  EXPECT_EQ(object_names(*room), (Names{"FOO", "BAR"}));
  EXPECT_TRUE(warns(*room, "2 \"CollisionObject\", of unknown type: only their children are read"));
}

TEST(Vrml, LineEndsCommasAndCommentsAreFree) {
  const std::string text =
      "\xef\xbb\xbf#VRML V2.0 utf8 CosmoWorlds\r# c { \r\nShape{geometry IndexedFaceSet{coord "
      "Coordinate{point[0,0,0,,1 0 0#x\r0 1\t+0.]}coordIndex[0,1,2,-1]}}";
  const auto room = parse_vrml(text, "a/b/house.old.wrl");
  ASSERT_TRUE(room.ok()) << room.error().message;
  EXPECT_EQ(triangles_of(*room, "house.old"), std::vector<Corners>{kCorners});
}

TEST(Vrml, NamesAreMadeUtf8) {
  const auto room = parse("DEF Caf\xe9.001-x " + kFace);
  EXPECT_EQ(object_names(*room), Names{"Caf\xc3\xa9.001-x"});
  EXPECT_TRUE(warns(*room, "1 names are not UTF-8 text"));
}

}  // namespace
}  // namespace tocsin::io::vrml_test
