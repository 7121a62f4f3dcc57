// Arrays of many megabytes. They are not cleared before they are written, and lie on large pages
// where the system has them. Clearing costs as much as filling, and only one thread does it. Small
// pages cost a fault each at their first write, and later misses of the address cache.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace tocsin::base {

/// Allocates so many bytes, aligned to 64, and on large pages if there are enough bytes. Throws
/// std::bad_alloc.
void* allocate_large(std::size_t bytes);
void free_large(void* memory, std::size_t bytes) noexcept;

template <class T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <class Other>
  LargeAllocator(const LargeAllocator<Other>& /*other*/) {}  // NOLINT(google-explicit-constructor)

  T* allocate(std::size_t count) { return static_cast<T*>(allocate_large(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { free_large(memory, count * sizeof(T)); }

  /// Without a value: leaves the entry as it is.
  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Values>
  void construct(U* at, Values&&... values) {
    ::new (static_cast<void*>(at)) U(std::forward<Values>(values)...);
  }

  friend bool operator==(const LargeAllocator& /*a*/, const LargeAllocator& /*b*/) { return true; }
};

/// resize() leaves new entries of a type without constructor unset.
template <class T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

}  // namespace tocsin::base
