#include "selftest/scenes/moving_meshes.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

#include "core/vector/vec.h"

namespace tocsin::selftest {

namespace {

constexpr double kHalfTurn = 3.14159265358979323846;  // radians

Quat about(const Vec3& axis, double angle) {
  const double s = std::sin(0.5 * angle) / core::norm(axis);
  return {std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z};
}

/// A ball of rings of corners: `at` gives the corner of a direction.
template <class At>
Shape ball_of(int rings, int around, const At& at) {
  std::vector<Vec3> corners{at(0.0, 0.0), at(kHalfTurn, 0.0)};
  for (int i = 1; i < rings; ++i) {
    for (int j = 0; j < around; ++j)
      corners.push_back(at(kHalfTurn * i / rings, 2 * kHalfTurn * j / around));
  }
  const auto index = [&](int i, int j) {
    return static_cast<std::uint32_t>(2 + (i - 1) * around + j % around);
  };
  std::vector<TriangleIndices> triangles;
  for (int j = 0; j < around; ++j) {
    triangles.push_back({0, index(1, j + 1), index(1, j)});
    for (int i = 1; i + 1 < rings; ++i) {
      triangles.push_back({index(i, j), index(i, j + 1), index(i + 1, j)});
      triangles.push_back({index(i, j + 1), index(i + 1, j + 1), index(i + 1, j)});
    }
    triangles.push_back({1, index(rings - 1, j), index(rings - 1, j + 1)});
  }
  return Shape::mesh(std::move(corners), std::move(triangles)).value();
}

}  // namespace

Shape wavy_ball(const WavyBall& ball) {
  return ball_of(ball.rings, ball.around, [&](double polar, double turn) {
    const double r =
        ball.size * (1.0 + ball.waves * std::sin(5 * polar) * std::sin(polar) * std::sin(4 * turn));
    return Vec3{r * std::sin(polar) * std::cos(turn), r * std::cos(polar),
                r * std::sin(polar) * std::sin(turn)};
  });
}

Shape capsule_mesh(const Vec3& a, const Vec3& b, double radius, int triangles) {
  const int around = std::max(3, static_cast<int>(std::sqrt(0.5 * triangles)));
  const int rings = std::max(2, triangles / (2 * around) + 1);
  const Vec3 axis = b - a;
  const double length = core::norm(axis);
  const Vec3 y = length > 0 ? (1.0 / length) * axis : Vec3{0, 1, 0};
  const Vec3 away = std::fabs(y.x) < 0.8 ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
  const Vec3 beside = core::cross(y, away);
  const Vec3 x = (1.0 / core::norm(beside)) * beside;
  const Vec3 z = core::cross(x, y);
  return ball_of(rings, around, [&](double polar, double turn) {
    const Vec3 middle = polar < 0.5 * kHalfTurn ? b : a;
    return middle + radius * std::cos(polar) * y +
           radius * std::sin(polar) * (std::cos(turn) * x + std::sin(turn) * z);
  });
}

Avatar meshed(const Avatar& avatar, int triangles) {
  std::vector<Link> links;
  for (const Link& l : avatar.links()) {
    links.push_back(link_of_shape(l.name, l.joint, capsule_mesh(l.a, l.b, l.radius, triangles)));
  }
  return Avatar::create("meshed", avatar.skeleton(), std::move(links)).value();
}

MeshScene scene_of(const std::vector<MeshBody>& bodies, InBetween in_between) {
  const Skeleton skeleton = Skeleton::create({{"body", -1, {}}}).value();
  MeshScene out;
  out.steps.resize(bodies.front().poses.size() - 1);
  for (const MeshBody& body : bodies) {
    const Link link = link_of_shape("body", 0, body.shape);
    out.members.push_back({Avatar::create("body", skeleton, {link}).value(), {}, {}});
    const StepList steps = Motion::create(skeleton, 1.0 / 60, body.poses)
                               .value()
                               .steps({.in_between = in_between})
                               .value();
    for (std::size_t i = 0; i < out.steps.size(); ++i) out.steps[i].push_back(steps[i]);
  }
  return out;
}

MeshScene two_bodies(const TwoBodies& how) {
  std::vector<Transform> still;
  std::vector<Transform> passing;
  const double turn = how.degrees * kHalfTurn / 180;
  for (std::size_t i = 0; i <= how.steps; ++i) {
    const auto t = static_cast<double>(i);
    const double middle = 0.5 * (how.nearest + how.farthest);
    const double distance = middle + (how.farthest - middle) * std::cos(0.21 * t);
    const double way = 0.05 * t;
    still.push_back({about({1, 2, 3}, turn * t), {}});
    passing.push_back({about({-2, 1, 1}, 0.8 * turn * t),
                       {distance * std::cos(way), 0.3 * distance * std::sin(0.37 * way),
                        distance * std::sin(way)}});
  }
  return scene_of({{how.shape, std::move(still)}, {how.shape, std::move(passing)}}, how.in_between);
}

MeshScene many_bodies(std::size_t count, double density, std::size_t steps) {
  constexpr double kSize = 0.5;
  const Shape shape = wavy_ball({6, 10, kSize, 0.0});  // 100 triangles
  const double volume = 4.0 / 3.0 * kHalfTurn * kSize * kSize * kSize;
  const double side = std::cbrt(static_cast<double>(count) * volume / density);
  std::mt19937_64 engine(11);
  const auto draw = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1p-53;
  };
  const auto vector = [&](double size) {
    const double x = draw(-size, size);
    const double y = draw(-size, size);
    return Vec3{x, y, draw(-size, size)};
  };
  std::vector<MeshBody> bodies;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3 from = vector(0.5 * side);
    const Vec3 speed = vector(0.05);
    const Vec3 axis = vector(1.0) + Vec3{0, 0, 2};
    std::vector<Transform> poses;
    for (std::size_t i = 0; i <= steps; ++i) {
      const auto t = static_cast<double>(i);
      poses.push_back({about(axis, 0.1 * t), from + t * speed});
    }
    bodies.push_back({shape, std::move(poses)});
  }
  return scene_of(bodies);
}

}  // namespace tocsin::selftest
