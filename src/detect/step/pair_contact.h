// core::PairContact in the words of a report.
#pragma once

#include "core/query/pair_contact.h"
#include "tocsin/contact.h"

namespace tocsin::detect {

static_assert(static_cast<int>(core::Touch::kOverlap) == static_cast<int>(ContactStatus::kOverlap));
static_assert(static_cast<int>(core::Touch::kHit) == static_cast<int>(ContactStatus::kHit));
static_assert(static_cast<int>(core::Touch::kGraze) == static_cast<int>(ContactStatus::kGraze));

template <class Index>
class PairContactOf : public core::PairContactOf<Index> {
 public:
  using core::PairContactOf<Index>::hi;
  using core::PairContactOf<Index>::limited;
  using core::PairContactOf<Index>::lo;
  using core::PairContactOf<Index>::place_time;

  [[nodiscard]] ContactStatus status() const { return static_cast<ContactStatus>(this->touch()); }
  /// Sets what is proved about the pair: status, bracket, and whether a limit was reached.
  void set(Contact& contact) const {
    contact.status = status();
    contact.toc = {lo(), hi()};
    if (place_time() > lo()) contact.touching = {place_time(), hi()};
    contact.limited = limited();
  }
};

using PairContact = PairContactOf<std::uint32_t>;

}  // namespace tocsin::detect
