#include "detect/pair_contact.h"

#include <algorithm>
#include <tuple>

namespace tocsin::detect {

namespace {

ContactStatus status_of(core::Outcome outcome) {
  switch (outcome) {
    case core::Outcome::kOverlap:
      return ContactStatus::kOverlap;
    case core::Outcome::kHit:
      return ContactStatus::kHit;
    default:
      return ContactStatus::kGraze;
  }
}

}  // namespace

void PairContact::add(std::uint32_t triangle, const core::Certificate& c) {
  if (c.outcome == core::Outcome::kFree || c.outcome == core::Outcome::kPruned) return;
  const ContactStatus status = status_of(c.outcome);
  const bool stronger = !any_ || status < status_;  // overlap < hit < graze
  const bool weaker = any_ && status > status_;
  lo_ = any_ ? std::min(lo_, c.lo) : c.lo;
  if (!weaker) {
    // Outside [lo, hi] a graze must be free of every triangle, so hi is the last of theirs; a touch
    // is proved by the first.
    const bool graze = status == ContactStatus::kGraze;
    hi_ = stronger ? c.hi : graze ? std::max(hi_, c.hi) : std::min(hi_, c.hi);
    limited_ = (!stronger && limited_) || c.limited;
    if (stronger || std::tie(c.hi, c.lo, triangle) < std::tie(key_hi_, key_lo_, triangle_)) {
      std::tie(key_hi_, key_lo_, triangle_) = std::tie(c.hi, c.lo, triangle);
    }
    status_ = status;
  }
  any_ = true;
}

double PairContact::stop_after() const {
  // A graze proves no touch, so nothing may be left out because of it.
  return any_ && status_ != ContactStatus::kGraze ? hi_ : core::kToEnd;
}

}  // namespace tocsin::detect
