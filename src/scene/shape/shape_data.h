// What a Shape holds: its features, a tree of boxes over them, and what of it counts when it moves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/query/hull_tree.h"
#include "scene/shape/outer_hull.h"
#include "tocsin/shape.h"

namespace tocsin::scene {

using ShapeNode = core::HullNode;
using core::splits_first;

/// The feature as the core takes it, radius left at 0.
core::Hull hull_of(std::span<const Vec3> corners, const TriangleIndices& feature);

/// The least box in sight that holds some corners. Precondition: not empty.
core::OrientedBox box_around(std::span<const Vec3> corners);

/// A tree over all features; the root is the first node. Precondition: not empty.
std::vector<ShapeNode> shape_tree(std::span<const Vec3> corners,
                                  std::span<const TriangleIndices> features);

/// Parts of a mesh that share no corner are components: of each, its least feature.
std::vector<std::uint32_t> component_features(std::span<const Vec3> corners,
                                              std::span<const TriangleIndices> features);
/// The first corners of these.
std::vector<Vec3> component_corners(std::span<const Vec3> corners,
                                    std::span<const TriangleIndices> features);

/// True if the shapes share their data, or neither has any.
[[nodiscard]] inline bool same_data(const Shape& p, const Shape& q) {
  return p.empty() ? q.empty() : !q.empty() && &data_of(p) == &data_of(q);
}

}  // namespace tocsin::scene

namespace tocsin::detail {

struct ShapeData {
  std::vector<Vec3> corners;
  std::vector<TriangleIndices> features;
  double radius = 0.0;
  bool round = false;  ///< a sphere or capsule, which no uneven scale keeps so
  std::vector<scene::ShapeNode> nodes;
  std::vector<Vec3> components;  ///< a corner of each
  double longest = 0.0;          ///< greatest distance of two corners of one feature, metres
  double reach = 0.0;            ///< greatest distance of a corner from the frame's origin
  scene::OuterHull hull;         ///< of all corners
};

}  // namespace tocsin::detail
