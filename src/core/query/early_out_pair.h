// certify_pair's first iteration, at t = 0. It settles most of the pairs that a broadphase keeps.
#pragma once

#include <cstdint>

#include "core/query/early_out.h"
#include "core/query/link_pair.h"

namespace tocsin::core {

namespace detail {

/// How long certify_pair's first step proves both clear, at least: clear_time_split answers no less
/// than this.
TOCSIN_HD inline double first_clear_time(const TwoLinks<evaluate>& meeting, const PairState& at0,
                                         const ClosestPair& c) {
  const PartPair both = meeting.whole(at0);
  Approach p;
  meeting.set_nearest(p, both, c);
  const double own = clear_time(p.gap, p.rate, p.acceleration, 1.0);
  return clear_time_at(both, c, 0.5 * own, 1.0);
}

}  // namespace detail

/// The early-out of two links: kFree and kOverlap as certify_pair answers them after one
/// evaluation, all else kSuspect. A pair that certify_pair proves free only by cutting an axis is a
/// suspect too. A pure function of its argument.
TOCSIN_HD inline EarlyOut::Kind early_out(const SeenPair& seen) {
  if (!seen.finite) return EarlyOut::Kind::kSuspect;
  const detail::TwoLinks<evaluate> meeting(seen.a, seen.b, seen.eta);
  const detail::PairState at0 = meeting.at(0.0);
  const ClosestPair c = meeting.closest(at0);
  if (meeting.touching(c)) return EarlyOut::Kind::kOverlap;
  const bool free = detail::first_clear_time(meeting, at0, c) >= kToEnd;
  return free ? EarlyOut::Kind::kFree : EarlyOut::Kind::kSuspect;
}

/// Of a suspect as EarlyOut::free_until: certify_pair proves freedom until then in its first step.
TOCSIN_HD inline double free_in_first_step(const SeenPair& seen) {
  if (!seen.finite) return 0.0;
  const detail::TwoLinks<evaluate> meeting(seen.a, seen.b, seen.eta);
  const detail::PairState at0 = meeting.at(0.0);
  const ClosestPair c = meeting.closest(at0);
  if (meeting.touching(c)) return 0.0;
  return min_of(detail::advance_time(0.0, detail::first_clear_time(meeting, at0, c)), 1.0);
}

}  // namespace tocsin::core
