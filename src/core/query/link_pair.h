// certify_pair: two links, both moving, over one step. Directed advancement with both links'
// bounds; docs/exact.md, "Two links".
#pragma once

#include <cmath>
#include <cstdint>

#include "core/motion/link_motion.h"
#include "core/motion/swept_pieces.h"
#include "core/query/axis_pair.h"
#include "core/query/certify.h"
#include "core/query/query.h"

namespace tocsin::core {

/// eta of a pair: the rounding margin of everything certify_pair computes about two links, metres.
/// The sum of both links' own margins, each with the other's ref in the triangle's place.
TOCSIN_HD inline double rounding_margin(const LinkMotion& a, const LinkMotion& b) {
  const double apart = norm(b.ref - a.ref);
  return rounding_margin(a, apart) + rounding_margin(b, apart);
}

namespace detail {

/// Both links' axes at one time, relative to the first's ref.
struct PairState {
  AxisState a;
  AxisState b;
};

/// The same axis relative to a ref that lies at -shift from its own.
TOCSIN_HD inline AxisState carried(const AxisState& s, const Vec3& shift) {
  return {s.a + shift, s.b + shift, s.va, s.vb};
}

/// Two moving links.
template <EvaluateFunction kEvaluate>
class TwoLinks {
 public:
  using State = PairState;
  using Closest = ClosestPair;

  TOCSIN_HD TwoLinks(const LinkMotion& a, const LinkMotion& b, double eta)
      : a_(a), b_(b), shift_(b.ref - a.ref), radius_(a.radius + b.radius), eta_(eta) {}

  TOCSIN_HD PairState state(const AxisState& a, const AxisState& b) const {
    return {a, carried(b, shift_)};
  }
  TOCSIN_HD PairState at(double t) const { return state(kEvaluate(a_, t), kEvaluate(b_, t)); }

  TOCSIN_HD ClosestPair closest(const PairState& s) const { return closest_points(s.a, s.b); }

  /// Two feasible points are this near, so the links touch: proved.
  TOCSIN_HD bool touching(const ClosestPair& c) const {
    return std::sqrt(c.squared) <= radius_ - eta_;
  }

  /// Both whole axes.
  TOCSIN_HD PartPair whole(const PairState& state) const {
    return {whole_axis(a_, state.a), whole_axis(b_, state.b), radius_ + eta_};
  }

  TOCSIN_HD Outlook outlook(const PairState& state, const ClosestPair& c, double left) const {
    const PartPair both = whole(state);
    const AxisState& a = state.a;
    const AxisState& b = state.b;
    Approach p;
    const Vec3 n = set_nearest(p, both, c);
    const double nearer = max_of(-dot(n, a.va), -dot(n, a.vb)) + max_of(dot(n, b.va), dot(n, b.vb));
    const double away = max_of(dot(n, a.va), dot(n, a.vb)) - min_of(dot(n, b.va), dot(n, b.vb));
    p.fastest = max_of(-p.rate, nearer);
    p.greatest_speed = max_of(nearer, away);
    p.greatest = acceleration_of(a_) + acceleration_of(b_);
    const double own = clear_time(p.gap, p.rate, p.acceleration, left);
    return outlook_of(p, clear_time_split(both, c, n, own, left), eta_);
  }

  /// Sets what the closest pair alone does. Returns its direction.
  TOCSIN_HD Vec3 set_nearest(Approach& p, const PartPair& both, const ClosestPair& c) const {
    const AxisState& a = both.a.ends;
    const AxisState& b = both.b.ends;
    p.distance = std::sqrt(c.squared);
    p.gap = p.distance - both.reach;
    const Vec3 n = p.distance > kLeastLength ? (1.0 / p.distance) * (c.y - c.x) : Vec3{};
    const Vec3 velocity = (a.va + c.s * (a.vb - a.va)) - (b.va + c.q * (b.vb - b.va));
    p.squared_speed = dot(velocity, velocity);
    p.acceleration = between(both.a.acceleration_a, both.a.acceleration_b, c.s) +
                     between(both.b.acceleration_a, both.b.acceleration_b, c.q);
    p.rate = dot(n, velocity);
    return n;
  }

 private:
  const LinkMotion& a_;
  const LinkMotion& b_;
  Vec3 shift_;
  double radius_;
  double eta_;
};

/// The link as seen from its joint number `joints`, relative to that one's origin.
TOCSIN_HD inline LinkMotion seen_from(const LinkMotion& link, std::int32_t joints) {
  LinkMotion out = link;
  out.chain += joints;
  out.chain_length -= joints;
  out.ref = {};
  ChainBounds bounds;
  for (std::int32_t k = 0; k < out.chain_length; ++k) {
    bounds = extend(bounds, out.joints[out.chain[k]], out.kind, out.ref);
  }
  set_bounds(out, bounds);
  return out;
}

/// rounding_margin(a, b) of two links seen from their last shared joint, `shared` joints from the
/// root. These joints count as well.
TOCSIN_HD inline double rounding_margin_from(LinkMotion a, LinkMotion b, std::int32_t shared) {
  a.chain_length += shared;
  b.chain_length += shared;
  return rounding_margin(a, b);
}

/// A sum is finite only if all terms are. Later comparisons would not detect a NaN.
TOCSIN_HD inline bool all_finite(const LinkMotion& a, const LinkMotion& b, double eta) {
  const double bounds_a = (a.acceleration_a + a.acceleration_b) + a.radius;
  const double bounds_b = (b.acceleration_a + b.acceleration_b) + b.radius;
  return std::isfinite(eta + (bounds_a + bounds_b));
}

}  // namespace detail

/// Two links as certify_pair compares them: seen from the last joint that their chains share.
struct SeenPair {
  LinkMotion a;
  LinkMotion b;
  double eta = 0.0;  ///< metres
  bool finite = false;
};

namespace detail {

/// `shared`: joints, above 0. eta: rounding_margin(a, b).
TOCSIN_HD inline SeenPair seen_from_shared(const LinkMotion& a, const LinkMotion& b, double eta,
                                           std::int32_t shared) {
  SeenPair out{seen_from(a, shared), seen_from(b, shared), 0.0, false};
  out.eta = max_of(eta, rounding_margin_from(out.a, out.b, shared));
  out.finite = all_finite(out.a, out.b, out.eta);
  return out;
}

}  // namespace detail

/// What certify_pair compares of two links. Not finite: it proves nothing.
TOCSIN_HD inline SeenPair seen_pair(const LinkMotion& a, const LinkMotion& b) {
  const double eta = rounding_margin(a, b);
  const bool finite = detail::all_finite(a, b, eta);
  const std::int32_t shared = shared_joints(a, b);
  if (!finite || shared == 0) return {a, b, eta, finite};
  return detail::seen_from_shared(a, b, eta, shared);
}

/// certify_pair for a pair that is prepared.
template <EvaluateFunction kEvaluate = evaluate>
TOCSIN_HD inline Certificate certify_seen(const SeenPair& seen, double tolerance,
                                          double stop_after) {
  if (!seen.finite) return kNothingProved;
  const detail::TwoLinks<kEvaluate> meeting(seen.a, seen.b, seen.eta);
  return detail::Query(meeting, tolerance, stop_after).run(meeting.at(0.0));
}

/// Proves what can be proved about two links over the step, both moving at the same local times.
///
/// a0, b0: evaluate(a, 0) and evaluate(b, 0), each relative to its own link's ref. tolerance,
/// stop_after and every outcome: as for certify(); links touch where their axes are no farther
/// apart than the sum of their radii. Links of one avatar must share one array of joints: the
/// joints shared by both chains do not move the links against each other, and are left out. A pure
/// function of its arguments. Exchanging a and b may change roundings, never the proof. Input that
/// is not finite: nothing is proved, the answer is a kGraze over [0, 1].
template <EvaluateFunction kEvaluate = evaluate>
TOCSIN_HD inline Certificate certify_pair(const LinkMotion& a, const AxisState& a0,
                                          const LinkMotion& b, const AxisState& b0,
                                          double tolerance, double stop_after) {
  const double eta = rounding_margin(a, b);
  if (!detail::all_finite(a, b, eta)) return kNothingProved;
  const std::int32_t shared = shared_joints(a, b);
  if (shared == 0) {
    const detail::TwoLinks<kEvaluate> meeting(a, b, eta);
    return detail::Query(meeting, tolerance, stop_after).run(meeting.state(a0, b0));
  }
  const SeenPair seen = detail::seen_from_shared(a, b, eta, shared);
  return certify_seen<kEvaluate>(seen, tolerance, stop_after);
}

namespace detail {

/// An axis-aligned box in double precision, metres.
struct WideBox {
  Vec3 lo{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  Vec3 hi{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  bool finite = true;  ///< all that was taken in is; comparisons drop a NaN
};

TOCSIN_HD inline void take_in(WideBox& box, const Vec3& p, double grow) {
  box.finite = box.finite && is_finite(p) && std::isfinite(grow);
  box.lo = {min_of(box.lo.x, p.x - grow), min_of(box.lo.y, p.y - grow),
            min_of(box.lo.z, p.z - grow)};
  box.hi = {max_of(box.hi.x, p.x + grow), max_of(box.hi.y, p.y + grow),
            max_of(box.hi.z, p.z + grow)};
}

/// Holds the link over the step, grown by its margin; relative to a point at -shift from its ref.
TOCSIN_HD inline WideBox swept_box(const LinkMotion& m, double margin, const Vec3& shift) {
  const int pieces = swept_pieces(m);
  const double h = 1.0 / pieces;
  const double grow_a = (m.radius + margin) + 0.125 * m.acceleration_a * h * h;
  const double grow_b = (m.radius + margin) + 0.125 * m.acceleration_b * h * h;
  WideBox box;
  for (int i = 0; i <= pieces; ++i) {
    const AxisState s = carried(evaluate(m, i == pieces ? 1.0 : h * i), shift);
    take_in(box, s.a, grow_a);
    take_in(box, s.b, grow_b);
  }
  return box;
}

}  // namespace detail

/// False if boxes around both links' motions prove that they stay apart over the whole step. Then a
/// kGraze of certify_pair, which proves no touch, counts as free: so that no answer depends on the
/// broadphase. A pure function of both motions and radii. Not finite input: true.
///
/// A broadphase may drop every pair whose boxes do not overlap if each link's box holds the balls
/// of radius
///     radius + A/(8 n^2) + 2 rounding_margin(link, d),   d >= |other ref - ref|, n = swept_pieces
/// about its ends at all times i/n, with A that end's acceleration, and 2^-50 max(16, K) (|ref| +
/// reach) on top if they are placed in the world frame: then they hold the boxes compared here,
/// which have one margin where those have two. scene's StepMotion::coarse_box(i) does, if begin()
/// was given the box of all other avatars' refs; its SweptLink::box, if `bounds` holds them too.
TOCSIN_HD inline bool may_graze(const LinkMotion& a, const LinkMotion& b) {
  const Vec3 shift = b.ref - a.ref;
  const double apart = norm(shift);
  const detail::WideBox p = detail::swept_box(a, rounding_margin(a, apart), {});
  const detail::WideBox q = detail::swept_box(b, rounding_margin(b, apart), shift);
  return !(p.finite && q.finite) || (p.lo.x <= q.hi.x && q.lo.x <= p.hi.x && p.lo.y <= q.hi.y &&
                                     q.lo.y <= p.hi.y && p.lo.z <= q.hi.z && q.lo.z <= p.hi.z);
}

}  // namespace tocsin::core
