// certify's first iteration, at t = 0. It settles most of the candidates that a culler keeps.
// docs/exact.md, "What the CPU does not ask". The same for many triangles at a time:
// cpu/kernels/kernels.h, bit for bit.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/query/advance.h"
#include "core/query/certify.h"
#include "core/query/query.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// Metres. Below it no product of an early-out overflows, so no NaN arises. Larger triangles and
/// links are left to certify. Nothing in a room is that large.
inline constexpr double kSaneReach = 0x1p+100;

/// The result of the early-out for a link and a triangle.
struct EarlyOut {
  enum class Kind : std::uint8_t {
    kFree,     ///< certify answers kFree, after one evaluation
    kOverlap,  ///< certify answers kOverlap
    kSuspect,  ///< neither; certify must decide
  };
  Kind kind = Kind::kSuspect;
  /// In [0, 1]; of a suspect. certify proves freedom on [0, free_until) in its first step: with a
  /// stop_after below that it answers kFree, or with a lo > stop_after. 0: that step proves
  /// nothing.
  double free_until = 0.0;
};

/// False for links that are not finite, or too large for an early-out.
TOCSIN_HD inline bool is_sane(const LinkMotion& link) {
  return (link.reach + link.speed) + (link.acceleration_a + link.acceleration_b) +
             std::fabs(link.radius) <
         kSaneReach;
}

/// at0: evaluate(link, 0). triangle: relative to link.ref, metres. What is not sane: kSuspect, 0.
TOCSIN_HD inline EarlyOut early_out(const LinkMotion& link, const AxisState& at0,
                                    const Triangle& triangle) {
  const double r0 = dot(triangle.v[0], triangle.v[0]);
  const double r1 = dot(triangle.v[1], triangle.v[1]);
  const double r2 = dot(triangle.v[2], triangle.v[2]);
  // Not so where a corner is NaN: max_of alone would not tell.
  if (!is_sane(link) || !((r0 + r1) + r2 < kSaneReach * kSaneReach)) return {};
  const double reach = std::sqrt(max_of(r0, max_of(r1, r2)));
  const Encounter encounter{triangle, link.radius, rounding_margin(link, reach)};
  const detail::LinkAndTriangle<evaluate, detail::KeptEncounter> meeting(link, {encounter});
  const Closest c = meeting.closest(at0);
  if (meeting.touching(c)) return {EarlyOut::Kind::kOverlap, 0.0};
  const AxisPart axis = whole_axis(link, at0);
  detail::Approach p;
  meeting.set_nearest(p, axis, c);
  const double own = clear_time(p.gap, p.rate, p.acceleration, 1.0);
  // clear_time_split would cut the axis where that is not good enough: certify does.
  const double whole = clear_time_at(axis, encounter, c, 0.5 * own, 1.0);
  if (whole >= kToEnd) return {EarlyOut::Kind::kFree, 1.0};
  return {EarlyOut::Kind::kSuspect, min_of(detail::advance_time(0.0, whole), 1.0)};
}

}  // namespace tocsin::core
