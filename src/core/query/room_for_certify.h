// How far apart two things have to be proved so that certify_hulls, which starts anew at t = 0,
// proves them free as well. docs/exact.md, "Two trees".
#pragma once

#include <cmath>

#include "core/query/query.h"
#include "core/vector/hd.h"

namespace tocsin::core {

/// What is known of two things that move.
struct Moving {
  double speed = 0.0;         ///< of both together, metres per step
  double acceleration = 0.0;  ///< metres per step^2
  double margin = 0.0;        ///< eta, metres
  double size = 0.0;   ///< greatest diameter of a feature of one plus that of the other, metres
  double reach = 0.0;  ///< X of both: how far they are from their refs, metres
};

/// Number of steps with which certify and its kin end within kMaxEvaluations, two a step, where
/// each proves freedom for so long. docs/gl.md, "The steps".
inline constexpr double kSureSteps = 990.0;
static_assert(2.0 * (kSureSteps + 2.0) < kMaxEvaluations);

/// At least the cube root of y, and above it by less than a hundredth, for y from 1e-40 to 1. Every
/// turn of e <- (y e)^(1/4) takes three quarters of the way, and never passes the root.
TOCSIN_HD inline double cube_root_above(double y) {
  double e = y > 1.0 ? y : 1.0;
  for (int i = 0; i < 8; ++i) e = std::sqrt(std::sqrt(y * e));
  return e * (1.0 + 0x1p-40);
}

/// Metres, beyond the sum of the radii: of two hulls that are apart by so much until some time,
/// certify_hulls proves that they are free until then. That is the margin twice (what a proof
/// needs, and what the nodes' own arithmetic may err), the way that may be covered in 1/990 of the
/// step, and what a direction may lack that is found from computed closest points: size sqrt(64 u
/// reach / D) at distance D, which is at most D where D^3 is size^2 64 u reach.
TOCSIN_HD inline double room_for_certify(const Moving& m) {
  const double way = (m.speed + m.acceleration / kSureSteps) / kSureSteps;
  const double direction = cube_root_above(m.size * m.size * m.reach * 0x1p-47);
  return (2.0 * m.margin + way + direction) * (1.0 + 0x1p-20);
}

}  // namespace tocsin::core
