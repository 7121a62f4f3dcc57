// The iteration shared by certify and certify_pair: from states at single times to a proved answer
// about the whole step. docs/exact.md, "Directed advancement" and "Outcomes".
#pragma once

#include <cmath>
#include <cstdint>

#include "core/query/advance.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// Evaluations after which certify answers with what it has proved so far. No query in real takes
/// reaches it (worst of 10^6 random queries: see docs/oracle.md). Smaller: slow convergence becomes
/// `graze`. Larger: a hostile motion costs more time.
inline constexpr int kMaxEvaluations = 2000;

enum class Outcome : std::uint8_t {
  kFree,     ///< distance > r on all of [0, 1]
  kOverlap,  ///< touching at t = 0
  kHit,      ///< free on [0, lo), touching at hi; a touch was looked for from touch_lo on
  kGraze,    ///< free on [0, lo) and on (hi, 1]; nothing proved in between
  kPruned,   ///< free on [0, lo), and lo > stop_after: of no interest to the caller
};

/// What is proved about one link and one triangle, or about two links.
struct Certificate {
  Outcome outcome = Outcome::kFree;
  double lo = 0.0;  ///< step-local times in [0, 1]
  double hi = 0.0;
  bool limited = false;  ///< kMaxEvaluations was reached
  std::int32_t evaluations = 0;
  /// Of a hit: [touch_lo, hi] is the bracket of the touch itself, at whose start no touch could be
  /// proved; lo unless the pair was undecided before. Else 0.
  double touch_lo = 0.0;
};

/// The answer where nothing is proved.
inline constexpr Certificate kNothingProved{Outcome::kGraze, 0.0, 1.0, true, 0};

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

/// What is known at t about the time after it; all are durations.
struct Outlook {
  double clear = 0.0;  ///< proved clear for this long
  double touch = 0.0;  ///< a touch is expected after this long; kToEnd: none is
  double floor = 0.0;  ///< a `clear` below this is made of rounding: nothing more to gain
  double leap = 0.0;   ///< time in which the graze zone can be crossed
};

/// Step time: a leap up to this long is what the closest pair needs, whatever the rest of the link
/// does. Shorter: slow touches, which come to rest in the zone, take more evaluations, and their
/// brackets are others than in reports of before. Longer: so long a graze may last after its link
/// has left.
inline constexpr double kLongLeap = 1e-6;

/// The motion of a pair of closest points, and bounds for the bodies around it.
struct Approach {
  double distance = 0.0;       ///< between them, metres
  double gap = 0.0;            ///< distance - (r + eta)
  double rate = 0.0;           ///< of the distance, metres per step
  double squared_speed = 0.0;  ///< of one as seen from the other
  double acceleration = 0.0;   ///< bound of the same, metres per step^2
  double fastest = 0.0;  ///< greatest speed with which anything comes nearer, below 0: nothing does
  double greatest_speed = 0.0;  ///< greatest speed with which anything comes nearer or goes away
  double greatest = 0.0;        ///< bound of the acceleration of anything
  double deep = 2.5;  ///< a touch is proved where the gap is below -deep eta, or a little later
};

/// clear: how long all is proved to stay clear.
TOCSIN_HD inline Outlook outlook_of(const Approach& p, double clear, double eta) {
  Outlook o;
  o.clear = clear;
  // Passing by also bends the distance: by at most |velocity across n|^2 / distance.
  const double across = max_of(p.squared_speed - p.rate * p.rate, 0.0);
  o.touch = closing_time(p.gap + p.deep * eta, -p.rate, p.acceleration + across / p.distance);
  o.floor = travel_time(0.25 * eta, max_of(p.fastest, 0.0), p.greatest);
  // Where the closest pair rests at the zone's edge, or goes away, another part of the link may be
  // on its way through, or all be free soon: then no longer than anything needs in either
  // direction.
  const double own = travel_time(4.0 * eta, max_of(-p.rate, 0.0), p.acceleration);
  o.leap = min_of(own, max_of(travel_time(4.0 * eta, p.greatest_speed, p.greatest), kLongLeap));
  return o;
}

/// A query in progress: the time t up to which it is decided, and the results so far.
///
/// Meeting: two bodies that may touch. It has a State (its motion at one time) and a Closest (a
/// pair of points); at(t), the state at a time; closest(state); touching(closest), true if that
/// proves a touch; outlook(state, closest, left).
template <class Meeting>
class Query {
 public:
  using State = typename Meeting::State;
  using Closest = typename Meeting::Closest;

  TOCSIN_HD Query(const Meeting& meeting, double tolerance, double stop_after)
      : meeting_(meeting), tolerance_(tolerance), stop_after_(stop_after) {}

  TOCSIN_HD Certificate run(const State& at0) {
    for (State state = at0;; state = meeting_.at(t_)) {
      ++evaluations_;
      const Closest c = meeting_.closest(state);
      if (meeting_.touching(c)) return touched();
      const Outlook o = meeting_.outlook(state, c, 1.0 - t_);
      if (o.clear >= kToEnd) {
        return open_ ? answer(Outcome::kGraze, gap_end_) : answer(Outcome::kFree, 1.0);
      }
      const double next = advance_time(t_, o.clear);
      if (o.clear > o.floor && next > t_) {
        const double probe = min_of(t_ + o.touch, 1.0);
        if (probe - next <= tolerance_ && touching_at(probe)) {
          open_from(next);
          return hit(min_of(next, 1.0), probe);
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
  TOCSIN_HD bool touching_at(double t) {
    ++evaluations_;
    return meeting_.touching(meeting_.closest(meeting_.at(t)));
  }

  /// Freedom can be proved up to `next` and no farther from there: leaves a gap in the proof and
  /// continues beyond it. Successive gaps double, so a pair that rests in the graze zone ends soon:
  /// after some fifty evaluations.
  TOCSIN_HD void leap(double next, double least) {
    open_from(next);
    leap_ = max_of(max_of(least, kLeastLeap), 2.0 * leap_);
    not_touching_ = t_;
    t_ = min_of(max_of(t_ + leap_, next), 1.0);
    gap_end_ = t_;
  }

  /// Everything before `time` is proved free; from there on the answer is a bracket.
  TOCSIN_HD void open_from(double time) {
    if (open_) return;
    open_ = true;
    lo_ = min_of(time, 1.0);
  }

  TOCSIN_HD double proved_until() const { return open_ ? lo_ : t_; }

  /// The bodies touch at t, beyond a gap in the proof or at the start: narrows the bracket from
  /// above.
  TOCSIN_HD Certificate touched() {
    if (t_ <= 0.0) return answer(Outcome::kOverlap, 0.0);
    open_from(t_);
    double hi = t_;
    double below = max_of(not_touching_, lo_);
    while (hi - lo_ > tolerance_ && hi - below > 0.25 * tolerance_) {
      const double middle = below + 0.5 * (hi - below);
      if (!(middle > below && middle < hi) || evaluations_ >= kMaxEvaluations) break;
      (touching_at(middle) ? hi : below) = middle;
    }
    return hit(below, hi);
  }

  TOCSIN_HD Certificate hit(double touch_lo, double hi) const {
    Certificate c = answer(Outcome::kHit, hi);
    c.touch_lo = touch_lo;
    return c;
  }

  TOCSIN_HD Certificate gave_up() {
    open_from(t_);
    Certificate c = answer(Outcome::kGraze, 1.0);
    c.limited = true;
    return c;
  }

  TOCSIN_HD Certificate answer(Outcome outcome, double hi) const {
    return {outcome, outcome == Outcome::kOverlap ? 0.0 : proved_until(), hi, false, evaluations_,
            0.0};
  }

  /// Smallest gap left in a proof, step time: keeps t moving where eta is below its rounding.
  static constexpr double kLeastLeap = 0x1p-48;

  const Meeting& meeting_;
  double tolerance_;
  double stop_after_;
  double t_ = 0.0;             ///< free on [0, t] but for [lo_, gap_end_] if open_
  bool open_ = false;          ///< the proof has a gap, or a touch was found
  double lo_ = 0.0;            ///< if open_: free on [0, lo_)
  double gap_end_ = 0.0;       ///< end of the last gap
  double leap_ = 0.0;          ///< length of the last gap
  double not_touching_ = 0.0;  ///< latest time before a gap at which no touch was seen
  std::int32_t evaluations_ = 0;
};

}  // namespace detail

}  // namespace tocsin::core
