// Proofs over intervals of time about two moving bodies: do they stay farther apart than a radius,
// do they touch at a time? Derived classes define the bodies: a link and a triangle (prove.h), two
// links (prove_pair.h).
//
// The base is left-first bisection with the Lipschitz bound: an interval whose middle is farther
// away than radius + speed * half its length is free. If that fails, a second-order test may still
// prove it (docs/oracle.md, "Two supporting planes at two times"). Otherwise the interval is
// halved.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "oracle/hulls/hull_separation.h"
#include "oracle/kinematics.h"
#include "oracle/number.h"
#include "oracle/separation.h"

namespace tocsin::oracle {

/// The result about an interval of time.
struct Proof {
  enum class Kind : std::uint8_t {
    kFree,       ///< distance > radius on all of it
    kTouch,      ///< distance <= radius at `time`
    kUndecided,  ///< neither, on [from, to]: too close to call, or the budget is used up
  };
  Kind kind = Kind::kUndecided;
  Real time = 0.0L;      ///< of the touch
  Real distance = 0.0L;  ///< at `time`: no more than this, metres
  Real from = 0.0L;      ///< free from the start of the interval up to here, whatever the kind
  Real to = 0.0L;
};

/// What can be asked about two moving bodies: links, triangles and hulls (IntervalProver), or sets
/// of hulls (shapes/shape_prover.h). Counts the evaluations it makes.
class BodyProver {
 public:
  virtual ~BodyProver() = default;

  /// Proves that [t0, t1] is free, or finds a touch in it (not always the first), or gives up after
  /// `budget` evaluations.
  virtual Proof prove_free(Real t0, Real t1, std::int64_t budget) = 0;

  /// Bounds of the distance at one time, slack included: [no less than, no more than], metres.
  struct Distance {
    Real least = 0.0L;
    Real most = 0.0L;
  };
  [[nodiscard]] virtual Distance distance(Real t) = 0;

  /// Which parts of the two the last answer is about, for a person; empty: there are no parts.
  [[nodiscard]] virtual std::string parts() const { return {}; }

  /// The distance at which the two touch, metres.
  [[nodiscard]] Real radius() const { return radius_; }
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }

 protected:
  explicit BodyProver(Real radius) : radius_(radius) {}
  BodyProver(const BodyProver&) = default;
  BodyProver& operator=(const BodyProver&) = delete;

  void count(std::int64_t evaluations) { evaluations_ += evaluations; }

 private:
  Real radius_;
  std::int64_t evaluations_ = 0;
};

/// Which tests may be used. The plain test alone is slow near a touch. It serves to check the other
/// test.
enum class Tests : std::uint8_t { kLipschitz, kLipschitzAndPlanes };

/// The search in time.
class IntervalProver : public BodyProver {
 public:
  /// Gives up also where an interval would be shorter than 2^-56.
  Proof prove_free(Real t0, Real t1, std::int64_t budget) override;

  /// The same, but after a touch it continues to the left of it, until the time between the proved
  /// freedom (`from`) and the touch (`time`) is at most `width`, or no more can be proved.
  Proof first_touch(Real t0, Real t1, Real width, std::int64_t budget);

  [[nodiscard]] Distance distance(Real t) override;

  /// True if distance(t) is at most the radius, proved; false also if it is too close to call.
  [[nodiscard]] bool touches(Real t) { return distance(t).most <= radius(); }

  /// Bound of the rounding error of a computed distance, metres.
  [[nodiscard]] Real slack() const { return slack_; }

 protected:
  /// speed: no distance between the two changes faster than this, metres per step.
  IntervalProver(Real radius, Real slack, Real speed, Tests tests)
      : BodyProver(radius), slack_(slack), speed_(speed), tests_(tests) {}

  /// Both at one time, relative to one origin.
  struct Instant {
    Real t = 0.0L;
    Axis<Real> axis;
    Axis<Real> other;  ///< of two links
    Separation apart;
    std::array<Corners, 2> hulls = {};  ///< of two hulls, and what parts them
    PartingPlanes planes = {};
  };

 private:
  [[nodiscard]] virtual Instant at(Real t) const = 0;
  /// True if planes prove that they stay apart from one time to a later one.
  [[nodiscard]] virtual bool clear_between(const Instant& left, const Instant& right) const = 0;

  Instant look(Real t) {
    count(1);
    return at(t);
  }
  [[nodiscard]] bool touching(const Instant& i) const {
    return i.apart.pierced || i.apart.upper + slack_ <= radius();
  }
  [[nodiscard]] bool clear_around(const Instant& middle, Real half) const;
  static Proof touch_at(const Instant& i, Real free_until);

  Real slack_;
  Real speed_;
  Tests tests_;
};

}  // namespace tocsin::oracle
