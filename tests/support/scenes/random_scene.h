// Random small rooms, skeletons and takes, for tests of whole steps. Fixed seeds only.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/scenes/random_link.h"
#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::test {

/// `objects` clouds of `triangles` triangles each, inside a ball of `size` metres about the origin.
inline Environment random_room(RandomLinks& random, int objects, int triangles, double size) {
  std::vector<ObjectMesh> meshes;
  for (int o = 0; o < objects; ++o) {
    ObjectMesh mesh;
    mesh.name = "object" + std::to_string(o);
    const Vec3 centre = random.vector(0, size);
    for (int t = 0; t < triangles; ++t) {
      const Vec3 at = centre + random.vector(0, 0.3 * size);
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      const double edge = random.uniform(0.01, t % 5 == 0 ? 1.0 : 0.2);
      for (int k = 0; k < 3; ++k) {
        const Vec3 p = at + random.vector(0, edge);
        mesh.vertices.push_back(
            {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
      }
      mesh.triangles.push_back({first, first + 1, first + 2});
    }
    meshes.push_back(std::move(mesh));
  }
  return *Environment::create(std::move(meshes));
}

/// One cloud of triangles, some 5 m across.
inline Environment random_cloud(int triangles, std::uint64_t seed = 1) {
  RandomLinks random(seed);
  return random_room(random, 1, triangles, 5.0);
}

/// A tree of `joints` joints, every bone a link, and a take in which all of them turn by up to
/// `turn` radians a frame while the root wanders by up to `travel` metres a frame.
struct RandomTake {
  Motion motion;
  Avatar avatar;
};

inline RandomTake random_take(RandomLinks& random, int joints, int frames, double turn,
                              double travel) {
  std::vector<Joint> tree;
  for (int j = 0; j < joints; ++j) {
    Joint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = j == 0 ? -1 : static_cast<int>(random.uniform(0, 1) * j);
    joint.rest.translation = random.vector(0.1, 0.4);
    tree.push_back(joint);
  }
  std::vector<Transform> poses;
  for (int f = 0; f < frames; ++f) {
    for (int j = 0; j < joints; ++j) {
      Transform p = tree[static_cast<std::size_t>(j)].rest;
      if (f > 0) {
        p = poses[poses.size() - static_cast<std::size_t>(joints)];
        p.rotation = core::normalized(random.rotation(random.uniform(0, turn)) * p.rotation);
      }
      if (j == 0) p.translation = p.translation + random.vector(0, travel);
      poses.push_back(p);
    }
  }
  Skeleton skeleton = *Skeleton::create(std::move(tree));
  std::vector<Link> links;
  for (int j = 1; j < joints; ++j) {
    const Joint& joint = skeleton.joints()[static_cast<std::size_t>(j)];
    links.push_back({"link" + std::to_string(j),
                     joint.parent,
                     {},
                     joint.rest.translation,
                     random.uniform(0.02, 0.08)});
  }
  RandomTake out;
  out.avatar = *Avatar::create("random", skeleton, std::move(links));
  out.motion = *Motion::create(std::move(skeleton), 1.0 / 60, std::move(poses));
  return out;
}

}  // namespace tocsin::test
