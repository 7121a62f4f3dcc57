// What is done for every item of a batch, on several threads where that pays.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <cstddef>

namespace tocsin::cuda {

/// Calls body(i) for all i below n, in any order.
template <class Body>
void for_each_item(std::size_t n, const Body& body) {
  // Items that one thread takes at once: some tens of microseconds of work. Fewer items than two
  // such parts are not worth waking a thread for.
  constexpr std::size_t kGrain = 256;
  if (n < 2 * kGrain) {
    for (std::size_t i = 0; i < n; ++i) body(i);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, kGrain), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) body(i);
  });
}

}  // namespace tocsin::cuda
