// Proofs about one link, one triangle and one radius: is it free over an interval, does it touch at
// a time? The search in time is IntervalProver's.
#pragma once

#include <array>

#include "oracle/interval_prover.h"
#include "oracle/link_path.h"
#include "oracle/separation.h"

namespace tocsin::oracle {

/// One link against one triangle. `path` must outlive it.
class Prover : public IntervalProver {
 public:
  Prover(const LinkPath& path, const std::array<Vec3f, 3>& corners, Real radius,
         Tests tests = Tests::kLipschitzAndPlanes)
      : Prover(path, TriangleFrame(corners, path.origin()), radius, tests) {}

 private:
  struct Piece {
    Real from = 0.0L;
    Real to = 0.0L;
  };

  Prover(const LinkPath& path, const TriangleFrame& triangle, Real radius, Tests tests)
      : IntervalProver(radius, rounding_slack(path.bounds(), triangle.extent), path.bounds().speed,
                       tests),
        path_(path),
        triangle_(triangle) {}

  [[nodiscard]] Instant at(Real t) const override;
  [[nodiscard]] bool clear_between(const Instant& left, const Instant& right) const override;
  bool clear_piece(const Instant& left, const Instant& right, const Separation& seen, Real s,
                   const Piece& whole, Piece& cleared) const;

  const LinkPath& path_;
  TriangleFrame triangle_;
};

}  // namespace tocsin::oracle
