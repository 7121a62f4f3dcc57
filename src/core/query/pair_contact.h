// From the certificates of single triangles to the first contact of one (link, object) pair.
// docs/exact.md, "certify is a pure function".
#pragma once

#include <cstdint>

#include "core/query/advance.h"
#include "core/query/query.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// How a pair touches: the core's ContactStatus, the strongest first.
enum class Touch : std::uint8_t { kOverlap, kHit, kGraze };

/// Folds certificates in any order to the same result. Certificates of triangles that are proved
/// free until after stop_after() may be left out. Index: what tells triangles (or pairs of
/// features) apart.
template <class Index>
class PairContactOf {
 public:
  /// Takes the certificate of a triangle (index within its object). kFree and kPruned change
  /// nothing.
  TOCSIN_HD void add(Index triangle, const Certificate& c) {
    if (c.outcome == Outcome::kFree || c.outcome == Outcome::kPruned) return;
    const Touch touch = touch_of(c.outcome);
    const bool stronger = !any_ || touch < touch_;
    const bool weaker = any_ && touch > touch_;
    lo_ = any_ ? min_of(c.lo, lo_) : c.lo;
    if (!weaker) {
      // Outside [lo, hi] a graze must be free of every triangle, so hi is the last of theirs; a
      // touch is proved by the first.
      hi_ = stronger ? c.hi : touch == Touch::kGraze ? max_of(c.hi, hi_) : min_of(c.hi, hi_);
      limited_ = (!stronger && limited_) || c.limited;
      if (stronger || comes_first(triangle, c)) {
        key_hi_ = c.hi;
        key_lo_ = c.lo;
        touch_lo_ = c.touch_lo;
        triangle_ = triangle;
      }
      touch_ = touch;
    }
    any_ = true;
  }

  [[nodiscard]] TOCSIN_HD bool any() const { return any_; }
  [[nodiscard]] TOCSIN_HD Touch touch() const { return touch_; }
  /// Proved free before this: the least lo of all triangles.
  [[nodiscard]] TOCSIN_HD double lo() const { return lo_; }
  /// Overlap and hit: the least proved touch. Graze only: the end of the last stretch not proved
  /// free.
  [[nodiscard]] TOCSIN_HD double hi() const { return hi_; }
  /// The triangle with the least (hi, lo, index) among those of the pair's status.
  [[nodiscard]] TOCSIN_HD Index triangle() const { return triangle_; }
  /// When the contact is nearest to be told where it is: lo(), or, of a hit before which something
  /// was undecided for longer than kUndecided, where the bracket of the touch itself begins; it
  /// ends at hi(), and is that of triangle().
  [[nodiscard]] TOCSIN_HD double place_time() const {
    return touch_ == Touch::kHit && touch_lo_ - lo_ > kUndecided ? touch_lo_ : lo_;
  }
  [[nodiscard]] TOCSIN_HD bool limited() const { return limited_; }

  /// A triangle that is proved free until after this time cannot change the result.
  [[nodiscard]] TOCSIN_HD double stop_after() const {
    // A graze proves no touch, so nothing may be left out because of it.
    return any_ && touch_ != Touch::kGraze ? hi_ : kToEnd;
  }

 private:
  TOCSIN_HD static Touch touch_of(Outcome outcome) {
    return outcome == Outcome::kOverlap ? Touch::kOverlap
           : outcome == Outcome::kHit   ? Touch::kHit
                                        : Touch::kGraze;
  }
  TOCSIN_HD bool comes_first(Index triangle, const Certificate& c) const {
    if (c.hi != key_hi_) return c.hi < key_hi_;
    if (c.lo != key_lo_) return c.lo < key_lo_;
    return triangle < triangle_;
  }

  /// Step time. Shorter: brackets that rounding alone has widened, as of slow touches, would count
  /// as two things. Longer: so much of a step could go by between both ends of a bracket.
  static constexpr double kUndecided = 1e-6;

  bool any_ = false;
  bool limited_ = false;
  Touch touch_ = Touch::kGraze;
  double lo_ = 1.0;
  double hi_ = 0.0;
  double key_hi_ = 0.0;  ///< (hi, lo) of triangle_
  double key_lo_ = 0.0;
  double touch_lo_ = 0.0;  ///< of triangle_
  Index triangle_ = 0;
};

using PairContact = PairContactOf<std::uint32_t>;

}  // namespace tocsin::core
