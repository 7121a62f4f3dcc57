// Every k and every number of children a node that a tree can have.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "core/bounds/box.h"
#include "cpu/tree/make_tree_culler.h"
#include "tocsin/environment.h"

namespace tocsin::test {

/// Calls body(choice) for each.
template <class Body>
void for_every_tree(const Body& body) {
  for (const int k : {6, 14, 18, 26}) {
    for (const int width : {2, 4, 8}) {
      SCOPED_TRACE(testing::Message() << k << "-DOPs, " << width << " children");
      cpu::TreeChoice choice;
      choice.k = k;
      choice.width = width;
      body(choice);
    }
  }
}

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
