// A convex polyhedron of few corners around a shape: what a time slab of a shaped link is made of.
// docs/gl.md, "Skins of shapes".
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/query/box_pair.h"
#include "tocsin/types.h"

namespace tocsin::scene {

/// Corners of an outer hull at most: those of a polyhedron of 26 faces. A shape that has no more is
/// its own outer hull. More: a skin takes longer. Fewer: simple shapes are rounded off.
inline constexpr std::size_t kMostHullCorners = 48;

struct OuterHull {
  /// Frame, metres, at most kMostHullCorners. Every point of the shape's convex hull, without its
  /// radius, is in theirs.
  std::vector<Vec3> corners;
  std::array<Vec3, 3> axis;  ///< of a box around the shape, of unit length up to rounding
};

/// The outer hull of some points: themselves if they are few, else the polyhedron between their 26
/// least and greatest heights along the axes of `box` and the directions of the 26-DOP beside them
/// (core/bounds/kdop.h). `box` holds the points. Precondition: not empty, finite.
OuterHull outer_hull(std::span<const Vec3> points, const core::OrientedBox& box);

}  // namespace tocsin::scene
