// Takes of skeletons that nobody has: several roots, one long chain, links of no length. Fixed
// seeds only.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/scenes/random_scene.h"

namespace tocsin::test {

/// A take of a skeleton with several roots, some of which no link hangs on; links lie anywhere on
/// their joints, some of no length.
inline RandomTake many_roots(RandomLinks& random, int joints, int frames, double turn,
                             double travel) {
  std::vector<Joint> tree;
  for (int j = 0; j < joints; ++j) {
    Joint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = j % 5 == 0 ? -1 : j - 1 - static_cast<int>(random.uniform(0, j % 5 - 1e-9));
    joint.rest.translation = random.vector(0.1, 0.4);
    tree.push_back(joint);
  }
  std::vector<Transform> poses;
  for (int f = 0; f < frames; ++f) {
    for (int j = 0; j < joints; ++j) {
      Transform p = f == 0 ? tree[static_cast<std::size_t>(j)].rest
                           : poses[poses.size() - static_cast<std::size_t>(joints)];
      p.rotation = core::normalized(random.rotation(random.uniform(0, turn)) * p.rotation);
      const double by = j % 5 == 0 ? travel : j % 3 == 0 ? 0.01 : 0.0;  // some bones stretch
      p.translation = p.translation + random.vector(0, by);
      poses.push_back(p);
    }
  }
  std::vector<Link> links;
  for (int j = 0; j < joints; ++j) {
    if (j / 5 % 3 == 1) continue;  // every third root is in no use
    for (int k = 0; k < j % 3; ++k) {
      const Vec3 a = random.vector(0, 0.2);
      const Vec3 b = j % 4 == 2 ? a : random.vector(0, 0.3);
      links.push_back({"link" + std::to_string(j) + "." + std::to_string(k), j, a, b,
                       random.uniform(0.01, 0.1)});
    }
  }
  RandomTake out;
  Skeleton skeleton = *Skeleton::create(std::move(tree));
  out.avatar = *Avatar::create("many roots", skeleton, std::move(links));
  out.motion = *Motion::create(std::move(skeleton), 1.0 / 60, std::move(poses));
  return out;
}

/// One chain of joints, a link at its tip and one at every tenth joint.
inline RandomTake long_chain(RandomLinks& random, int joints, int frames, double turn) {
  std::vector<Joint> tree(static_cast<std::size_t>(joints));
  std::vector<Link> links;
  for (int j = 0; j < joints; ++j) {
    Joint& joint = tree[static_cast<std::size_t>(j)];
    joint.name = "joint" + std::to_string(j);
    joint.parent = j - 1;
    joint.rest.translation = random.vector(0.01, 0.1);
    if (j % 10 == 0 || j + 1 == joints) {
      links.push_back({"link" + std::to_string(j), j, {}, {0.0, 0.1, 0.0}, 0.03});
    }
  }
  std::vector<Transform> poses;
  for (int f = 0; f < frames; ++f) {
    for (const Joint& joint : tree) {
      poses.push_back({random.rotation(random.uniform(0, turn)), joint.rest.translation});
    }
  }
  RandomTake out;
  Skeleton skeleton = *Skeleton::create(std::move(tree));
  out.avatar = *Avatar::create("chain", skeleton, std::move(links));
  out.motion = *Motion::create(std::move(skeleton), 1.0 / 60, std::move(poses));
  return out;
}

}  // namespace tocsin::test
