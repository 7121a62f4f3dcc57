// Every k that a tree on a device can have, and rooms that are hard to build trees of.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cpu/tree/tree_rooms.h"
#include "support/scenes/random_scene.h"
#include "tocsin/tocsin.h"

namespace tocsin::test {

/// Calls body.operator()<K>() for each.
template <class Body>
void for_every_k(const Body& body) {
  const auto with = [&]<int K>() {
    SCOPED_TRACE(testing::Message() << K << "-DOPs");
    body.template operator()<K>();
  };
  with.template operator()<6>();
  with.template operator()<14>();
  with.template operator()<18>();
  with.template operator()<26>();
}

/// One triangle a point, 1 cm long; centroids that are no multiples of anything.
inline Environment triangles_at(const std::vector<Vec3f>& points) {
  ObjectMesh mesh;
  mesh.name = "points";
  for (const Vec3f& p : points) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(p);
    mesh.vertices.push_back({p.x + 0.01F, p.y, p.z});
    mesh.vertices.push_back({p.x, p.y + 0.01F, p.z});
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return Environment::create({mesh}).value();
}

struct NamedRoom {
  std::string name;
  Environment room;
};

/// Few triangles, equal codes, points, far corners, a tree as deep as 2^-n makes it.
inline std::vector<NamedRoom> hard_rooms() {
  std::vector<NamedRoom> out;
  for (std::size_t n = 0; n <= 5; ++n) {
    out.push_back({std::to_string(n) + " triangles", random_cloud(static_cast<int>(n), n + 1)});
  }
  out.push_back({"awkward", awkward_room()});
  out.push_back({"one place", triangles_at(std::vector<Vec3f>(3000, {1.5F, -0.25F, 7.0F}))});
  ObjectMesh point;
  point.name = "point";
  point.vertices = {{3.0F, 2.0F, 1.0F}};
  point.triangles.assign(1000, {0, 0, 0});
  out.push_back({"one point", Environment::create({point}).value()});
  std::vector<Vec3f> far{{1e6F, 0, 0}, {-1e6F, 9e5F, 1e6F}, {0, -1e6F, -1e6F}};
  far.resize(500, {0.5F, 0.5F, 0.5F});
  out.push_back({"far corners", triangles_at(far)});
  std::vector<Vec3f> deep;
  for (int i = 0; i < 24; ++i) {
    const auto x = static_cast<float>(std::ldexp(1e5, -i));
    deep.insert(deep.end(), {{x, 0, 0}, {0, x, 0}, {0, 0, x}});
  }
  deep.resize(deep.size() + 5000, {0, 0, 0});
  out.push_back({"deep", triangles_at(deep)});
  std::vector<Vec3f> lattice;
  lattice.reserve(4096);
  for (int i = 0; i < 4096; ++i) {
    lattice.push_back({static_cast<float>(i % 8), static_cast<float>(i / 8 % 8), 0.0F});
  }
  out.push_back({"lattice", triangles_at(lattice)});
  return out;
}

}  // namespace tocsin::test
