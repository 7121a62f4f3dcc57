// A counter that any thread may add to.
#pragma once

#include <atomic>
#include <cstdint>

namespace tocsin::service {

/// Only grows. Relaxed: counters order nothing, and a step must not wait for them. Thread-safe.
class Count {
 public:
  void add(std::uint64_t more = 1) { value_.fetch_add(more, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

}  // namespace tocsin::service
