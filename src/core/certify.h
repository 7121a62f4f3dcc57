// certify: from one link's motion and one triangle to a proved answer. A pure function of its
// arguments. docs/exact.md, "Outcomes".
#pragma once

#include <cstdint>

#include "core/advance.h"
#include "core/distance.h"
#include "core/link_motion.h"
#include "core/vec.h"

namespace tocsin::core {

/// Evaluations after which certify answers with what it has proved so far. Reached by nothing in
/// real takes (worst of 10^6 random queries: see docs/oracle.md); lower, and slow convergence turns
/// into `graze`; higher, and a hostile motion costs more time.
inline constexpr int kMaxEvaluations = 2000;

enum class Outcome : std::uint8_t {
  kFree,     ///< distance > r on all of [0, 1]
  kOverlap,  ///< touching at t = 0
  kHit,      ///< free on [0, lo), touching at hi
  kGraze,    ///< free on [0, lo) and on (hi, 1]; nothing proved in between
  kPruned,   ///< free on [0, lo), and lo > stop_after: of no interest to the caller
};

/// What is proved about one link and one triangle.
struct Certificate {
  Outcome outcome = Outcome::kFree;
  double lo = 0.0;  ///< step-local times in [0, 1]
  double hi = 0.0;
  bool limited = false;  ///< kMaxEvaluations was reached
  std::int32_t evaluations = 0;
};

/// evaluate, or what computes its very bits in another way (cpu/kernels.h).
using EvaluateFunction = AxisState (*)(const LinkMotion&, double);

namespace detail {

/// t + h, rounded so that it is never above.
TOCSIN_HD inline double advance_time(double t, double h) {
  // (1 + u)(1 - 2u)(1 + u) < 1 pays for both roundings; 2^-44 for those inside h (docs/exact.md).
  const double next = (t + h * (1.0 - 0x1p-44)) * (1.0 - 0x1p-52);
  return next > t ? next : t;
}

/// The time in which a gap that shrinks with speed c is closed although it is slowed down by up to
/// a; kToEnd if it need not be closed at all.
TOCSIN_HD inline double closing_time(double gap, double c, double a) {
  const double disc = c * c - 2.0 * a * gap;
  return c > 0.0 && disc >= 0.0 ? 2.0 * gap / (c + std::sqrt(disc)) : kToEnd;
}

/// The least time in which something with speed c and acceleration up to a travels a distance;
/// infinite if both are 0.
TOCSIN_HD inline double travel_time(double distance, double c, double a) {
  return 2.0 * distance / (c + std::sqrt(c * c + 2.0 * a * distance));
}

/// One query under way: a time t up to which everything is known, and what is known about it.
template <EvaluateFunction kEvaluate>
class Query {
 public:
  TOCSIN_HD Query(const LinkMotion& link, const Encounter& encounter, double tolerance,
                  double stop_after)
      : link_(link), e_(encounter), tolerance_(tolerance), stop_after_(stop_after) {}

  TOCSIN_HD Certificate run(const AxisState& at0) {
    for (AxisState axis = at0;; axis = kEvaluate(link_, t_)) {
      const Closest c = look(axis);
      if (touching(c)) return touched();
      const Outlook o = outlook(whole_axis(link_, axis), c);
      if (o.clear >= kToEnd) {
        return open_ ? answer(Outcome::kGraze, gap_end_) : answer(Outcome::kFree, 1.0);
      }
      const double next = advance_time(t_, o.clear);
      if (o.clear > o.floor && next > t_) {
        const double probe = min_of(t_ + o.touch, 1.0);
        if (probe - next <= tolerance_ && touching(look(kEvaluate(link_, probe)))) {
          open_from(next);
          return answer(Outcome::kHit, probe);
        }
        t_ = next;
      } else if (t_ >= 1.0) {
        return answer(Outcome::kGraze, 1.0);
      } else {
        leap(next, o.leap);
      }
      if (proved_until() > stop_after_) return answer(Outcome::kPruned, 1.0);
      if (evaluations_ >= kMaxEvaluations) return gave_up();
    }
  }

 private:
  /// What the state at t says about the time after it; all are durations.
  struct Outlook {
    double clear = 0.0;  ///< proved clear for this long
    double touch = 0.0;  ///< a touch is expected after this long; kToEnd: none is
    double floor = 0.0;  ///< a `clear` below this is made of rounding: nothing more to gain
    double leap = 0.0;   ///< time in which the axis can cross the graze zone
  };

  TOCSIN_HD Closest look(const AxisState& axis) {
    ++evaluations_;
    return closest_points(axis.a, axis.b, e_.triangle);
  }

  /// Two feasible points are this near, so the link touches: proved.
  TOCSIN_HD bool touching(const Closest& c) const {
    return std::sqrt(c.squared) <= e_.radius - e_.eta;
  }

  TOCSIN_HD Outlook outlook(const AxisPart& axis, const Closest& c) const {
    const double left = 1.0 - t_;
    const double distance = std::sqrt(c.squared);
    const double gap = distance - (e_.radius + e_.eta);
    const Vec3 n = distance > kLeastLength ? (1.0 / distance) * (c.y - c.x) : Vec3{};
    const Vec3 velocity = axis.ends.va + c.s * (axis.ends.vb - axis.ends.va);
    const double acceleration = between(axis.acceleration_a, axis.acceleration_b, c.s);
    const double rate = dot(n, velocity);
    const double own = clear_time(gap, rate, acceleration, left);
    Outlook o;
    o.clear = clear_time_split(axis, e_, c, own, left);
    // Passing by also bends the distance: by at most |velocity across n|^2 / distance.
    const double across = max_of(dot(velocity, velocity) - rate * rate, 0.0);
    o.touch = closing_time(gap + 2.5 * e_.eta, -rate, acceleration + across / distance);
    const double fastest = max_of(-rate, max_of(-dot(n, axis.ends.va), -dot(n, axis.ends.vb)));
    const double greatest = max_of(axis.acceleration_a, axis.acceleration_b);
    o.floor = travel_time(0.25 * e_.eta, max_of(fastest, 0.0), greatest);
    o.leap = travel_time(4.0 * e_.eta, max_of(-rate, 0.0), acceleration);
    return o;
  }

  /// Freedom can be proved up to `next` and no farther from there: leave a gap in the proof and
  /// look beyond it. Gaps that follow each other double, so a link that rests in the graze zone
  /// ends soon.
  TOCSIN_HD void leap(double next, double least) {
    open_from(next);
    leap_ = max_of(max_of(least, kLeastLeap), 2.0 * leap_);
    not_touching_ = t_;
    t_ = min_of(t_ + leap_, 1.0);
    gap_end_ = t_;
  }

  /// Everything before `time` is proved free; from there on the answer is a bracket.
  TOCSIN_HD void open_from(double time) {
    if (open_) return;
    open_ = true;
    lo_ = min_of(time, 1.0);
  }

  TOCSIN_HD double proved_until() const { return open_ ? lo_ : t_; }

  /// The link touches at t, beyond a gap in the proof or at the start: narrow the bracket from
  /// above.
  TOCSIN_HD Certificate touched() {
    if (t_ <= 0.0) return answer(Outcome::kOverlap, 0.0);
    open_from(t_);
    double hi = t_;
    double below = max_of(not_touching_, lo_);
    while (hi - lo_ > tolerance_ && hi - below > 0.25 * tolerance_) {
      const double middle = below + 0.5 * (hi - below);
      if (!(middle > below && middle < hi) || evaluations_ >= kMaxEvaluations) break;
      (touching(look(kEvaluate(link_, middle))) ? hi : below) = middle;
    }
    return answer(Outcome::kHit, hi);
  }

  TOCSIN_HD Certificate gave_up() {
    open_from(t_);
    Certificate c = answer(Outcome::kGraze, 1.0);
    c.limited = true;
    return c;
  }

  TOCSIN_HD Certificate answer(Outcome outcome, double hi) const {
    return {outcome, outcome == Outcome::kOverlap ? 0.0 : proved_until(), hi, false, evaluations_};
  }

  /// Smallest gap left in a proof, step time: keeps t moving where eta is below its rounding.
  static constexpr double kLeastLeap = 0x1p-48;

  const LinkMotion& link_;
  const Encounter& e_;
  double tolerance_;
  double stop_after_;
  double t_ = 0.0;             ///< free on [0, t] but for [lo_, gap_end_] if open_
  bool open_ = false;          ///< the proof has a gap, or a touch was found
  double lo_ = 0.0;            ///< if open_: free on [0, lo_)
  double gap_end_ = 0.0;       ///< end of the last gap
  double leap_ = 0.0;          ///< length of the last gap
  double not_touching_ = 0.0;  ///< latest time before a gap at which the link was seen not to touch
  std::int32_t evaluations_ = 0;
};

}  // namespace detail

/// Proves what can be proved about `link` and `triangle` (relative to link.ref, metres) over the
/// step.
///
/// at0: evaluate(link, 0). tolerance: wanted width hi - lo of a hit's bracket, step time, > 0.
/// stop_after: the caller has no use for an answer whose lo exceeds this; pass >= 1 to get them
/// all. For a fixed link, triangle and tolerance every answer but kPruned is the same whatever
/// stop_after is. Not finite input: nothing is proved, the answer is a kGraze over [0, 1].
/// kEvaluate: what the axis's states are computed with.
template <EvaluateFunction kEvaluate = evaluate>
TOCSIN_HD inline Certificate certify(const LinkMotion& link, const AxisState& at0,
                                     const Triangle& triangle, double tolerance,
                                     double stop_after) {
  const double r0 = norm(triangle.v[0]);
  const double r1 = norm(triangle.v[1]);
  const double r2 = norm(triangle.v[2]);
  const double eta = rounding_margin(link, max_of(r0, max_of(r1, r2)));
  // A sum is finite only if all of it is: comparisons further on would let a NaN slip through.
  if (!std::isfinite((r0 + r1 + r2) + (eta + acceleration_of(link) + link.radius))) {
    return {Outcome::kGraze, 0.0, 1.0, true, 0};
  }
  const Encounter encounter{triangle, link.radius, eta};
  return detail::Query<kEvaluate>(link, encounter, tolerance, stop_after).run(at0);
}

}  // namespace tocsin::core
