// certify: from one link's motion and one triangle to a proved answer. A pure function of its
// arguments. docs/exact.md, "Outcomes".
#pragma once

#include "core/motion/link_motion.h"
#include "core/query/advance.h"
#include "core/query/distance.h"
#include "core/query/query.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// evaluate, or a function with the same bits (cpu/kernels/kernels.h).
using EvaluateFunction = AxisState (*)(const LinkMotion&, double);

namespace detail {

/// Where certify finds its encounter: here it is at hand.
struct KeptEncounter {
  const Encounter& encounter;
  TOCSIN_HD const Encounter& operator()() const { return encounter; }
};

/// A moving link and a triangle that stands still. Source: gives the Encounter, as often as it is
/// asked, with the same bits.
template <EvaluateFunction kEvaluate, class Source>
class LinkAndTriangle {
 public:
  using State = AxisState;
  using Closest = core::Closest;

  TOCSIN_HD LinkAndTriangle(const LinkMotion& link, const Source& encounter)
      : link_(link), encounter_(encounter) {}

  TOCSIN_HD AxisState at(double t) const { return kEvaluate(link_, t); }

  TOCSIN_HD Closest closest(const AxisState& axis) const {
    const Encounter& e = encounter_();
    return closest_points(axis.a, axis.b, e.triangle);
  }

  /// Two feasible points are this near, so the link touches: proved.
  TOCSIN_HD bool touching(const Closest& c) const {
    const Encounter& e = encounter_();
    return std::sqrt(c.squared) <= e.radius - e.eta;
  }

  TOCSIN_HD Outlook outlook(const AxisState& state, const Closest& c, double left) const {
    const AxisPart axis = whole_axis(link_, state);
    const Encounter& e = encounter_();
    Approach p;
    const Vec3 n = set_nearest(p, axis, c);
    const double va = dot(n, axis.ends.va);
    const double vb = dot(n, axis.ends.vb);
    p.fastest = max_of(-p.rate, max_of(-va, -vb));
    p.greatest_speed = max_of(std::fabs(va), std::fabs(vb));
    p.greatest = max_of(axis.acceleration_a, axis.acceleration_b);
    const double own = clear_time(p.gap, p.rate, p.acceleration, left);
    return outlook_of(p, clear_time_split(axis, e, c, own, left), e.eta);
  }

  /// Sets what the closest pair alone does. Returns its direction.
  TOCSIN_HD Vec3 set_nearest(Approach& p, const AxisPart& axis, const Closest& c) const {
    const Encounter& e = encounter_();
    p.distance = std::sqrt(c.squared);
    p.gap = p.distance - (e.radius + e.eta);
    const Vec3 n = p.distance > kLeastLength ? (1.0 / p.distance) * (c.y - c.x) : Vec3{};
    const Vec3 velocity = axis.ends.va + c.s * (axis.ends.vb - axis.ends.va);
    p.squared_speed = dot(velocity, velocity);
    p.acceleration = between(axis.acceleration_a, axis.acceleration_b, c.s);
    p.rate = dot(n, velocity);
    return n;
  }

 private:
  const LinkMotion& link_;
  Source encounter_;
};

/// The rounding margin of a query, metres; below 0: the input is not finite.
TOCSIN_HD inline double margin_of(const LinkMotion& link, const Triangle& triangle) {
  const double r0 = norm(triangle.v[0]);
  const double r1 = norm(triangle.v[1]);
  const double r2 = norm(triangle.v[2]);
  const double eta = rounding_margin(link, max_of(r0, max_of(r1, r2)));
  // A sum is finite only if all terms are. Later comparisons would not detect a NaN.
  return std::isfinite((r0 + r1 + r2) + (eta + acceleration_of(link) + link.radius)) ? eta : -1.0;
}

/// certify of an encounter that `source` gives. eta: margin_of().
template <EvaluateFunction kEvaluate, class Source>
TOCSIN_HD inline Certificate certify_from(const LinkMotion& link, const AxisState& at0,
                                          const Source& source, double eta, double tolerance,
                                          double stop_after) {
  if (eta < 0.0) return {Outcome::kGraze, 0.0, 1.0, true, 0};
  const LinkAndTriangle<kEvaluate, Source> meeting(link, source);
  return Query(meeting, tolerance, stop_after).run(at0);
}

}  // namespace detail

/// Proves what can be proved about `link` and `triangle` (relative to link.ref, metres) over the
/// step.
///
/// at0: evaluate(link, 0). tolerance: wanted width hi - lo of a hit's bracket, step time, > 0.
/// stop_after: answers whose lo exceeds this become kPruned; pass >= 1 to get all answers. For a
/// fixed link, triangle and tolerance every answer but kPruned is the same for every stop_after.
/// Input that is not finite: nothing is proved, the answer is a kGraze over [0, 1]. kEvaluate:
/// computes the axis's states.
template <EvaluateFunction kEvaluate = evaluate>
TOCSIN_HD inline Certificate certify(const LinkMotion& link, const AxisState& at0,
                                     const Triangle& triangle, double tolerance,
                                     double stop_after) {
  const double eta = detail::margin_of(link, triangle);
  const Encounter encounter{triangle, link.radius, eta};
  return detail::certify_from<kEvaluate>(link, at0, detail::KeptEncounter{encounter}, eta,
                                         tolerance, stop_after);
}

}  // namespace tocsin::core
