// ThreadSanitizer builds only: the few parts of oneTBB that Tocsin uses, on std::thread.
//
// The packaged libtbb is not instrumented, so ThreadSanitizer does not see how it hands a task from
// one thread to another and reports every piece of data that travels along: hundreds of false
// alarms, on frames that Tocsin's own code shares, so that suppressing them would suppress the true
// ones too. This stand-in comes first on the include path of the tsan preset
// (cmake/TocsinFlags.cmake). What runs inside parallel_for is the shipped code; TBB's own
// synchronisation is trusted.
//
// Difference: a nested parallel_for starts threads of its own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "tbb/blocked_range.h"
#include "tbb/task_arena.h"

namespace tbb {

/// Calls body(sub-range) for pieces of `range`, on as many threads as the current arena has. Pieces
/// are claimed with relaxed atomics: the only order between two of them is the one that Tocsin
/// makes itself. What a body throws first is thrown when all have ended; no further piece is
/// claimed.
template <class Index, class Body>
void parallel_for(const blocked_range<Index>& range, const Body& body) {
  std::atomic<std::size_t> next{0};
  const std::size_t size = range.size();
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto work = [&] {
    for (;;) {
      const std::size_t begin = next.fetch_add(range.grainsize(), std::memory_order_relaxed);
      if (begin >= size) return;
      const std::size_t end = std::min(size, begin + range.grainsize());
      try {
        body(blocked_range<Index>(range.begin() + static_cast<Index>(begin),
                                  range.begin() + static_cast<Index>(end), range.grainsize()));
      } catch (...) {
        next.store(size, std::memory_order_relaxed);
        const std::lock_guard lock(mutex);
        if (!thrown) thrown = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others;  // joined also if one of them cannot be started
    for (int i = 1; i < task_arena::current_concurrency(); ++i) others.emplace_back(work);
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
}

/// Calls body(index) for every index from first to last, last excluded.
template <class Index, class Body>
void parallel_for(Index first, Index last, const Body& body) {
  parallel_for(blocked_range<Index>(first, last), [&](const blocked_range<Index>& range) {
    for (Index i = range.begin(); i < range.end(); ++i) body(i);
  });
}

}  // namespace tbb
