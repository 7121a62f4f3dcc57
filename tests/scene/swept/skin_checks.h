// What tests ask of a skin: how deep a point lies, how often it goes around it, whether it is
// closed.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "core/vector/vec.h"
#include "scene/swept/slab.h"

namespace tocsin::scene {

inline Vec3 relative(const SlabSkin& skin, const Vec3& p) {
  return p - core::to_double(skin.origin());
}

/// How far the point lies inside the nearest half-space; negative: outside.
inline double depth(const SlabSkin& skin, const Vec3& p) {
  double out = HUGE_VAL;
  for (const SlabSkin::HalfSpace& h : skin.half_spaces()) {
    out = std::min(out, h.d - core::dot(h.n, p));
  }
  return out;
}

/// How often the triangles go around a point (Van Oosterom and Strackee 1983): 1 inside, 0 outside.
inline double winding(const SlabSkin& skin, const Vec3& p) {
  double angle = 0.0;
  for (const auto& t : skin.triangles()) {
    const Vec3 a = core::to_double(t[0]) - p;
    const Vec3 b = core::to_double(t[1]) - p;
    const Vec3 c = core::to_double(t[2]) - p;
    const double x = core::norm(a);
    const double y = core::norm(b);
    const double z = core::norm(c);
    angle += 2.0 * std::atan2(
                       core::dot(a, core::cross(b, c)),
                       x * y * z + core::dot(a, b) * z + core::dot(b, c) * x + core::dot(c, a) * y);
  }
  return angle / (4.0 * std::numbers::pi);
}

inline double volume(const SlabSkin& skin) {
  double sum = 0.0;
  for (const auto& t : skin.triangles()) {
    sum +=
        core::dot(core::to_double(t[0]), core::cross(core::to_double(t[1]), core::to_double(t[2])));
  }
  return sum / 6.0;
}

inline double size_of(const SlabSkin& skin) {
  return static_cast<double>(std::max({skin.half().x, skin.half().y, skin.half().z}));
}

using Corner = std::array<float, 3>;
inline Corner key(const Vec3f& p) { return {p.x, p.y, p.z}; }

inline void check_closed(const SlabSkin& skin) {
  ASSERT_GE(skin.triangles().size(), 4U);
  std::map<std::pair<Corner, Corner>, int> sides;
  for (const auto& t : skin.triangles()) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3f& p = t[k];
      const Vec3f& q = t[(k + 1) % 3];
      ASSERT_NE(p, q);
      ASSERT_LE(std::fabs(p.x), skin.half().x);
      ASSERT_LE(std::fabs(p.y), skin.half().y);
      ASSERT_LE(std::fabs(p.z), skin.half().z);
      ++sides[{key(p), key(q)}];
    }
  }
  for (const auto& [side, times] : sides) {
    const auto back = sides.find({side.second, side.first});
    ASSERT_TRUE(back != sides.end() && back->second == times);
  }
}

}  // namespace tocsin::scene
