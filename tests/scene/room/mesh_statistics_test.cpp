// Mesh statistics against meshes whose counts are known by other means.
#include "scene/room/mesh_statistics.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "support/data.h"
#include "tocsin/io.h"

namespace tocsin::scene::mesh_statistics_test {
namespace {

/// The unit cube: 8 vertices, 12 triangles, and by Euler's formula 18 edges.
ObjectMesh cube(std::string name) {
  return {std::move(name),
          {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
          {{0, 2, 1},
           {0, 3, 2},
           {4, 5, 6},
           {4, 6, 7},
           {0, 1, 5},
           {0, 5, 4},
           {1, 2, 6},
           {1, 6, 5},
           {2, 3, 7},
           {2, 7, 6},
           {3, 0, 4},
           {3, 4, 7}}};
}

/// The same surface, every triangle with corners of its own.
ObjectMesh taken_apart(const ObjectMesh& mesh) {
  ObjectMesh out{mesh.name, {}, {}};
  for (const TriangleIndices& t : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(out.vertices.size());
    for (const std::uint32_t i : t) out.vertices.push_back(mesh.vertices[i]);
    out.triangles.push_back({first, first + 1, first + 2});
  }
  return out;
}

MeshStatistics only(ObjectMesh mesh) {
  return mesh_statistics(*Environment::create({std::move(mesh)})).total;
}

TEST(MeshStatistics, OfNothing) {
  const EnvironmentStatistics statistics = mesh_statistics(Environment());
  EXPECT_EQ(statistics.total.triangles, 0U);
  EXPECT_EQ(statistics.total.edges, 0U);
  EXPECT_TRUE(statistics.objects.empty());
}

TEST(MeshStatistics, OfAClosedCube) {
  const MeshStatistics s = only(cube("cube"));
  EXPECT_EQ(s.vertices, 8U);
  EXPECT_EQ(s.triangles, 12U);
  EXPECT_EQ(s.edges, 18U);
  EXPECT_EQ(s.boundary_edges, 0U);
  EXPECT_EQ(s.nonmanifold_edges, 0U);
  EXPECT_EQ(s.degenerate, 0U);
  EXPECT_EQ(s.bounds[0], (Vec3f{0, 0, 0}));
  EXPECT_EQ(s.bounds[1], (Vec3f{1, 1, 1}));
}

TEST(MeshStatistics, EdgesAreFoundByPositionNotByIndex) {
  const MeshStatistics s = only(taken_apart(cube("cube")));
  EXPECT_EQ(s.vertices, 36U);
  EXPECT_EQ(s.edges, 18U);
  EXPECT_EQ(s.boundary_edges, 0U);
}

TEST(MeshStatistics, NegativeZeroIsZero) {
  ObjectMesh mesh = taken_apart(cube("cube"));
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 2) {
    if (mesh.vertices[i].y == 0.0F) mesh.vertices[i].y = -0.0F;
  }
  EXPECT_EQ(only(mesh).edges, 18U);
}

TEST(MeshStatistics, AnOpenCube) {
  ObjectMesh mesh = cube("cube");
  mesh.triangles.erase(mesh.triangles.begin() + 2, mesh.triangles.begin() + 4);  // the face z = 1
  const MeshStatistics s = only(mesh);
  EXPECT_EQ(s.edges, 17U);  // the diagonal of that face is gone
  EXPECT_EQ(s.boundary_edges, 4U);
}

TEST(MeshStatistics, ATriangleThatIsThereTwice) {
  ObjectMesh mesh = cube("cube");
  mesh.triangles.push_back(mesh.triangles.front());
  const MeshStatistics s = only(mesh);
  EXPECT_EQ(s.edges, 18U);
  EXPECT_EQ(s.nonmanifold_edges, 3U);
}

TEST(MeshStatistics, ObjectsShareNoEdges) {
  const auto environment = Environment::create({cube("a"), cube("b"), {"empty", {}, {}}});
  const EnvironmentStatistics s = mesh_statistics(*environment);
  EXPECT_EQ(s.total.edges, 36U);
  EXPECT_EQ(s.total.nonmanifold_edges, 0U);
  ASSERT_EQ(s.objects.size(), 3U);
  EXPECT_EQ(s.objects[1].edges, 18U);
  EXPECT_EQ(s.objects[2].triangles, 0U);
}

TEST(MeshStatistics, DegenerateTriangles) {
  // Three corners in a line; two in one place (no edges); all in one place.
  const MeshStatistics s =
      only({"m", {{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {1, 2, 3}}, {{0, 1, 2}, {0, 1, 3}, {1, 1, 1}}});
  EXPECT_EQ(s.degenerate, 3U);
  EXPECT_EQ(s.edges, 3U);
}

TEST(HasZeroArea, IsExactWhereDoublesAreNot) {
  // On the line through the origin along (1, 1, 1); its points are floats whatever their size.
  const float big = 1e6F;
  const float tiny = 1e-42F;  // subnormal
  EXPECT_TRUE(has_zero_area({{{tiny, tiny, tiny}, {1, 1, 1}, {big, big, big}}}));
  // One part in 2^149 off: no double holds the difference 1e6 - 1e-45.
  const float least = std::numeric_limits<float>::denorm_min();
  EXPECT_FALSE(has_zero_area({{{0, 0, least}, {1, 1, 0}, {big, big, 0}}}));
  EXPECT_FALSE(has_zero_area({{{0, 0, 0}, {least, 0, 0}, {0, least, 0}}}));
  EXPECT_TRUE(has_zero_area({{{0, 0, 0}, {least, least, 0}, {3 * least, 3 * least, 0}}}));
}

TEST(HasZeroArea, AgreesWithIntegers) {
  // Small integers, stretched by a power of two and moved: 64-bit arithmetic decides the same
  // question.
  std::mt19937 random(20261121);
  std::uniform_int_distribution<int> coordinate(-2, 2);
  std::uniform_int_distribution<int> offset(-1000, 1000);
  int zero = 0;
  constexpr int kRounds = 20'000;
  for (int round = 0; round < kRounds; ++round) {
    std::int64_t p[3][3];
    for (auto& row : p) {
      for (std::int64_t& x : row) x = coordinate(random);
    }
    std::int64_t e[3];
    std::int64_t f[3];
    for (int i = 0; i < 3; ++i) {
      e[i] = p[1][i] - p[0][i];
      f[i] = p[2][i] - p[0][i];
    }
    const bool expected =
        e[0] * f[1] == e[1] * f[0] && e[1] * f[2] == e[2] * f[1] && e[2] * f[0] == e[0] * f[2];
    zero += expected ? 1 : 0;
    const int moved = offset(random);
    std::array<Vec3f, 3> corners;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto at = [&](int axis) { return static_cast<float>(p[i][axis] + moved) * 0x1p-20F; };
      corners[i] = {at(0), at(1), at(2)};
    }
    ASSERT_EQ(has_zero_area(corners), expected) << "round " << round;
  }
  EXPECT_GT(zero, kRounds / 100);  // or the test tests nothing
  EXPECT_LT(zero, kRounds / 2);
}

TEST(MeshStatistics, OfTheHouse) {
  const std::string file = "environments/small_house.obj";
  TOCSIN_NEEDS_DATA(file);
  const auto house = load_environment(test::data_path(file));
  ASSERT_TRUE(house.ok()) << house.error().message;
  const EnvironmentStatistics s = mesh_statistics(*house);
  // The figures of the data's README, counted by its makers.
  EXPECT_EQ(s.objects.size(), 87U);
  EXPECT_EQ(s.total.vertices, 83'867U);
  EXPECT_EQ(s.total.triangles, 156'080U);
  EXPECT_EQ(s.total.edges, 239'215U);
  EXPECT_EQ(s.total.boundary_edges, 10'194U);
  EXPECT_EQ(s.total.nonmanifold_edges, 2U);
  EXPECT_EQ(s.total.degenerate, 0U);
  EXPECT_EQ(s.total.bounds[0], (Vec3f{-9.5F, -0.001351F, -5.700004F}));
  EXPECT_EQ(s.total.bounds[1], (Vec3f{9.5F, 3.0F, 5.700004F}));
}

}  // namespace
}  // namespace tocsin::scene::mesh_statistics_test
