// Rooms on which a tree's builder could fail to end, go deep, or lose a triangle.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/scenes/random_link.h"
#include "support/scenes/random_scene.h"
#include "tocsin/environment.h"

namespace tocsin::test {

struct AwkwardRoom {
  std::string name;
  Environment room;
};

/// `count` triangles near the origin: corners as `corners(i)` says.
template <class Corners>
Environment room_of(std::size_t count, const Corners& corners) {
  ObjectMesh mesh;
  mesh.name = "all";
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (const Vec3f& p : corners(i)) mesh.vertices.push_back(p);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return *Environment::create({std::move(mesh)});
}

/// Made of `count` triangles each.
inline std::vector<AwkwardRoom> awkward_rooms(std::size_t count) {
  using Corners = std::array<Vec3f, 3>;
  constexpr float kFar = 1e6F;  // as far as an environment reaches
  const auto real = [](std::size_t i) { return static_cast<float>(i); };
  std::vector<AwkwardRoom> out;
  const auto add = [&](std::string name, const auto& corners) {
    out.push_back({std::move(name), room_of(count, corners)});
  };
  add("copies of one triangle", [](std::size_t) {
    return Corners{Vec3f{1, 2, 3}, Vec3f{2, 2, 3}, Vec3f{1, 3, 4}};
  });
  add("one point", [](std::size_t) { return Corners{}; });
  add("one centre, many sizes", [&](std::size_t i) {
    const float s = 1e-3F * real(i + 1);
    return Corners{Vec3f{-s, -s, -s}, Vec3f{s, s, s}, Vec3f{-s, s, -s}};
  });
  add("halving towards the origin", [&](std::size_t i) {
    const float s = std::ldexp(kFar, -static_cast<int>(i % 160));  // down to denormal floats
    return Corners{Vec3f{s, 0, 0}, Vec3f{0.75F * s, 0, 0}, Vec3f{s, 0.25F * s, 0}};
  });
  add("corners of the space", [&](std::size_t i) {
    const auto at = [&](std::size_t bit) { return ((i >> bit) & 1U) != 0 ? kFar : -kFar; };
    return Corners{Vec3f{at(0), at(1), at(2)}, Vec3f{at(1), at(2), at(3)},
                   Vec3f{at(2), at(3), at(4)}};
  });
  add("slivers across the space", [&](std::size_t i) {
    const float y = 1e-2F * real(i);
    return Corners{Vec3f{-kFar, y, 0}, Vec3f{kFar, y, 0}, Vec3f{kFar, y, 1e-3F}};
  });
  add("one far away", [&](std::size_t i) {
    const float s = i == count / 2 ? kFar : 1e-3F * real(i % 10);
    return Corners{Vec3f{s, s, s}, Vec3f{s, s, 0}, Vec3f{0, s, s}};
  });
  add("a pile of copies beside a room", [&](std::size_t i) {
    const float s = i % 2 == 0 ? 0.0F : 1e-2F * real(i);
    return Corners{Vec3f{s, 0, 0}, Vec3f{s, 1, 0}, Vec3f{s, 0, 1}};
  });
  add("pieces of a line", [&](std::size_t i) {
    const float s = 1e-2F * real(i);
    return Corners{Vec3f{s, 1, 2}, Vec3f{s + 0.1F, 1, 2}, Vec3f{s, 1, 2}};
  });
  add("neighbouring floats", [&](std::size_t i) {
    float x = 1e6F - 1.0F;
    for (std::size_t n = i % 5; n > 0; --n) x = std::nextafter(x, 0.0F);
    return Corners{Vec3f{x, x, x}, Vec3f{x, x, x}, Vec3f{x, x, x}};
  });
  return out;
}

/// `count` triangles in a ball of 4 m.
inline Environment cloud(std::size_t count, std::uint64_t seed) {
  RandomLinks random(seed);
  return random_room(random, 1, static_cast<int>(count), 4.0);
}

}  // namespace tocsin::test
