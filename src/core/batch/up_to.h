// A body for as many elements as the device has counted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/vector/hd.h"

namespace tocsin::core::batch {

/// The body's element i for i below *count; nothing for all others. So a launch needs a bound of
/// the count, and not the count itself.
template <class Body>
struct UpTo {
  Body body;
  const std::uint64_t* count;
  TOCSIN_HD void operator()(std::size_t i) const {
    if (i < *count) body(i);
  }
};

}  // namespace tocsin::core::batch
