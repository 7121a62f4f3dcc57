// VRML97 rooms: the triangles of each geometry, worked out by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "io/room_queries.h"
#include "io/vrml/vrml_files.h"

namespace tocsin::io::vrml_geometry_test {
namespace {

using test::all_warnings;
using test::Corners;
using test::kFace;
using test::object_names;
using test::parse;
using test::triangles_of;
using test::warns;
using Names = std::vector<std::string>;

TEST(VrmlGeometry, FacesAreFannedFromTheirFirstCorner) {
  const auto room =
      parse(R"(Shape { appearance Appearance { material Material { diffuseColor 1 0 0 } }
    geometry IndexedFaceSet {
      coord Coordinate { point [ 0 0 0, 2 0 0, 2 2 0, 0 2 0, 9 9 9, 0.1 0 1e0, ] }
      coordIndex [ 0, 1, 2, 3, -1, 0, 5, 1 ] } })");
  EXPECT_EQ(object_names(*room), Names{"room"});
  EXPECT_EQ(triangles_of(*room, "room"),
            (std::vector<Corners>{{{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}}},
                                  {{{0, 0, 0}, {2, 2, 0}, {0, 2, 0}}},
                                  {{{0, 0, 0}, {0.1F, 0, 1}, {2, 0, 0}}}}));
  EXPECT_TRUE(room->warnings().empty()) << all_warnings(*room);
}

TEST(VrmlGeometry, FacesThatAreNotCcwAreTurnedOver) {
  const auto room = parse(R"(Shape { geometry IndexedFaceSet { ccw FALSE
      coord Coordinate { point [ 0 0 0, 2 0 0, 2 2 0, 0 2 0 ] } coordIndex [ 0 1 2 3 -1 ] } })");
  EXPECT_EQ(triangles_of(*room, "room"),
            (std::vector<Corners>{{{{0, 0, 0}, {2, 2, 0}, {2, 0, 0}}},
                                  {{{0, 0, 0}, {0, 2, 0}, {2, 2, 0}}}}));
}

TEST(VrmlGeometry, ConcaveFacesAreCutIfTheySaySo) {
  const auto room = parse(R"(Shape { geometry IndexedFaceSet { convex FALSE
      coord Coordinate { point [ 2 0 0, 0.5 0.5 0, 0 2 0, 0 0 0 ] } coordIndex [ 0 1 2 3 -1 ] } })");
  double area = 0.0;
  for (const Corners& t : triangles_of(*room, "room")) {
    const Eigen::Vector3d a(t[0].x, t[0].y, t[0].z);
    const Eigen::Vector3d b(t[1].x, t[1].y, t[1].z);
    const Eigen::Vector3d c(t[2].x, t[2].y, t[2].z);
    area += 0.5 * (b - a).cross(c - a).norm();
  }
  EXPECT_DOUBLE_EQ(area, 1.0);  // fanned, it would be 2.125 - 1.125 more
}

TEST(VrmlGeometry, MirroredFacesKeepTheOrderOfTheFile) {
  const auto room = parse("Transform { scale -1 1 1 children " + kFace + "}");
  EXPECT_EQ(triangles_of(*room, "room"),
            (std::vector<Corners>{{{{0, 0, 0}, {-1, 0, 0}, {0, 1, 0}}}}));
}

TEST(VrmlGeometry, ABoxIsItsTwelveTriangles) {
  for (const char* const scale : {"1 1 1", "-1 1 1", "-1 -2 -3"}) {
    const auto room =
        parse(fmt::format("DEF B Transform {{ translation 1 2 3 scale {} children Shape {{ "
                          "geometry Box {{ size 2 4 6 "
                          "}} }} }}",
                          scale));
    const auto triangles = triangles_of(*room, "B");
    ASSERT_EQ(triangles.size(), 12U);
    double volume = 0.0;  // of the tetrahedra to the centre: > 0 if all are wound outwards
    for (const Corners& t : triangles) {
      Eigen::Matrix3d m;
      for (int i = 0; i < 3; ++i) {
        const Vec3f& p = t[static_cast<std::size_t>(i)];
        m.col(i) = Eigen::Vector3d(p.x - 1.0, p.y - 2.0, p.z - 3.0);
      }
      EXPECT_GT(m.determinant(), 0.0);
      volume += m.determinant() / 6.0;
    }
    EXPECT_DOUBLE_EQ(volume, scale[0] == '1' ? 48.0 : scale[4] == '2' ? 288.0 : 48.0);
    EXPECT_TRUE(room->warnings().empty()) << all_warnings(*room);
  }
}

TEST(VrmlGeometry, RoundShapesAreReplacedAndCounted) {
  const auto room = parse(R"(DEF Ball Shape { geometry Sphere { radius 0.3 } }
    DEF Ball2 Shape { geometry Sphere { } }
    DEF Pole Transform { translation 5 1 0 children Shape { geometry Cylinder { radius 0.05 height 2 } } }
    DEF Cup Shape { geometry Cylinder { top FALSE } }
    DEF Hat Shape { geometry Cone { bottom FALSE bottomRadius 0.2 height 0.4 } })");
  EXPECT_EQ(object_names(*room), (Names{"Ball", "Ball2", "Pole", "Cup", "Hat"}));
  EXPECT_TRUE(warns(*room,
                    "room.wrl: 2 Sphere, 2 Cylinder, 1 Cone replaced by polyhedra that "
                    "contain them and stick out by at most 0."))
      << all_warnings(*room);
  float low = 9.0F;
  float high = -9.0F;
  for (const Corners& t : triangles_of(*room, "Pole")) {
    for (const Vec3f& p : t) {
      low = std::min(low, p.y);
      high = std::max(high, p.y);
      EXPECT_LE(std::hypot(p.x - 5.0F, p.z), 0.0511F);
    }
  }
  EXPECT_NEAR(low, 0.0, 1e-5);
  EXPECT_NEAR(high, 2.0, 1e-5);
}

TEST(VrmlGeometry, AnElevationGridRisesFromItsCorner) {
  const auto room = parse(R"(Shape { geometry ElevationGrid { xDimension 3 zDimension 2
      xSpacing 2 zSpacing 5 height [ 0 1 2, 3 4 5 ] } })");
  const auto t = triangles_of(*room, "room");
  ASSERT_EQ(t.size(), 4U);
  EXPECT_EQ(t[0], (Corners{{{0, 0, 0}, {0, 3, 5}, {2, 4, 5}}}));
  EXPECT_EQ(t[1], (Corners{{{0, 0, 0}, {2, 4, 5}, {2, 1, 0}}}));
  EXPECT_EQ(t[3], (Corners{{{2, 1, 0}, {4, 5, 5}, {4, 2, 0}}}));
}

/// Six times the volume that triangles enclose.
double six_volumes(const std::vector<Corners>& triangles) {
  double sum = 0.0;
  for (const Corners& t : triangles) {
    Eigen::Matrix3d m;
    for (int i = 0; i < 3; ++i) {
      const Vec3f& p = t[static_cast<std::size_t>(i)];
      m.col(i) = Eigen::Vector3d(p.x, p.y, p.z);
    }
    sum += m.determinant();
  }
  return sum;
}

TEST(VrmlGeometry, AnExtrusionIsClosedAndOutward) {
  // The default is the square from -1 to 1 along y from 0 to 1.
  const auto square = parse("Shape { geometry Extrusion { } }");
  EXPECT_EQ(triangles_of(*square, "room").size(), 12U);
  EXPECT_NEAR(six_volumes(triangles_of(*square, "room")), 6.0 * 4.0, 1e-6);
  // Straight along x: the y axis turned to x, z stays, x goes to -y.
  const auto along_x = parse(
      "Shape { geometry Extrusion { spine [1 0 0, 4 0 0] crossSection [0 0, 1 0, 1 -2, 0 -2, "
      "0 0] } }");
  const auto t = triangles_of(*along_x, "room");
  EXPECT_NEAR(six_volumes(t), 6.0 * 6.0, 1e-6);
  for (const Corners& c : t) {
    for (const Vec3f& p : c) {
      EXPECT_TRUE(p.x == 1.0F || p.x == 4.0F);
      EXPECT_TRUE(p.y >= -1.0F && p.y <= 0.0F && p.z >= -2.0F && p.z <= 0.0F);
    }
  }
  // Down, and back up: half a turn about x.
  const auto down = parse("Shape { geometry Extrusion { spine [0 1 0, 0 0 0] } }");
  EXPECT_NEAR(six_volumes(triangles_of(*down, "room")), 6.0 * 4.0, 1e-6);
}

TEST(VrmlGeometry, AnExtrusionBendsScalesAndTurns) {
  // A frame of four beams: a square spine in the plane z = 0, closed. Its corners are mitred, so
  // the cross-section, 0.2 wide in the plane, stands at 45 degrees and is not stretched there:
  // between the corners the beam is 0.2 / sqrt 2 wide.
  const auto frame = parse(R"(Shape { geometry Extrusion { beginCap FALSE endCap FALSE
      spine [0 0 0, 4 0 0, 4 4 0, 0 4 0, 0 0 0] crossSection [0.1 0.1, 0.1 -0.1, -0.1 -0.1, -0.1 0.1, 0.1 0.1] } })");
  const auto t = triangles_of(*frame, "room");
  EXPECT_EQ(t.size(), 4U * 4U * 2U);
  const double half = 0.1 / std::numbers::sqrt2;
  for (const Corners& c : t) {
    for (const Vec3f& p : c) {
      EXPECT_NEAR(std::fabs(p.z), 0.1, 1e-6);
      EXPECT_NEAR(std::fabs(std::fabs(p.x - 2.0) - 2.0), half, 1e-6);
      EXPECT_NEAR(std::fabs(std::fabs(p.y - 2.0) - 2.0), half, 1e-6);
    }
  }
  const double outer = 4.0 + 2.0 * half;
  const double inner = 4.0 - 2.0 * half;
  EXPECT_NEAR(std::fabs(six_volumes(t)), 6.0 * 0.2 * (outer * outer - inner * inner), 1e-4);
  // A pyramid: scaled to nothing at the top. And a twist by 90 degrees leaves a square's top.
  const auto pyramid = parse("Shape { geometry Extrusion { scale [1 1, 0 0] } }");
  EXPECT_NEAR(six_volumes(triangles_of(*pyramid, "room")), 6.0 * 4.0 / 3.0, 1e-6);
  const auto wide =
      parse("Shape { geometry Extrusion { scale 3 0.5 orientation 0 1 0 1.5707963267948966 } }");
  for (const Corners& c : triangles_of(*wide, "room")) {
    for (const Vec3f& p : c) {
      EXPECT_NEAR(std::fabs(p.x), 0.5, 1e-6);
      EXPECT_NEAR(std::fabs(p.z), 3.0, 1e-6);
    }
  }
}

TEST(VrmlGeometry, ManyShapesMayShareOneLargeCoordinate) {
  std::string points;
  for (int i = 0; i < 20'000; ++i) points += fmt::format("{} 0 0,", i);
  std::string body = "Shape { geometry IndexedFaceSet { coord DEF C Coordinate { point [" + points +
                     "] } coordIndex [0 1 2] } }\n";
  for (int i = 0; i < 5'000; ++i) {
    body +=
        fmt::format("Shape {{ geometry IndexedFaceSet {{ coord USE C coordIndex [{} {} {}] }} }}\n",
                    i, i + 1, i + 7);
  }
  const auto room = parse(body);
  EXPECT_EQ(room->triangles().size(), 5'001U);
  EXPECT_EQ(room->vertices().size(), 15'003U);  // not 20,000 for each
}

}  // namespace
}  // namespace tocsin::io::vrml_geometry_test
