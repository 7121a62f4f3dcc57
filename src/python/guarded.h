// What the library allows one thread at a time to use.
#pragma once

#include <mutex>
#include <utility>

#include "python/without_gil.h"

namespace tocsin::python {

/// Of threads of Python that share it, one after the other uses it.
template <class T>
struct Guarded {
  std::mutex mutex;
  T value;

  explicit Guarded(T made) : value(std::move(made)) {}

  /// Calls `use(value)` without the interpreter's lock.
  template <class Use>
  auto with(Use&& use) {
    return without_gil([&] {
      const std::scoped_lock lock(mutex);
      return use(value);
    });
  }
};

}  // namespace tocsin::python
