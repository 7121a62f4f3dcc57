// From the certificates of single triangles to the first contact of one (link, object) pair.
// docs/exact.md, "certify is a pure function".
#pragma once

#include <cstdint>
#include <optional>

#include "core/certify.h"
#include "tocsin/detector.h"

namespace tocsin::detect {

/// Folds certificates in any order to the same result.
class PairContact {
 public:
  /// Takes the certificate of a triangle (index within its object). kFree and kPruned change
  /// nothing.
  void add(std::uint32_t triangle, const core::Certificate& c);

  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] ContactStatus status() const { return status_; }
  /// Proved free before this: the least lo of all triangles.
  [[nodiscard]] double lo() const { return lo_; }
  /// Overlap and hit: the least proved touch. Graze only: the end of the last stretch not proved
  /// free.
  [[nodiscard]] double hi() const { return hi_; }
  /// The triangle with the least (hi, lo, index) among those of the pair's status.
  [[nodiscard]] std::uint32_t triangle() const { return triangle_; }
  [[nodiscard]] bool limited() const { return limited_; }

  /// A triangle that is proved free until after this time cannot change the result.
  [[nodiscard]] double stop_after() const;

 private:
  bool any_ = false;
  bool limited_ = false;
  ContactStatus status_ = ContactStatus::kGraze;
  double lo_ = 1.0;
  double hi_ = 0.0;
  double key_hi_ = 0.0;  ///< (hi, lo) of triangle_
  double key_lo_ = 0.0;
  std::uint32_t triangle_ = 0;
};

}  // namespace tocsin::detect
