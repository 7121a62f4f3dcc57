// Small rooms for pictures.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tocsin/environment.h"

namespace tocsin::test {

/// A closed box.
inline ObjectMesh box(std::string name, const Vec3f& lo, const Vec3f& hi) {
  ObjectMesh out;
  out.name = std::move(name);
  for (int i = 0; i < 8; ++i) {
    out.vertices.push_back(
        {(i & 4) != 0 ? hi.x : lo.x, (i & 2) != 0 ? hi.y : lo.y, (i & 1) != 0 ? hi.z : lo.z});
  }
  out.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                   {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  return out;
}

inline Environment room_of(std::vector<ObjectMesh> objects) {
  auto room = Environment::create(std::move(objects));
  EXPECT_TRUE(room.ok()) << room.error().message;
  return std::move(room).value();
}

}  // namespace tocsin::test
