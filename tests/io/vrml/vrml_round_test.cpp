// Polyhedra around round shapes: that the true shape lies inside, and how far they stick out, by
// sampling the true surface under random maps. Nothing of the code's own reasoning (support
// functions, segment counts) is used here.
#include "io/vrml/vrml_round.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace tocsin::io::vrml_round_test {
namespace {

using Shape = VrmlRound::Shape;
using Vector = Eigen::Vector3d;
using Matrix = Eigen::Matrix3d;

struct Rounded {
  std::vector<Vector> points;
  std::vector<TriangleIndices> triangles;
};

/// As it ends up in a room.
Rounded rounded(const VrmlMesh& mesh) {
  Rounded out;
  for (const Vec3& p : mesh.points) {
    out.points.emplace_back(static_cast<double>(static_cast<float>(p.x)),
                            static_cast<double>(static_cast<float>(p.y)),
                            static_cast<double>(static_cast<float>(p.z)));
  }
  out.triangles = mesh.triangles;
  return out;
}

/// How often the mesh winds around a point (van Oosterom and Strackee 1983).
double winding(const Rounded& mesh, const Vector& p) {
  double sum = 0.0;
  for (const TriangleIndices& t : mesh.triangles) {
    const Vector a = mesh.points[t[0]] - p;
    const Vector b = mesh.points[t[1]] - p;
    const Vector c = mesh.points[t[2]] - p;
    const double na = a.norm();
    const double nb = b.norm();
    const double nc = c.norm();
    sum += 2.0 * std::atan2(a.dot(b.cross(c)),
                            na * nb * nc + a.dot(b) * nc + b.dot(c) * na + c.dot(a) * nb);
  }
  return sum / (4.0 * std::numbers::pi);
}

double unit(std::mt19937& random) {
  return std::uniform_real_distribution<double>(-1.0, 1.0)(random);
}

/// A point of the unit shape's surface. A third lies on rims, tips and poles.
Vector surface_point(Shape shape, std::mt19937& random) {
  const double angle = std::numbers::pi * unit(random);
  const double x = std::cos(angle);
  const double z = std::sin(angle);
  const auto which = static_cast<int>(random() % 3);
  const double h = which == 0 ? (unit(random) < 0 ? -1.0 : 1.0) : unit(random);
  if (shape == Shape::kSphere) {
    const double r = std::sqrt(1.0 - h * h);
    return {r * x, h, r * z};
  }
  if (which == 1) {  // the caps
    const double r = std::sqrt(std::fabs(unit(random)));
    const double y = shape == Shape::kCone || unit(random) < 0 ? -1.0 : 1.0;
    return {r * x, y, r * z};
  }
  const double r = shape == Shape::kCone ? 0.5 * (1.0 - h) : 1.0;
  return {r * x, h, r * z};
}

/// The distance of a point from a segment in the half plane of a solid's section.
double segment_distance(const Eigen::Vector2d& p, const Eigen::Vector2d& a,
                        const Eigen::Vector2d& b) {
  const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (p - (a + t * (b - a))).norm();
}

/// The distance of a point outside of an ellipsoid: the foot is where the normal leads to the
/// point, (a_i p_i / (a_i^2 + t))^2 summing up to 1.
double ellipsoid_distance(const Vector& half, const Vector& p) {
  const auto foot = [&](double t) -> Vector {
    return (half.array().square() * p.array() / (half.array().square() + t)).matrix();
  };
  double low = 0.0;
  double high = half.norm() * p.norm();
  for (int i = 0; i < 200; ++i) {
    const double t = 0.5 * (low + high);
    (foot(t).cwiseQuotient(half).squaredNorm() > 1.0 ? low : high) = t;
  }
  return (p - foot(low)).norm();
}

/// The distance of a point from the upright solid of these half extents, 0 inside; the extents
/// along x and z are the same but for a sphere.
double distance(Shape shape, const Vector& half, const Vector& p) {
  if (shape == Shape::kSphere) {
    return p.cwiseQuotient(half).norm() <= 1.0 ? 0.0 : ellipsoid_distance(half, p);
  }
  const double r = std::hypot(p.x(), p.z());
  if (shape == Shape::kCylinder) {
    return std::hypot(std::max(r - half.x(), 0.0), std::max(std::fabs(p.y()) - half.y(), 0.0));
  }
  const bool above = p.y() >= -half.y();
  if (above && r <= half.x() * (half.y() - p.y()) / (2.0 * half.y())) return 0.0;
  const Eigen::Vector2d at(r, p.y());
  const Eigen::Vector2d rim(half.x(), -half.y());
  return std::min(segment_distance(at, rim, {0.0, half.y()}),
                  segment_distance(at, rim, {0.0, -half.y()}));
}

/// Every edge is passed once in each direction.
void expect_closed(const VrmlMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const TriangleIndices& t : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      ++edges[{t[i], t[(i + 1) % 3]}];
    }
  }
  for (const auto& [edge, times] : edges) {
    EXPECT_EQ(times, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1U);
  }
}

VrmlRound round_of(Shape shape, const Matrix& axes, const Vector& centre) {
  VrmlRound round;
  round.shape = shape;
  for (int i = 0; i < 3; ++i) round.axes.row[i] = {axes(i, 0), axes(i, 1), axes(i, 2)};
  round.centre = {centre.x(), centre.y(), centre.z()};
  return round;
}

/// The checks for one shape; gives the tolerance.
double check(Shape shape, const Matrix& axes, const Vector& centre, std::mt19937& random) {
  const VrmlRoundMesh mesh = contain_round(round_of(shape, axes, centre));
  expect_closed(mesh);
  EXPECT_LE(static_cast<std::int64_t>(mesh.triangles.size()), round_triangles_bound(shape));
  const Rounded room = rounded(mesh);
  // Outwards: a closed mesh wound inwards would give -1 here, an open one a fraction.
  for (int i = 0; i < 40; ++i) {
    const Vector p = axes * surface_point(shape, random) + centre;
    EXPECT_NEAR(winding(room, p), 1.0, 0.01)
        << "axes\n"
        << axes << "\ncentre " << centre.transpose() << "\npoint " << p.transpose();
  }
  for (const Vector& p : room.points) {
    EXPECT_LE((p - centre).norm(), axes.colwise().norm().sum() + mesh.tolerance);
  }
  return mesh.tolerance;
}

Matrix diagonal(double x, double y, double z) { return Vector(x, y, z).asDiagonal(); }

Matrix turn(std::mt19937& random) {
  return Eigen::Quaterniond(unit(random), unit(random), unit(random), unit(random))
      .normalized()
      .toRotationMatrix();
}

constexpr Shape kShapes[] = {Shape::kSphere, Shape::kCylinder, Shape::kCone};

TEST(VrmlRound, OrdinaryShapesStickOutByLessThanAMillimetre) {
  std::mt19937 random(1);
  for (const Shape shape : kShapes) {
    for (const double size : {1e-3, 0.02, 0.3, 1.0, 1.3}) {
      for (int i = 0; i < 4; ++i) {
        const Vector centre = 8.0 * Vector(unit(random), unit(random), unit(random));
        const double tall = size * std::exp(unit(random));
        const Matrix axes =
            turn(random) * diagonal(size, shape == Shape::kSphere ? size : tall, size);
        EXPECT_LE(check(shape, axes, centre, random), 1e-3) << size;
      }
    }
  }
}

TEST(VrmlRound, AnyMapNeverLosesAPoint) {
  std::mt19937 random(2);
  for (const Shape shape : kShapes) {
    for (int i = 0; i < 60; ++i) {
      Matrix map;
      for (int k = 0; k < 9; ++k) map(k / 3, k % 3) = unit(random) * std::pow(10.0, unit(random));
      if (i % 3 == 0) map.col(i % 2) *= std::pow(10.0, 8.0 * (unit(random) - 1.0));  // nearly flat
      if (i % 7 == 0) map.row(i % 3) *= std::pow(10.0, 8.0 * (unit(random) - 1.0));  // slanted flat
      const Vector centre = 100.0 * Vector(unit(random), unit(random), unit(random));
      check(shape, map, centre, random);
    }
  }
}

TEST(VrmlRound, MirroredShapesAreWoundOutwards) {
  std::mt19937 random(3);
  for (const Shape shape : kShapes) {
    check(shape, diagonal(-1.0, 2.0, 0.5), {1, 2, 3}, random);
    check(shape, diagonal(0.1, -0.2, 0.3), {-1, 2, 3}, random);
    check(shape, diagonal(-0.1, -0.2, -0.3), {0, 0, 0}, random);
  }
}

TEST(VrmlRound, FlatShapesBecomeThinSolids) {
  std::mt19937 random(4);
  // Carpets: a cylinder of no height, or of a tenth of a millimetre.
  EXPECT_LE(check(Shape::kCylinder, diagonal(1, 0, 1), {5, 0, 5}, random), 1e-3);
  EXPECT_LE(check(Shape::kCylinder, diagonal(1, 1e-4, 1), {5, 0, 5}, random), 1e-3);
  EXPECT_LE(check(Shape::kSphere, diagonal(1, 0, 1), {5, 0, 5}, random), 3e-3);
  EXPECT_LE(check(Shape::kCone, diagonal(1, 0, 1), {5, 0, 5}, random), 2e-3);
  for (const Shape shape : kShapes) {
    for (const Matrix& axes : {diagonal(0, 1, 1), diagonal(1, 1, 0), diagonal(0, 1, 0),
                               diagonal(1, 0, 0), diagonal(0, 0, 0), diagonal(1e-200, 1, 1)}) {
      check(shape, axes, {5, 0, 5}, random);
      check(shape, turn(random) * axes, {0, 0, 0}, random);
      check(shape, axes * turn(random), {1, 1, 1}, random);
    }
  }
}

TEST(VrmlRound, ANeedleStaysANeedleHoweverItsAxesAreRounded) {
  std::mt19937 random(7);
  Matrix needle = Matrix::Zero();
  needle.row(0) = Vector(-0.93102453284894238, 0.36437798598775933, -0.020542700915728213);
  for (const Shape shape : kShapes) {
    check(shape, needle, {1, 1, 1}, random);
    for (int i = 0; i < 50; ++i) {
      const Vector along(unit(random), unit(random), unit(random));
      const Vector by(unit(random), unit(random), unit(random));
      check(shape, along * by.transpose(), {1, 1, 1}, random);
    }
  }
}

TEST(VrmlRound, FarAndLargeShapesToo) {
  std::mt19937 random(5);
  for (const Shape shape : kShapes) {
    check(shape, diagonal(0.1, 0.1, 0.1), {9e5, -9e5, 9e5}, random);
    const double tolerance = check(shape, diagonal(1000, 1000, 1000), {10, 20, 30}, random);
    EXPECT_LT(tolerance, 1.0);  // as many segments as there may be; and it says so
    EXPECT_GT(tolerance, 1e-3);
    check(shape, diagonal(1e-9, 1e-9, 1e-9), {0, 0, 0}, random);
    check(shape, diagonal(1e-9, 1e-9, 1e-9), {1, 0, 0}, random);
  }
}

TEST(VrmlRound, NoVertexIsFurtherOutThanSaidAndOneAlmostIs) {
  std::mt19937 random(6);
  for (const Shape shape : kShapes) {
    for (const Vector& half : {Vector(0.3, 0.3, 0.3), Vector(0.2, 0.05, 0.2), Vector(0.1, 0.5, 0.1),
                               Vector(1.0, 0.03, 1.0), Vector(0.01, 1.2, 0.01)}) {
      for (const double mirror : {1.0, -1.0}) {
        const Matrix rotation = turn(random) * diagonal(mirror, 1.0, 1.0);
        const Vector centre = 5.0 * Vector(unit(random), unit(random), unit(random));
        const VrmlRoundMesh mesh =
            contain_round(round_of(shape, rotation * Matrix(half.asDiagonal()), centre));
        double furthest = 0.0;
        for (const Vector& p : rounded(mesh).points) {
          furthest = std::max(furthest, distance(shape, half, rotation.transpose() * (p - centre)));
        }
        EXPECT_LE(furthest, mesh.tolerance) << half.transpose();
        EXPECT_LE(mesh.tolerance, 1e-3) << half.transpose();
        // A bound that is not idle: for spheres, that of the longest axis stands for all.
        EXPECT_GE(furthest, 0.3 * mesh.tolerance) << half.transpose();
      }
    }
  }
}

TEST(VrmlRound, PartsThatAreNotAskedForAreLeftOut) {
  VrmlRound round = round_of(Shape::kCylinder, diagonal(1, 1, 1), {0, 0, 0});
  const std::size_t all = contain_round(round).triangles.size();
  round.top = false;
  const std::size_t without_top = contain_round(round).triangles.size();
  EXPECT_EQ(without_top, all / 4 * 3);  // n above, n below, 2 n around
  round.bottom = false;
  const VrmlRoundMesh tube = contain_round(round);
  EXPECT_EQ(tube.triangles.size(), all / 2);
  for (const TriangleIndices& t : tube.triangles) {
    const auto [low, high] =
        std::minmax({tube.points[t[0]].y, tube.points[t[1]].y, tube.points[t[2]].y});
    EXPECT_LT(low, -0.99);  // from rim to rim: no cap's
    EXPECT_GT(high, 0.99);
  }
  round.side = false;
  EXPECT_TRUE(contain_round(round).triangles.empty());
  round.shape = Shape::kCone;
  round.bottom = true;
  const std::size_t base = contain_round(round).triangles.size();
  round.side = true;
  EXPECT_EQ(contain_round(round).triangles.size(), 2 * base);
}

TEST(VrmlRound, WhatIsNotKeptIsCountedToo) {
  // The work limit of a file counts it: a file may ask for any number of such shapes.
  VrmlRound round = round_of(Shape::kCylinder, diagonal(40, 1, 40), {0, 0, 0});
  const std::size_t all = contain_round(round).triangles.size();
  round.side = round.top = round.bottom = false;
  EXPECT_GE(contain_round(round).tried, all);
  // Flat along a slant: every attempt fails, and a box comes out.
  const Matrix along(Eigen::AngleAxisd(0.7, Vector(1.0, 1.0, 0.3).normalized()));
  const Matrix flat = along * diagonal(40.0, 1e-12, 1.0) * along.transpose();
  const VrmlRoundMesh box = contain_round(round_of(Shape::kSphere, flat, {0, 0, 0}));
  EXPECT_EQ(box.triangles.size(), 12U);
  EXPECT_GT(box.tried, static_cast<std::uint64_t>(round_triangles_bound(Shape::kSphere)));
}

}  // namespace
}  // namespace tocsin::io::vrml_round_test
