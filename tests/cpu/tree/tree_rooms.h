// What the tests of trees and cullers share.
#pragma once

#include <cstdint>

#include "core/bounds/box.h"
#include "tocsin/environment.h"

namespace tocsin::test {

inline core::Box box_of(const Environment& room, std::uint32_t triangle) {
  const auto v = room.corners(triangle);
  return core::join(core::box_of(v[0]), core::join(core::box_of(v[1]), core::box_of(v[2])));
}

inline bool any_triangle(std::uint32_t) { return true; }

/// A room of rooms' worst: one triangle many times, triangles of no area, and very large ones.
inline Environment awkward_room() {
  ObjectMesh mesh;
  mesh.name = "awkward";
  mesh.vertices = {{0, 0, 0},     {1, 0, 0},    {0, 1, 0},    {0.5F, 0.5F, 0.5F},
                   {-50, 0, -50}, {50, 0, -50}, {0, 0.1F, 60}};
  mesh.triangles.assign(40, {0, 1, 2});
  for (std::uint32_t i = 0; i < 4; ++i) mesh.triangles.push_back({3, 3, 3});
  mesh.triangles.push_back({0, 3, 3});
  for (std::uint32_t i = 0; i < 3; ++i) mesh.triangles.push_back({4, 5, 6});
  return Environment::create({mesh}).value();
}

}  // namespace tocsin::test
