// Links that begin exactly at their radius from a floor, where neither touch nor freedom can be
// proved.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::test {

/// Metres; exact in binary, like all heights here.
inline constexpr double kGrazeRadius = 0.0625;

inline Quat about(const Vec3& axis, double degrees) {
  const double half = degrees * std::numbers::pi / 360.0;
  return {std::cos(half), std::sin(half) * axis.x, std::sin(half) * axis.y,
          std::sin(half) * axis.z};
}

/// Large triangles at these heights, metres; each an object of its own, or all one.
inline Environment floors(const std::vector<float>& heights, bool one_object) {
  std::vector<ObjectMesh> out;
  for (const float y : heights) {
    if (out.empty() || !one_object) out.push_back({"floor" + std::to_string(out.size()), {}, {}});
    ObjectMesh& mesh = out.back();
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const Vec3f& v : {Vec3f{-8, y, -8}, Vec3f{8, y, -8}, Vec3f{0, y, 16}}) {
      mesh.vertices.push_back(v);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return Environment::create(std::move(out)).value();
}

/// A link from its joint to `length` metres along x, on two joints at one place at `height`.
struct Bar {
  Avatar avatar;
  Motion motion;
};
inline Bar bar(double length, const std::array<std::array<Quat, 2>, 2>& turns,
               const std::array<Vec3, 2>& places) {
  std::vector<Joint> joints(2);
  joints[0].name = "j0";
  joints[1].name = "j1";
  joints[1].parent = 0;
  const Skeleton skeleton = Skeleton::create(joints).value();
  std::vector<Transform> poses;
  for (std::size_t f = 0; f < 2; ++f) {
    poses.push_back({turns[f][0], places[f]});
    poses.push_back({turns[f][1], {}});
  }
  return {Avatar::create("bar", skeleton, {{"bar", 1, {}, {length, 0, 0}, kGrazeRadius}}).value(),
          Motion::create(skeleton, 1.0, poses).value()};
}

inline constexpr Vec3 kZ{0, 0, 1};

/// From 5 degrees above the floor down through it to the other side: 5 - 200 t degrees.
inline Bar deep_bar() {
  return bar(0.5, {{{about(kZ, 5), about(kZ, 0)}, {about(kZ, -95), about(kZ, -100)}}},
             {Vec3{0, kGrazeRadius, 0}, Vec3{0, kGrazeRadius, 0}});
}

/// A ball that rests on the floor and rises to a table: radius + t + radius = 0.625 at t = 0.5.
inline Bar rising_ball() {
  return bar(0.0, {{{about(kZ, 0), about(kZ, 0)}, {about(kZ, 0), about(kZ, 0)}}},
             {Vec3{0, kGrazeRadius, 0}, Vec3{0, kGrazeRadius + 1.0, 0}});
}

}  // namespace tocsin::test
