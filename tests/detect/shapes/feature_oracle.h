// What the oracle says of a link's features and an object's triangles at one time: every pair, in
// long double.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "detect/shapes/random_shape.h"
#include "oracle/hulls/hull_separation.h"
#include "oracle/shapes/moving_shape.h"
#include "oracle/solid_claims.h"
#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::test {

using oracle::MovingShape;
using oracle::Real;
using oracle::RealVec;

inline MovingShape moving(const Avatar& avatar, std::size_t link, const Step& step) {
  const Link& l = avatar.links()[link];
  std::vector<core::JointMotion> chain;
  for (int j = l.joint; j >= 0;
       j = avatar.skeleton().joints()[static_cast<std::size_t>(j)].parent) {
    const auto k = static_cast<std::size_t>(j);
    chain.push_back(core::joint_motion(step.pose0()[k], step.pose1()[k], step.in_between()));
  }
  std::reverse(chain.begin(), chain.end());
  return {std::make_shared<const oracle::MovingFrame>(chain, step.in_between()),
          std::make_shared<const oracle::FeatureTree>(
              l.shape.empty() ? oracle::axis_feature(l.a, l.b) : oracle::FeatureTree(l.shape))};
}

inline oracle::Corners at(const MovingShape& shape, std::size_t feature, Real t,
                          const Vec3& origin) {
  oracle::Corners out = shape.features().feature(feature);
  const RealVec shift = oracle::widen<Real>(shape.frame().origin()) - oracle::widen<Real>(origin);
  for (std::size_t i = 0; i < out.count; ++i) out.at[i] = shape.frame().at(t)(out.at[i]) + shift;
  return out;
}

/// What the oracle says of two sets of features: least[j] is the distance of feature j of the
/// second.
struct Apart {
  double distance = 1e9;
  std::vector<double> least;
};

inline Apart apart(const MovingShape& f, const MovingShape& g, Real t) {
  Apart out;
  const Vec3& origin = f.frame().origin();
  for (std::size_t j = 0; j < g.features().size(); ++j) {
    const oracle::Corners q = at(g, j, t, origin);
    double least = 1e9;
    for (std::size_t i = 0; i < f.features().size(); ++i) {
      least = std::min(
          least, static_cast<double>(oracle::separation(at(f, i, t, origin), q, 0.0L).apart.upper));
    }
    out.least.push_back(least);
    out.distance = std::min(out.distance, least);
  }
  return out;
}

/// The room's object with a closed ball in it, so that there is an inside.
inline Environment room_with_balls(RandomLinks& random) {
  std::vector<ObjectMesh> meshes;
  for (int i = 0; i < 3; ++i) {
    const Shape shape = i < 2 ? bumpy_ball(random, 4, 6, random.uniform(0.4, 0.8), 0.0)
                              : random_soup(random, 24, 0.5, 0.0);
    const Vec3 shift = random.vector(0, 0.6);
    ObjectMesh mesh;
    mesh.name = "object" + std::to_string(i);
    for (const Vec3& c : shape.corners()) {
      const Vec3 p = c + shift;
      mesh.vertices.push_back(
          {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    mesh.triangles.assign(shape.features().begin(), shape.features().end());
    meshes.push_back(std::move(mesh));
  }
  return Environment::create(std::move(meshes)).value();
}

inline Avatar with_shapes(RandomLinks& random, const Avatar& avatar, int number, double size) {
  std::vector<Link> links(avatar.links().begin(), avatar.links().end());
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i % 3 == 2) continue;
    Shape shape = random_shape(random, number + static_cast<int>(i), size);
    links[i] = link_of_shape(links[i].name, links[i].joint, std::move(shape));
  }
  return Avatar::create("shaped", avatar.skeleton(), std::move(links)).value();
}

/// The depth of the deepest corner that stands for a component, if any is inside.
struct Inside {
  bool any = false;
  bool unclear = false;
  double depth = 0.0;
};

inline Inside inside_of(const oracle::SolidClaims& solids, std::uint32_t object,
                        const MovingShape& shape, const MovingShape& room, Real t) {
  Inside out;
  for (const std::vector<std::uint32_t>& part : shape.features().components()) {
    // Not feature(), which drops corners that are given twice.
    const oracle::HullPath corner = shape.corner(part.front(), 0);
    const RealVec p = corner.at(t).at[0];
    const auto place = solids.place(object, p + oracle::widen<Real>(shape.frame().origin()));
    out.unclear = out.unclear || place == oracle::Place::kUnclear;
    if (place != oracle::Place::kInside) continue;
    oracle::Corners point;
    point.at[0] = p;
    point.count = 1;
    double least = 1e9;
    for (std::size_t i = 0; i < room.features().size(); ++i) {
      const auto q = at(room, i, t, shape.frame().origin());
      least = std::min(least, static_cast<double>(oracle::separation(point, q, 0.0L).apart.upper));
    }
    out.depth = std::max(out.depth, least);
    out.any = true;
  }
  return out;
}

}  // namespace tocsin::test
