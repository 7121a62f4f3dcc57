// ThreadSanitizer builds only (parallel_for.h): parallel_sort of oneTBB.
#pragma once

#include <algorithm>

namespace tbb {

/// Difference: on one thread.
template <class Iterator, class Less>
void parallel_sort(Iterator begin, Iterator end, const Less& less) {
  std::sort(begin, end, less);
}

}  // namespace tbb
