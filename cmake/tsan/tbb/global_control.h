// ThreadSanitizer builds only: see parallel_for.h.
#pragma once

#include <cstddef>

namespace tbb {

/// Does nothing: an arena here always gets the threads that it asks for.
class global_control {
 public:
  enum parameter { max_allowed_parallelism };
  global_control(parameter /*what*/, std::size_t /*value*/) {}
};

}  // namespace tbb
