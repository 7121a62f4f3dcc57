// Shapes as Shape makes them: what is refused, what placing does, and what a tree and a capsule
// hold.
#include "tocsin/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "core/vector/vec.h"
#include "scene/shape/shape_data.h"
#include "tocsin/avatar.h"

namespace tocsin::shape_test {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::string fault_of(const Result<Shape>& shape) {
  return shape.ok() ? std::string() : shape.error().message;
}

bool begins(const std::string& text, const std::string& with) {
  return text.compare(0, with.size(), with) == 0;
}

TEST(Shape, RefusesWhatMakesNoSense) {
  const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const auto mesh = [&](std::vector<TriangleIndices> triangles, double radius = 0.0) {
    return fault_of(Shape::mesh(corners, std::move(triangles), radius));
  };
  EXPECT_EQ(mesh({{0, 1, 2}}), "");
  EXPECT_EQ(mesh({}), "a shape needs at least one triangle");
  EXPECT_TRUE(begins(mesh({{0, 1, 2}, {0, 1, 3}}), "triangle 1 of a shape names corner 3, but"));
  for (const double radius : {-1e-9, 1.1e6, kInfinite, std::nan("")}) {
    EXPECT_TRUE(begins(mesh({{0, 1, 2}}, radius), "a shape's radius must be between")) << radius;
  }
  EXPECT_TRUE(begins(fault_of(Shape::mesh({{0, 0, 0}, {0, 2e6, 0}}, {{0, 1, 1}})),
                     "corner 1 of a shape must be finite"));
  // Corners that no triangle uses do not count.
  const auto unused =
      Shape::mesh({{0, std::nan(""), 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{3, 1, 2}});
  ASSERT_TRUE(unused.ok());
  EXPECT_EQ(unused->corners().size(), 3U);
  EXPECT_EQ(unused->features()[0], (TriangleIndices{2, 0, 1}));
}

TEST(Shape, IsPlacedByUnitRotationsAndScalesThatAreNot0) {
  const Shape triangle = Shape::mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, 0.5).value();
  const auto at = [&](const ShapePlacement& where) { return triangle.placed(where); };
  EXPECT_TRUE(at({{}, {1.0009, 0, 0, 0}, {1, 1, 1}}).ok());
  EXPECT_TRUE(begins(fault_of(at({{}, {1.002, 0, 0, 0}, {1, 1, 1}})), "a shape's rotation"));
  EXPECT_EQ(fault_of(at({{}, {}, {1, 0, 1}})), "a shape's scale must not be 0");
  EXPECT_FALSE(at({{kInfinite, 0, 0}, {}, {1, 1, 1}}).ok());
  // A mirrored surface faces outwards again; the radius stays.
  const Shape mirrored = at({{}, {}, {1, -1, 1}}).value();
  EXPECT_EQ(mirrored.features()[0], (TriangleIndices{0, 2, 1}));
  EXPECT_EQ(mirrored.corners()[2], (Vec3{0, -1, 0}));
  EXPECT_EQ(mirrored.radius(), 0.5);
  EXPECT_EQ(at({{}, {}, {-1, -1, 1}}).value().features()[0], (TriangleIndices{0, 1, 2}));
  EXPECT_FALSE(Shape::sphere({}, 1.0).value().placed({{}, {}, {2, 2, 2}}).ok());
}

/// Six times the volume within the triangles, outward ones counted positive.
double volume_of(const Shape& shape) {
  double out = 0.0;
  const auto c = shape.corners();
  for (const auto& [i, j, k] : shape.features()) out += core::dot(c[i], core::cross(c[j], c[k]));
  return out;
}

TEST(Shape, SurfacesFaceOutwards) {
  EXPECT_NEAR(volume_of(Shape::box({1, 2, 3}).value()), 6.0 * 48.0, 1e-12);
  const double cylinder = volume_of(Shape::cylinder(1.0, 2.0, 0.001).value()) / 6.0;
  EXPECT_GE(cylinder, 2.0 * 3.14159265);
  EXPECT_LE(cylinder, 2.0 * 3.1416 * 1.002);
  const double cone = volume_of(Shape::cone(1.0, 3.0, 0.001).value()) / 6.0;
  EXPECT_GE(cone, 3.14159265);
  EXPECT_LE(cone, 3.1416 * 1.002);
}

/// Triangles of all sizes, some of no area, some far from the origin.
Shape random_shape(std::mt19937_64& engine, double away) {
  const auto draw = [&](double size) {
    return size * (2.0 * static_cast<double>(engine() >> 11) * 0x1p-53 - 1.0);
  };
  const auto vector = [&](double size) {
    const double x = draw(size);
    const double y = draw(size);
    return Vec3{x, y, draw(size)};
  };
  std::vector<Vec3> corners;
  std::vector<TriangleIndices> triangles;
  const Vec3 middle = vector(away);
  for (std::uint32_t i = 0; i < 60; ++i) {
    const Vec3 at = middle + vector(1.0);
    const double size = i % 7 == 0 ? 0.0 : 0.3;
    for (int k = 0; k < 3; ++k) corners.push_back(at + vector(size));
    triangles.push_back({3 * i, 3 * i + 1, i % 5 == 0 ? 3 * i + 1 : 3 * i + 2});
  }
  return Shape::mesh(std::move(corners), std::move(triangles), 0.125).value();
}

TEST(Shape, EveryNodesBoxHoldsWhatIsBelowIt) {
  std::mt19937_64 engine(71);
  for (int round = 0; round < 20; ++round) {
    const Shape shape = random_shape(engine, round % 2 == 0 ? 0.0 : 100.0);
    const tocsin::detail::ShapeData& data = scene::data_of(shape);
    std::vector<int> seen(data.features.size(), 0);
    const std::function<void(std::size_t, std::vector<std::uint32_t>&)> visit =
        [&](std::size_t node, std::vector<std::uint32_t>& below) {
          const scene::ShapeNode& n = data.nodes[node];
          if (n.child < 0) {
            below.push_back(n.feature);
            ++seen[n.feature];
          } else {
            const auto child = static_cast<std::size_t>(n.child);
            visit(child, below);
            std::vector<std::uint32_t> second;
            visit(child + 1, second);
            below.insert(below.end(), second.begin(), second.end());
          }
          EXPECT_EQ(n.feature, *std::min_element(below.begin(), below.end()));
          for (const std::uint32_t f : below) {
            for (const std::uint32_t corner : data.features[f]) {
              const Vec3 d = data.corners[corner] - n.box.center;
              for (int i = 0; i < 3; ++i) {
                ASSERT_LE(std::fabs(core::dot(d, n.box.axis[i])), n.box.half[i]);
              }
              ASSERT_LE(core::norm(data.corners[corner]), n.box.reach);
            }
          }
        };
    std::vector<std::uint32_t> all;
    visit(0, all);
    EXPECT_EQ(seen, std::vector<int>(data.features.size(), 1));
    double longest = 0.0;
    double reach = 0.0;
    for (const auto& [i, j, k] : data.features) {
      const auto c = shape.corners();
      longest = std::max(
          {longest, core::norm(c[i] - c[j]), core::norm(c[j] - c[k]), core::norm(c[k] - c[i])});
      for (const std::uint32_t at : {i, j, k}) reach = std::max(reach, core::norm(c[at]));
    }
    EXPECT_EQ(data.longest, longest);
    EXPECT_EQ(data.reach, reach);
  }
}

TEST(Shape, ALinksCapsuleHoldsItsShape) {
  std::mt19937_64 engine(72);
  for (int round = 0; round < 50; ++round) {
    const Link link = link_of_shape("link", 0, random_shape(engine, round % 2 == 0 ? 0.0 : 10.0));
    const Vec3 d = link.b - link.a;
    for (const Vec3& p : link.shape.corners()) {
      const double dd = core::dot(d, d);
      const double s = dd > 0.0 ? std::clamp(core::dot(p - link.a, d) / dd, 0.0, 1.0) : 0.0;
      EXPECT_LE(core::norm(p - (link.a + s * d)) + link.shape.radius(), link.radius);
    }
  }
  // A point has a capsule, too.
  EXPECT_GE(link_of_shape("p", 0, Shape::mesh({{1, 0, 0}}, {{0, 0, 0}}).value()).radius, 1e-6);
}

TEST(Shape, PartsThatHangTogetherAreOneComponent) {
  const auto components = [](std::vector<Vec3> corners, std::vector<TriangleIndices> triangles) {
    const Shape shape = Shape::mesh(std::move(corners), std::move(triangles)).value();
    return scene::data_of(shape).components;
  };
  const std::vector<Vec3> row{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}, {5, 0, 0}};
  // By the third corner of one, which is the first of the other.
  EXPECT_EQ(components(row, {{3, 4, 5}, {0, 1, 3}}), (std::vector<Vec3>{{3, 0, 0}}));
  EXPECT_EQ(components(row, {{2, 4, 5}, {1, 0, 3}}), (std::vector<Vec3>{{2, 0, 0}, {1, 0, 0}}));
  // By corners at one place.
  EXPECT_EQ(components({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}, {4, 0, 0}, {5, 0, 0}},
                       {{0, 1, 2}, {3, 4, 5}}),
            (std::vector<Vec3>{{0, 0, 0}}));
}

}  // namespace
}  // namespace tocsin::shape_test
