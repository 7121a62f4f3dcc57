// Distance between two hulls of up to three points each, as two bounds that are proved separately:
// two feasible points (no more than), and a pair of parallel supporting planes (no less than). And
// whether one surely goes through the other.
//
// The points are the nearest of: every corner and every part (corner, edge, face) of the other
// hull; the insides of every two edges; an edge and a face that meet. The planes are across the
// nearest points, or, where those nearly meet, across one of the eleven directions that can part
// two triangles. docs/oracle.md, "Two hulls".
#pragma once

#include <array>
#include <cstddef>

#include "oracle/number.h"
#include "oracle/separation.h"

namespace tocsin::oracle {

/// The corners of a hull at one time, relative to some origin, metres.
template <class T>
struct CornersOf {
  std::array<Vec<T>, 3> at;
  std::size_t count = 0;
};
using Corners = CornersOf<Real>;

/// A unit direction from the second hull to the first, across which they are likely to be apart,
/// and where they are nearest, as the weights of their corners. Whoever uses it proves what it
/// says. Zero where they meet.
struct PartingPlanes {
  RealVec direction;
  std::array<Real, 3> weight{};
  std::array<Real, 3> other_weight{};
};

/// What is known about the distance of two hulls at one time.
struct HullSeparation {
  Separation apart;  ///< both bounds, without slack; `s` and `other_s` are not set
  PartingPlanes planes;
};

/// slack: how far the computed positions may be off, metres; only `pierced` depends on it.
HullSeparation separation(const Corners& f, const Corners& g, Real slack);

/// The planes alone: a draft, in double.
PartingPlanes parting_planes(const Corners& f, const Corners& g);

}  // namespace tocsin::oracle
