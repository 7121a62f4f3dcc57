// Random links and triangles of all the classes that the kernels must agree with the core on.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/motion/link_motion.h"
#include "core/query/certify.h"
#include "scene/tree/kdop_tree.h"
#include "support/scenes/random_link.h"

namespace tocsin::test {

inline void set_joints(RandomLink& r) {
  core::ChainBounds bounds;
  for (std::size_t k = 0; k < r.joints.size(); ++k) {
    r.joints[k] = core::joint_motion(r.pose0[k], r.pose1[k], r.link.kind);
    bounds = core::extend(bounds, r.joints[k], r.link.kind, r.link.ref);
  }
  core::set_bounds(r.link, bounds);
}

inline bool chance(RandomLinks& random, double p) { return random.uniform(0, 1) < p; }

inline InBetween any_kind(RandomLinks& random) {
  return chance(random, 0.5) ? InBetween::kScrew : InBetween::kTranslateRotate;
}

inline Vec3f to_float(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

inline double log_uniform(RandomLinks& random, double low, double high) {
  return low * std::exp(random.uniform(0, std::log(high / low)));
}

inline Vec3 across(RandomLinks& random, const Vec3& n) {
  for (;;) {
    const Vec3 c = core::cross(n, random.direction());
    const double l = core::norm(c);
    if (l > 0.1) return (1.0 / l) * c;
  }
}

/// How far from the axis: inside the link, about its radius, near, far.
inline double any_distance(RandomLinks& random, double radius) {
  switch (static_cast<int>(random.uniform(0, 6))) {
    case 0:
      return random.uniform(0, 1) * radius;
    case 1:
      return radius * (1.0 + log_uniform(random, 1e-16, 1e-2) * (chance(random, 0.5) ? 1 : -1));
    case 2:
      return radius + random.uniform(0, 0.1);
    case 3:
      return chance(random, 0.1) ? 0.0 : radius * random.uniform(0, 3);
    default:
      return radius + random.uniform(0, 3);
  }
}

/// A triangle of any shape near a random point of the axis at a random time; metres, world.
inline std::array<Vec3f, 3> any_triangle(RandomLinks& random, const core::LinkMotion& link) {
  const core::AxisState at = core::evaluate(link, chance(random, 0.5) ? 0.0 : random.uniform(0, 1));
  const Vec3 d = at.b - at.a;
  const double length = core::norm(d);
  const Vec3 along = length > 1e-9 ? (1.0 / length) * d : random.direction();
  const double s =
      chance(random, 0.4) ? static_cast<double>(chance(random, 0.5)) : random.uniform(0, 1);
  const Vec3 n = chance(random, 0.6) ? across(random, along) : random.direction();
  const Vec3 x = link.ref + ((at.a + s * d) + any_distance(random, link.radius) * n);
  const Vec3 e1 = chance(random, 0.3)   ? along
                  : chance(random, 0.5) ? across(random, n)
                                        : random.direction();
  const Vec3 e2 = chance(random, 0.3) ? random.direction() : core::cross(n, e1);
  const double size = chance(random, 0.1)   ? log_uniform(random, 1e-6, 1e-3)
                      : chance(random, 0.1) ? random.uniform(5, 50)
                                            : log_uniform(random, 0.01, 3.0);
  const double height = size * (chance(random, 0.2) ? log_uniform(random, 1e-9, 1e-3) : 1.0);
  const auto at_least = [&](double l) { return l * random.uniform(0.2, 1.0); };
  std::array<Vec3f, 3> out;
  switch (static_cast<int>(random.uniform(0, 8))) {
    case 0:  // a corner
      out = {to_float(x), to_float(x + at_least(size) * n), to_float(x + at_least(height) * e1)};
      break;
    case 1:  // an edge
    case 2:
      out = {to_float(x - at_least(size) * e1), to_float(x + at_least(size) * e1),
             to_float(x + at_least(height) * n)};
      break;
    case 3:  // a point or a segment, exactly
      out = {to_float(x), to_float(x + at_least(size) * e1), to_float(x)};
      if (chance(random, 0.3)) out[1] = out[0];
      if (chance(random, 0.3)) std::swap(out[1], out[2]);
      break;
    case 4:  // pierced, maybe
      out = {to_float(x - at_least(size) * n), to_float(x + at_least(size) * (n + e2)),
             to_float(x + at_least(height) * (n - e2))};
      break;
    default:  // the face
      out = {to_float(x - at_least(size) * e1), to_float(x + at_least(size) * (e1 + e2)),
             to_float(x + at_least(height) * (e1 - e2))};
  }
  std::rotate(out.begin(), out.begin() + static_cast<int>(random.uniform(0, 3)), out.end());
  return out;
}

/// Chains of all kinds, and what has been known to fail: still, of zero length, thin, far away.
inline void any_link(RandomLinks& random, RandomLink& r) {
  const double where = chance(random, 0.1) ? 1e4 : chance(random, 0.1) ? 100.0 : 3.0;
  const double turn = chance(random, 0.3) ? 0.0 : chance(random, 0.2) ? 3.1 : 0.3;
  const double travel = chance(random, 0.3) ? 0.0 : log_uniform(random, 1e-3, 3.0);
  random.make(r, chance(random, 0.9) ? 1 + static_cast<int>(random.uniform(0, 10)) : 25,
              any_kind(random), 0.5, turn, travel, where);
  core::LinkMotion& link = r.link;
  if (chance(random, 0.2)) r.pose1 = r.pose0;
  if (chance(random, 0.1)) link.b = link.a;
  if (chance(random, 0.1)) link.radius = log_uniform(random, 1e-6, 1e-2);
  if (chance(random, 0.02)) link.radius = 0.0;
  set_joints(r);
}

inline scene::TriangleBlock empty_block() {
  scene::TriangleBlock block;
  for (auto& corner : block.v) {
    for (auto& axis : corner) std::fill(axis, axis + scene::kBlockSize, std::nanf(""));
  }
  std::fill(block.triangle, block.triangle + scene::kBlockSize, scene::kNone);
  return block;
}

inline void put(scene::TriangleBlock& block, int lane, const std::array<Vec3f, 3>& corners) {
  for (std::size_t i = 0; i < 3; ++i) {
    block.v[i][0][lane] = corners[i].x;
    block.v[i][1][lane] = corners[i].y;
    block.v[i][2][lane] = corners[i].z;
  }
  block.triangle[lane] = static_cast<std::uint32_t>(lane);
}

inline core::Triangle relative(const std::array<Vec3f, 3>& v, const Vec3& ref) {
  return {{core::to_double(v[0]) - ref, core::to_double(v[1]) - ref, core::to_double(v[2]) - ref}};
}

}  // namespace tocsin::test
