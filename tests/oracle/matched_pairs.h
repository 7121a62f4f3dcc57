// From two bodies that come near each other to a matched pair of queries: one touches, the other is
// the same moved clear by a hair (or both made thinner). For hulls and for shapes.
//
// Bodies: a copyable pair with
//   two                                  ///< Two (pair_movers.h)
//   query()                              ///< what certify and the oracle are asked
//   set_radii(first, share, sum)         ///< the body that is named gets that share of the sum
// and, beside it: nearest_approach(bodies, refine); way_out(bodies, m), how far the second must
// move along m so that a plane across m parts all sampled positions; size_of(bodies), metres.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "nearest_approach.h"
#include "pair_movers.h"
#include "random.h"

namespace tocsin::oracle::test {

/// How deep one surface is pushed into another, or how far it stays off. No piercing is sure that
/// is less deep than some rounding margins: these pairs would all be grazes.
inline double hair_of_surfaces(PairClass c, Random& random, double size) {
  const double hair = hair_of(c, random, 0.3 * size);
  return c == PairClass::kGrazing ? hair : std::max(hair, random.magnitude(3e-10, 1e-7));
}

inline int refinement_of(PairClass c) { return c == PairClass::kGrazing ? 40 : 20; }

/// Surfaces without thickness: one is pushed into the other, or taken off it.
template <class Bodies>
auto match_surfaces(PairClass c, const Bodies& bodies, Random& random) {
  const Nearest nearest = nearest_approach(bodies, refinement_of(c));
  const double size = size_of(bodies);
  const double hair = hair_of_surfaces(c, random, size);
  Bodies moved = bodies;
  Bodies clear = bodies;
  if (nearest.distance < 1e-9 * size) {  // they go through each other anyway
    const Vec3 m = random.direction();
    shift_second(clear.two, nearest.t, (way_out(bodies, m) + hair) * m);
    return std::array{bodies.query(), clear.query()};
  }
  shift_second(moved.two, nearest.t, (nearest.distance + hair) * nearest.direction);
  const double part = random.chance(0.5) ? random.unit() : 1.0;
  const double by = std::max(nearest.distance - hair, 0.1 * nearest.distance);
  shift_second(clear.two, nearest.t, part * by * nearest.direction);
  return std::array{moved.query(), clear.query()};
}

/// One of the two may not be rounded at all.
template <class Bodies>
void share_radius(Bodies& bodies, double sum, Random& random) {
  const double share = random.chance(0.3) ? 0.0 : random.unit();
  const bool first = random.chance(0.5);
  bodies.set_radii(first, share, sum);
}

/// Rounded bodies: the radii add up to their distance and a hair.
template <class Bodies>
auto match_rounded(PairClass c, Bodies bodies, Random& random) {
  const Nearest nearest = nearest_approach(bodies, refinement_of(c));
  const double distance = nearest.distance;
  const bool meet = distance < 2e-6;
  const double sum = meet ? random.magnitude(1e-6, 0.3) : distance + hair_of(c, random, distance);
  share_radius(bodies, sum, random);
  Bodies clear = bodies;
  const double hair = hair_of(c, random, sum);
  if (meet) {
    const Vec3 m = random.direction();
    shift_second(clear.two, nearest.t, (way_out(bodies, m) + sum + hair) * m);
  } else if (distance - hair > 1e-6 && random.chance(0.5)) {
    share_radius(clear, distance - hair, random);
  } else {
    shift_second(clear.two, nearest.t, -((2.0 * (sum - distance) + hair) * nearest.direction));
  }
  return std::array{bodies.query(), clear.query()};
}

}  // namespace tocsin::oracle::test
