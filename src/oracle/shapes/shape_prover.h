// Proofs about two sets of features, both moving: is every feature of one farther than a radius
// from every feature of the other over an interval, do two of them touch at a time?
//
// Pairs of spheres of both trees are proved apart, over the whole interval or parts of it. Every
// pair of features that is left is a question for HullProver.
#pragma once

#include <cstdint>
#include <string>

#include "oracle/interval_prover.h"
#include "oracle/shapes/moving_shape.h"

namespace tocsin::oracle {

/// A feature of each of two sets.
struct TwoFeatures {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

/// The shapes must outlive it.
class ShapeProver : public BodyProver {
 public:
  /// `radius`: the sum of both shapes', metres. `named`: whose distance() is asked for.
  /// Precondition: they exist.
  ShapeProver(const MovingShape& first, const MovingShape& second, Real radius,
              const TwoFeatures& named = {});

  /// `budget`: of every pair of features. A touch is searched for even after a pair could not be
  /// decided.
  Proof prove_free(Real t0, Real t1, std::int64_t budget) override;

  /// Of the two that are named.
  [[nodiscard]] Distance distance(Real t) override;

  /// "feature 3 and feature 7"
  [[nodiscard]] std::string parts() const override;

  /// Those that the last answer is about.
  [[nodiscard]] const TwoFeatures& last() const { return last_; }
  /// How many pairs of features needed a proof of their own so far.
  [[nodiscard]] std::int64_t asked() const { return asked_; }

 private:
  /// Two nodes, and an interval of time.
  struct Open {
    std::size_t first = 0;
    std::size_t second = 0;
    Real t0 = 0.0L;
    Real t1 = 0.0L;
  };
  struct Spheres;

  [[nodiscard]] Spheres spheres(const Open& open) const;
  [[nodiscard]] RealVec gap(const Open& open, Real t) const;
  [[nodiscard]] bool apart(const Open& open, const Spheres& s) const;
  [[nodiscard]] Real way(const Open& open, const Spheres& s) const;
  Proof ask(const TwoFeatures& two, Real t0, Real t1, std::int64_t budget);

  const MovingShape& first_;
  const MovingShape& second_;
  RealVec shift_;  ///< second's origin less first's
  Real slack_;     ///< of every distance between points of both
  TwoFeatures named_;
  TwoFeatures last_;
  std::int64_t asked_ = 0;
};

}  // namespace tocsin::oracle
