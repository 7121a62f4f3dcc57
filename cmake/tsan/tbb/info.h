// ThreadSanitizer builds only: see parallel_for.h.
#pragma once

#include <algorithm>
#include <thread>

namespace tbb::info {

/// At least four, so that threads meet even on a small machine.
inline int default_concurrency() {
  return std::max(4, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace tbb::info
