// Proofs about two links, both moving: are they farther apart than the sum of their radii over an
// interval, do they touch at a time? The search in time is IntervalProver's.
#pragma once

#include "oracle/interval_prover.h"
#include "oracle/link_path.h"

namespace tocsin::oracle {

/// Two links over one step. `radius`: the sum of both, metres. The paths must outlive it.
class PairProver : public IntervalProver {
 public:
  PairProver(const LinkPath& path, const LinkPath& other, Real radius,
             Tests tests = Tests::kLipschitzAndPlanes)
      : PairProver(path, other, widen<Real>(other.origin()) - widen<Real>(path.origin()), radius,
                   tests) {}

 private:
  /// A part of both axes, by their parameters.
  struct Piece {
    Real from = 0.0L;
    Real to = 1.0L;
    Real other_from = 0.0L;
    Real other_to = 1.0L;
  };
  struct Plane;

  PairProver(const LinkPath& path, const LinkPath& other, const RealVec& shift, Real radius,
             Tests tests)
      : IntervalProver(radius, pair_slack(path, other, length(shift)),
                       path.bounds().speed + other.bounds().speed, tests),
        path_(path),
        other_(other),
        shift_(shift) {}

  /// The sum of both paths' slacks, each with the distance of the origins (docs/oracle.md).
  static Real pair_slack(const LinkPath& path, const LinkPath& other, Real apart) {
    return rounding_slack(path.bounds(), apart) + rounding_slack(other.bounds(), apart);
  }

  [[nodiscard]] Instant at(Real t) const override;
  [[nodiscard]] bool clear_between(const Instant& left, const Instant& right) const override;
  [[nodiscard]] bool clear_piece(const Plane& plane, Real s, Real f, const Piece& whole,
                                 Piece& cleared) const;

  const LinkPath& path_;
  const LinkPath& other_;
  RealVec shift_;  ///< other's origin less this one's: coordinates are relative to this one's
};

}  // namespace tocsin::oracle
