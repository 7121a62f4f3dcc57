// Environments built from memory: what is kept, what is refused, and that versions do not disturb
// each other.
#include "tocsin/environment.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace tocsin::environment_test {
namespace {

/// A square in the plane y = height, two triangles.
ObjectMesh square(std::string name, float height) {
  return {std::move(name),
          {{0, height, 0}, {1, height, 0}, {1, height, 1}, {0, height, 1}},
          {{0, 1, 2}, {0, 2, 3}}};
}

std::vector<std::string> names(const Environment& environment) {
  std::vector<std::string> out;
  for (const Object& object : environment.objects()) out.push_back(object.name);
  return out;
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Environment, WithoutAnythingIsEmpty) {
  const Environment environment;
  EXPECT_TRUE(environment.objects().empty());
  EXPECT_TRUE(environment.triangles().empty());
  EXPECT_TRUE(environment.vertices().empty());
  EXPECT_TRUE(environment.warnings().empty());
  EXPECT_EQ(environment.bounds(), (std::array<Vec3f, 2>{}));
}

TEST(Environment, StaysUsableAfterBeingMovedFrom) {
  Environment first = *Environment::create({square("floor", 0)});
  const Environment second = std::move(first);
  EXPECT_EQ(second.triangles().size(), 2U);
  EXPECT_TRUE(first.triangles().empty());  // NOLINT(bugprone-use-after-move)
}

TEST(Environment, KeepsObjectsTrianglesAndOrder) {
  ObjectMesh nothing;
  nothing.name = "nothing";
  const auto environment =
      Environment::create({nothing, square("floor", 0), nothing, square("table", 0.75F), nothing});
  ASSERT_TRUE(environment.ok());
  ASSERT_EQ(environment->objects().size(), 5U);
  EXPECT_EQ(environment->objects()[1].first_triangle, 0U);
  EXPECT_EQ(environment->objects()[1].triangle_count, 2U);
  EXPECT_EQ(environment->objects()[2].triangle_count, 0U);
  EXPECT_EQ(environment->objects()[3].first_triangle, 2U);
  EXPECT_EQ(environment->triangles()[2], (TriangleIndices{4, 5, 6}));
  EXPECT_EQ(environment->corners(3)[2], (Vec3f{0, 0.75F, 1}));
  EXPECT_EQ(environment->object_of(0), 1U);
  EXPECT_EQ(environment->object_of(1), 1U);
  EXPECT_EQ(environment->object_of(2), 3U);
  EXPECT_EQ(environment->object_of(3), 3U);
}

TEST(Environment, BoundsHoldOnlyVerticesThatTrianglesUse) {
  ObjectMesh mesh = square("floor", 2);
  mesh.vertices.push_back({100, -100, 100});
  const auto environment = Environment::create({mesh});
  ASSERT_TRUE(environment.ok());
  EXPECT_EQ(environment->bounds()[0], (Vec3f{0, 2, 0}));
  EXPECT_EQ(environment->bounds()[1], (Vec3f{1, 2, 1}));
}

TEST(Environment, RefusesAnIndexOutOfRange) {
  ObjectMesh mesh = square("sofa", 0);
  mesh.triangles[1][2] = 4;
  const auto environment = Environment::create({square("floor", 0), mesh});
  ASSERT_FALSE(environment.ok());
  EXPECT_EQ(environment.error().code, ErrorCode::kInput);
  EXPECT_EQ(environment.error().message,
            "object \"sofa\", triangle 1: index 4 is out of range (the object has 4 vertices)");
}

TEST(Environment, RefusesVerticesThatAreNotFiniteOrTooFar) {
  const float kBad[] = {std::numeric_limits<float>::quiet_NaN(),
                        std::numeric_limits<float>::infinity(),
                        -std::numeric_limits<float>::infinity(), 1.0001e6F, -1.0001e6F};
  for (const float bad : kBad) {
    for (int axis = 0; axis < 3; ++axis) {
      ObjectMesh mesh = square("sofa", 0);
      (axis == 0 ? mesh.vertices[3].x : axis == 1 ? mesh.vertices[3].y : mesh.vertices[3].z) = bad;
      const auto environment = Environment::create({square("floor", 0), mesh});
      ASSERT_FALSE(environment.ok()) << bad;
      EXPECT_TRUE(
          mentions(environment.error().message, "object \"sofa\", vertex 3 (used by triangle 1)"))
          << environment.error().message;
    }
  }
  ObjectMesh mesh = square("sofa", 0);
  mesh.vertices[3] = {1e6F, -1e6F, 1e6F};
  EXPECT_TRUE(Environment::create({mesh}).ok());
}

TEST(Environment, RefusesBadVerticesThatNoTriangleUses) {
  ObjectMesh mesh = square("sofa", 0);
  mesh.vertices.push_back({0, std::numeric_limits<float>::infinity(), 0});
  const auto environment = Environment::create({mesh});
  ASSERT_FALSE(environment.ok());
  EXPECT_TRUE(mentions(environment.error().message, "used by no triangle"));
}

TEST(Environment, KeepsRepeatedNamesApart) {
  const auto environment = Environment::create(
      {square("chair", 0), square("chair", 1), square("chair@2", 2), square("chair", 3)});
  ASSERT_TRUE(environment.ok());
  EXPECT_EQ(names(*environment),
            (std::vector<std::string>{"chair", "chair@3", "chair@2", "chair@4"}));
  ASSERT_EQ(environment->warnings().size(), 1U);
  EXPECT_TRUE(mentions(environment->warnings()[0], "\"chair\" is now \"chair@3\""))
      << environment->warnings()[0];
}

TEST(Environment, ManyEqualNamesTakeLinearTime) {
  std::vector<ObjectMesh> meshes(200'000);
  for (ObjectMesh& mesh : meshes) mesh.name = "wall";
  const auto environment = Environment::create(std::move(meshes));
  ASSERT_TRUE(environment.ok());
  EXPECT_EQ(environment->objects().back().name, "wall@200000");
  ASSERT_EQ(environment->warnings().size(), 1U);
  EXPECT_LT(environment->warnings()[0].size(), 500U);
}

TEST(Environment, MergeKeepsPartsInOrder) {
  const Environment first = *Environment::create({square("floor", 0), square("table", 1)});
  const Environment second =
      Environment::create({square("floor", 2)})->with_warnings({"second.obj:7: something"});
  const std::vector<Environment> parts{first, Environment(), second};
  const auto merged = Environment::merge(parts);
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(names(*merged), (std::vector<std::string>{"floor", "table", "floor@2"}));
  ASSERT_EQ(merged->triangles().size(), 6U);
  EXPECT_EQ(merged->triangles()[5], (TriangleIndices{8, 10, 11}));
  EXPECT_EQ(merged->corners(5)[0], (Vec3f{0, 2, 0}));
  EXPECT_EQ(merged->object_of(4), 2U);
  EXPECT_EQ(merged->bounds()[1], (Vec3f{1, 2, 1}));
  ASSERT_EQ(merged->warnings().size(), 2U);
  EXPECT_EQ(merged->warnings()[0], "second.obj:7: something");
  EXPECT_TRUE(mentions(merged->warnings()[1], "\"floor\" is now \"floor@2\""));
  EXPECT_EQ(first.objects()[0].name, "floor");  // the parts are unharmed
}

TEST(Environment, MergeOfNothingIsEmpty) {
  const auto merged = Environment::merge({});
  EXPECT_TRUE(merged.ok());
  EXPECT_TRUE(merged->objects().empty());
}

TEST(Environment, ANewVersionLeavesTheOldOneUnharmed) {
  const Environment old = Environment::create({square("door", 0)})->with_warnings({"w"});
  std::vector<Vec3f> moved(old.vertices().begin(), old.vertices().end());
  for (Vec3f& v : moved) v.x += 5;
  const auto version = old.with_vertices(moved);
  ASSERT_TRUE(version.ok());
  EXPECT_EQ(version->objects()[0].name, "door");
  EXPECT_EQ(version->corners(0)[0], (Vec3f{5, 0, 0}));
  EXPECT_EQ(version->bounds()[0], (Vec3f{5, 0, 0}));
  EXPECT_EQ(version->bounds()[1], (Vec3f{6, 0, 1}));
  EXPECT_EQ(version->warnings().size(), 1U);
  EXPECT_EQ(old.corners(0)[0], (Vec3f{0, 0, 0}));
  // The triangles are shared, not copied.
  EXPECT_EQ(version->triangles().data(), old.triangles().data());
}

TEST(Environment, ANewVersionIsCheckedLikeTheFirst) {
  const Environment old = *Environment::create({square("floor", 0), square("door", 1)});
  EXPECT_FALSE(old.with_vertices({}).ok());
  std::vector<Vec3f> moved(old.vertices().begin(), old.vertices().end());
  moved[6].y = std::numeric_limits<float>::quiet_NaN();
  const auto version = old.with_vertices(moved);
  ASSERT_FALSE(version.ok());
  EXPECT_TRUE(mentions(version.error().message, "object \"door\", vertex 2 (used by triangle 0)"))
      << version.error().message;
}

TEST(Environment, NamesInMessagesAreMadeSafe) {
  ObjectMesh mesh = square("a\x1b[31m\"b\n" + std::string(1000, 'x'), 0);
  mesh.triangles[0][0] = 9;
  const auto environment = Environment::create({mesh});
  ASSERT_FALSE(environment.ok());
  EXPECT_TRUE(mentions(environment.error().message, R"(object "a\x1b[31m\"b\nxxx)"));
  EXPECT_LT(environment.error().message.size(), 200U);
}

}  // namespace
}  // namespace tocsin::environment_test
