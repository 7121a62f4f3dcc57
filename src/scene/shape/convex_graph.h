// A convex polytope as questions about distances take it: corners, sides, and what is beside what.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/query/convex_distance.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::scene {

/// The convex hull of some points. Immutable once made; views of it are valid as long as it is.
struct ConvexGraph {
  std::vector<Vec3> corners;          ///< those that are corners of the hull, in their order
  std::vector<std::uint32_t> source;  ///< of each its index in the points it was made of
  /// Counterclockwise seen from outside, closed; indices into `corners`. Of one or two corners
  /// none; of three one, which has two sides.
  std::vector<TriangleIndices> faces;
  std::vector<std::uint32_t> first;       ///< core::ConvexGraph's lists: where they begin, ...
  std::vector<std::uint32_t> beside;      ///< ... and corners
  std::vector<std::uint32_t> first_face;  ///< the same of the faces around a corner
  std::vector<std::uint32_t> around;
  Vec3 centre;
  double reach = 0.0;  ///< greatest distance of a corner from the origin, metres

  [[nodiscard]] core::ConvexBodyView view() const {
    return {
        {corners.data(), static_cast<std::uint32_t>(corners.size()), first.data(), beside.data()},
        centre,
        reach};
  }
};

/// One to three points as they are; of more the hull, as convex_hull() has it: no point is outside
/// by more than 2^-41 of the size. Its corners are exactly convex, so that walks end at one corner
/// from anywhere. Errors (kInput): no points; those of convex_hull().
Result<ConvexGraph> convex_graph(std::span<const Vec3> points);

/// A vertex, an edge or a face of a hull: one, two or three of its corners, in order.
struct ConvexFeature {
  std::array<std::uint32_t, 3> corner{};
  int corners = 0;
};

/// The feature that holds a point of the surface. of: one to three corners of one flat side,
/// between which the point is. Corners that are no edge or face of their own (the diagonal of a
/// side) are replaced by those of a face that holds the point, up to rounding.
/// `enough`: no nearer face is looked for, metres.
ConvexFeature feature_at(const ConvexGraph& graph, const ConvexFeature& of, const Vec3& point,
                         double enough);

}  // namespace tocsin::scene
