// ThreadSanitizer builds only (parallel_for.h): parallel_reduce of oneTBB.
#pragma once

#include <mutex>

#include "tbb/parallel_for.h"

namespace tbb {

/// body(sub-range, value) for pieces of `range`, their results joined.
///
/// Difference: they are joined in any order. So `join` must be commutative, too.
template <class Index, class Value, class Body, class Join>
Value parallel_reduce(const blocked_range<Index>& range, const Value& identity, const Body& body,
                      const Join& join) {
  std::mutex mutex;
  Value out = identity;
  parallel_for(range, [&](const blocked_range<Index>& piece) {
    const Value part = body(piece, identity);
    const std::lock_guard lock(mutex);
    out = join(out, part);
  });
  return out;
}

}  // namespace tbb
