// Which pairs of a link and an object a scene has switched on.
#pragma once

#include <cstdint>

namespace tocsin::detail {

/// Asked by ActivePairs. Immutable and safe to share between threads.
class PairFilter {
 public:
  PairFilter() = default;
  PairFilter(const PairFilter&) = delete;
  PairFilter& operator=(const PairFilter&) = delete;
  virtual ~PairFilter() = default;
  [[nodiscard]] virtual bool active(std::int32_t link, std::uint32_t object) const = 0;
};

}  // namespace tocsin::detail
