// Shapes against what they are meant to be.
#include "view/mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/vector/vec.h"
#include "view/rooms.h"

namespace tocsin::view::mesh_test {
namespace {

using core::dot;
using core::norm;
using core::to_double;

TEST(Mesh, ACapsuleLiesOnItsSurfaceAndLooksOutward) {
  const Vec3 a{0.3, 1.0, -0.2};
  const Vec3 b{0.6, 1.4, 0.5};
  Mesh mesh;
  add_capsule(mesh, a, b, 0.1, {});
  for (const Vertex& v : mesh.vertices) {
    const Vec3 p = to_double(v.position);
    const double s = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
    const Vec3 out = p - (a + s * (b - a));
    EXPECT_NEAR(norm(out), 0.1, 1e-6);
    EXPECT_NEAR(dot(out, to_double(v.normal)), 0.1, 1e-6);
  }
  // Closed, and wound outward: its volume is a cylinder's and a ball's, less what corners cut.
  double volume = 0.0;
  for (const TriangleIndices& t : mesh.triangles) {
    const auto at = [&](std::size_t i) { return to_double(mesh.vertices[t[i]].position) - a; };
    volume += dot(at(0), core::cross(at(1), at(2))) / 6.0;
  }
  const double pi = std::acos(-1.0);
  EXPECT_NEAR(volume, pi * 0.01 * norm(b - a) + 4.0 / 3.0 * pi * 0.001, 0.0004);
}

TEST(Mesh, ABallIsACapsuleWithoutLength) {
  Mesh mesh;
  add_capsule(mesh, {1, 2, 3}, {1, 2, 3}, 0.5, {});
  for (const Vertex& v : mesh.vertices) {
    EXPECT_NEAR(norm(to_double(v.position) - Vec3{1, 2, 3}), 0.5, 1e-6);
  }
}

TEST(Mesh, ARoomKeepsItsTrianglesAndEdgesThatAreSharp) {
  const Environment room = test::room_of({test::box("Box", {0, 0, 0}, {1, 2, 3})});
  const Mesh mesh = room_mesh(room, std::vector<Paint>(1));
  ASSERT_EQ(mesh.triangles.size(), 12U);
  EXPECT_EQ(mesh.vertices.size(), 24U);  // three normals a corner
  for (std::uint32_t t = 0; t < 12; ++t) {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vertex& v = mesh.vertices[mesh.triangles[t][i]];
      EXPECT_EQ(v.position, room.corners(t)[i]);
      const double largest =
          std::max({std::fabs(v.normal.x), std::fabs(v.normal.y), std::fabs(v.normal.z)});
      EXPECT_NEAR(largest, 1.0, 1e-6);  // a face's own normal, not a mean of three
    }
  }
}

TEST(Mesh, ARoomOfRoundThingsIsShadedSmoothly) {
  ObjectMesh drum{"Drum", {}, {}};  // 24 sides: 15 degrees from each to the next
  for (int i = 0; i < 24; ++i) {
    const double angle = 2.0 * std::acos(-1.0) * i / 24;
    for (const float y : {0.0F, 1.0F}) {
      drum.vertices.push_back(
          {static_cast<float>(std::cos(angle)), y, static_cast<float>(std::sin(angle))});
    }
    const auto v = static_cast<std::uint32_t>(2 * i);
    drum.triangles.push_back({v, v + 1, (v + 3) % 48});
    drum.triangles.push_back({v, (v + 3) % 48, (v + 2) % 48});
  }
  const Mesh mesh = room_mesh(test::room_of({drum}), std::vector<Paint>(1));
  for (const Vertex& v : mesh.vertices) {
    const Vec3 outward{v.position.x, 0.0, v.position.z};
    EXPECT_GT(std::fabs(dot(outward, to_double(v.normal))), 0.99);
  }
}

TEST(Mesh, ThousandsOfFacesAboutAPointTakeNoTime) {
  ObjectMesh star{"Star", {{0, 0, 0}}, {}};
  for (std::uint32_t i = 0; i < 20000; ++i) {
    const float a = static_cast<float>(i) * 0.37F;
    star.vertices.push_back({std::cos(a), 0.3F * std::sin(a * 1.7F), std::sin(a)});
    star.vertices.push_back({std::cos(a), 0.3F * std::cos(a * 2.9F), std::sin(a)});
    star.triangles.push_back({0, 2 * i + 1, 2 * i + 2});
  }
  const Mesh mesh = room_mesh(test::room_of({star}), std::vector<Paint>(1));
  EXPECT_EQ(mesh.triangles.size(), 20000U);
}

TEST(Mesh, WideObjectsAreThoseThatMakeUpTheRoom) {
  const Environment room = test::room_of({test::box("Floor", {-5, -0.1F, -5}, {5, 0, 5}),
                                          test::box("Cup", {0, 1, 0}, {0.1F, 1.1F, 0.1F}),
                                          test::box("Box", {1, 0, 1}, {1.3F, 0.3F, 1.3F}),
                                          test::box("Wall", {-5, 0, -5}, {5, 3, -4.9F})});
  EXPECT_EQ(wide_objects(room), (std::vector<bool>{true, false, false, true}));
}

}  // namespace
}  // namespace tocsin::view::mesh_test
