// Rooms and slabs for tests of visibility, and who truly touches whom: triangles clipped against a
// skin's half-spaces in long double.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/bounds/box.h"
#include "gpu/gl/visibility/visibility.h"
#include "scene/swept/slab.h"
#include "scene/tree/clusters.h"
#include "scene/tree/kdop_tree.h"
#include "support/scenes/random_link.h"
#include "tocsin/environment.h"

namespace tocsin::test {

struct VisibilityScene {
  Environment environment;
  scene::Clusters clusters;
  gl::VisibilityBatch batch;
  std::vector<std::vector<scene::SlabSkin::HalfSpace>> solids;  ///< of each slab, about its origin
};

inline scene::Clusters clusters_of(const Environment& environment) {
  return {scene::RoomTree(environment), environment};
}

/// A hilly floor of 6 m x 6 m and two wavy walls, of 5 to 10 cm triangles.
inline Environment wavy_room(double phase = 0.0) {
  std::vector<ObjectMesh> objects;
  for (const char* name : {"floor", "wall", "other wall"}) {
    ObjectMesh mesh;
    mesh.name = name;
    constexpr std::uint32_t kSide = 72;
    for (std::uint32_t i = 0; i <= kSide; ++i) {
      for (std::uint32_t j = 0; j <= kSide; ++j) {
        const double s = 6.0 * i / kSide - 3.0;
        const double t = 6.0 * j / kSide - 3.0;
        const double wave = 0.2 * std::sin(2 * s + phase) + 0.15 * std::cos(3 * t + 0.5 * phase);
        const Vec3 p = objects.empty()       ? Vec3{s, wave, t}
                       : objects.size() == 1 ? Vec3{wave + 1, s + 2, t}
                                             : Vec3{s, t + 2, wave - 1 + 0.2 * s};
        mesh.vertices.push_back(
            {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
      }
    }
    for (std::uint32_t i = 0; i < kSide; ++i) {
      for (std::uint32_t j = 0; j < kSide; ++j) {
        const std::uint32_t a = i * (kSide + 1) + j;
        mesh.triangles.push_back({a, a + kSide + 1, a + 1});
        mesh.triangles.push_back({a + 1, a + kSide + 1, a + kSide + 2});
      }
    }
    objects.push_back(std::move(mesh));
  }
  return Environment::create(std::move(objects)).value();
}

/// Adds a slab and a pair for every cluster whose box it meets.
inline void add_slab(VisibilityScene& scene, const scene::Slab& slab) {
  scene::SlabSkin skin;
  skin.set(slab);
  const auto index = static_cast<std::uint32_t>(scene.batch.slabs.size());
  scene.batch.slabs.push_back(
      {.origin = skin.origin(),
       .half = skin.half(),
       .first_triangle = static_cast<std::uint32_t>(scene.batch.skin.size()),
       .triangle_count = static_cast<std::uint32_t>(skin.triangles().size())});
  scene.batch.skin.insert(scene.batch.skin.end(), skin.triangles().begin(), skin.triangles().end());
  scene.solids.emplace_back(skin.half_spaces().begin(), skin.half_spaces().end());
  const Vec3 origin = core::to_double(skin.origin());
  const Vec3 half = core::to_double(skin.half());
  const core::Box box = core::grown_box(origin - half, origin + half, 0.0);
  scene.clusters.for_each_overlapping(box, [&](std::uint32_t cluster) {
    scene.batch.pairs.push_back({.slab = index, .cluster = cluster});
  });
}

/// A link of 20 to 40 cm that moves by a few centimetres.
inline scene::Slab random_slab(RandomLinks& random) {
  scene::Slab out;
  const Vec3 at{random.uniform(-2, 2), random.uniform(-0.5, 3), random.uniform(-2, 2)};
  out.from.a = at;
  out.from.b = at + random.vector(0.2, 0.4);
  out.to.a = out.from.a + random.vector(0, 0.1);
  out.to.b = out.from.b + random.vector(0, 0.1);
  out.grow_a = random.uniform(0.02, 0.08);
  out.grow_b = random.uniform(0.02, 0.08);
  return out;
}

inline VisibilityScene wavy_scene(std::uint64_t seed, int slabs) {
  VisibilityScene out;
  out.environment = wavy_room();
  out.clusters = clusters_of(out.environment);
  RandomLinks random(seed);
  for (int i = 0; i < slabs; ++i) add_slab(out, random_slab(random));
  return out;
}

/// True if a triangle of the cluster meets the slab's solid, its faces moved out by `grow` metres.
inline bool touches(const VisibilityScene& scene, const gl::VisibilityPair& pair, double grow) {
  using Point = std::array<long double, 3>;
  const scene::Cluster& cluster = scene.clusters.clusters()[pair.cluster];
  const Vec3f& origin = scene.batch.slabs[pair.slab].origin;
  for (std::uint32_t i = 0; i < cluster.count; ++i) {
    std::vector<Point> polygon;
    for (const Vec3f& p :
         scene.environment.corners(scene.clusters.triangles()[cluster.first + i])) {
      polygon.push_back({static_cast<long double>(p.x) - static_cast<long double>(origin.x),
                         static_cast<long double>(p.y) - static_cast<long double>(origin.y),
                         static_cast<long double>(p.z) - static_cast<long double>(origin.z)});
    }
    for (const scene::SlabSkin::HalfSpace& face : scene.solids[pair.slab]) {
      const auto inside = [&](const Point& p) -> long double {
        const long double along = face.n.x * p[0] + face.n.y * p[1] + face.n.z * p[2];
        return face.d + grow * core::norm(face.n) - along;
      };
      std::vector<Point> kept;
      for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Point& p = polygon[k];
        const Point& q = polygon[(k + 1) % polygon.size()];
        const long double from = inside(p);
        const long double to = inside(q);
        if (from >= 0) kept.push_back(p);
        if ((from > 0 && to < 0) || (from < 0 && to > 0)) {
          const long double t = from / (from - to);
          kept.push_back(
              {p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])});
        }
      }
      polygon = std::move(kept);
      if (polygon.empty()) break;
    }
    if (!polygon.empty()) return true;
  }
  return false;
}

}  // namespace tocsin::test
