// The room that the trees in tests/fuzz/corpus/tree are made for.
#pragma once

#include <cstdint>
#include <utility>

#include "tocsin/environment.h"

namespace tocsin::test {

/// Eleven triangles; every coordinate is a small whole number, the same on every machine.
inline Environment tree_seed_room() {
  ObjectMesh mesh;
  mesh.name = "seed";
  for (std::uint32_t i = 0; i < 33; ++i) {
    const auto part = [&](std::uint32_t factor) {
      return static_cast<float>(i * factor % 17U) - 8.0F;
    };
    mesh.vertices.push_back({part(5), part(7), part(11)});
    if (i % 3 == 2) mesh.triangles.push_back({i - 2, i - 1, i});
  }
  return *Environment::create({std::move(mesh)});
}

}  // namespace tocsin::test
