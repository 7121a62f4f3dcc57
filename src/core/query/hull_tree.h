// A tree of boxes over hulls that are fixed to one frame: a shape's features, as a CPU and a device
// search them. docs/exact.md, "Two trees".
#pragma once

#include <cstdint>

#include "core/query/box_pair.h"
#include "core/query/hull.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A node of a tree over features: a box that holds them, without their radius.
struct HullNode {
  OrientedBox box;
  /// Index of the first of two children, which stand side by side; -1: a leaf.
  std::int32_t child = -1;
  /// Of a leaf: its feature. Else the least of those below.
  std::uint32_t feature = 0;
};

/// Levels of a tree at most, if each node halves the features of a shape, which are at most 2^24.
inline constexpr std::int32_t kMostLevels = 25;

/// Which of a pair of nodes is replaced by its children: the larger. Precondition: one has some.
TOCSIN_HD inline bool splits_first(const HullNode& a, const HullNode& b) {
  const double p = max_of(a.box.half[0], max_of(a.box.half[1], a.box.half[2]));
  const double q = max_of(b.box.half[0], max_of(b.box.half[1], b.box.half[2]));
  return b.child < 0 || (a.child >= 0 && p >= q);
}

/// Three corners as a feature; equal indices make a segment or a point. The radius is left at 0.
TOCSIN_HD inline Hull hull_of(const Vec3* corners, const std::uint32_t* feature) {
  Hull out;
  for (std::int32_t i = 0; i < kMostCorners; ++i) out.corner[i] = corners[feature[i]];
  const bool segment = feature[1] == feature[2];
  out.corners = segment && feature[0] == feature[1] ? 1 : segment ? 2 : 3;
  return out;
}

/// Features with a tree over them. The pointers are those of the memory in which it is searched.
struct HullTree {
  const Vec3* corners = nullptr;            ///< frame, metres
  const std::uint32_t* features = nullptr;  ///< three corners each
  const HullNode* nodes = nullptr;          ///< the root first
  double radius = 0.0;                      ///< of all features, with the margin, metres
  double longest = 0.0;                     ///< greatest diameter of a feature, metres
  double reach = 0.0;  ///< greatest distance of a corner from the frame's origin, metres

  [[nodiscard]] TOCSIN_HD Hull hull(std::uint32_t feature) const {
    Hull out = hull_of(corners, features + 3 * static_cast<std::size_t>(feature));
    out.radius = radius;
    return out;
  }
};

/// One feature, which is its own tree.
struct LoneHull {
  Vec3 corner[kMostCorners];
  std::uint32_t feature[kMostCorners]{};
  HullNode node;
  double longest = 0.0;
  double reach = 0.0;

  [[nodiscard]] TOCSIN_HD HullTree tree(double radius) const {
    return {corner, feature, &node, radius, longest, reach};
  }
};

/// Of 1, 2 or 3 corners. Its box lies along the frame's axes, and is larger than the corners ask
/// for by 2^-44 of their reach: it pays for the rounding of projections.
TOCSIN_HD inline LoneHull lone_hull(const Vec3* corners, std::int32_t count) {
  LoneHull out;
  Vec3 lo = corners[0];
  Vec3 hi = corners[0];
  for (std::int32_t i = 0; i < kMostCorners; ++i) {
    const std::int32_t from = i < count ? i : count - 1;
    const Vec3& p = corners[from];
    out.corner[i] = p;
    out.feature[i] = static_cast<std::uint32_t>(from);
    lo = {min_of(lo.x, p.x), min_of(lo.y, p.y), min_of(lo.z, p.z)};
    hi = {max_of(hi.x, p.x), max_of(hi.y, p.y), max_of(hi.z, p.z)};
    out.reach = max_of(out.reach, norm(p));
  }
  for (std::int32_t i = 0; i < kMostCorners; ++i) {
    const Vec3& next = out.corner[i + 1 < kMostCorners ? i + 1 : 0];
    out.longest = max_of(out.longest, norm(next - out.corner[i]));
  }
  const double room = 0x1p-44 * out.reach;
  const Vec3 half = 0.5 * (hi - lo) + Vec3{room, room, room};
  OrientedBox& box = out.node.box;
  box.center = 0.5 * (lo + hi);
  box.axis[0] = {1.0, 0.0, 0.0};
  box.axis[1] = {0.0, 1.0, 0.0};
  box.axis[2] = {0.0, 0.0, 1.0};
  box.half[0] = half.x;
  box.half[1] = half.y;
  box.half[2] = half.z;
  box.reach = (norm(box.center) + norm(half)) * (1.0 + 0x1p-44);
  return out;
}

}  // namespace tocsin::core
