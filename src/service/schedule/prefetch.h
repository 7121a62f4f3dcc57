// Asks for memory before it is used. A hint: nothing depends on it.
#pragma once

#include <cstddef>

namespace tocsin::service {

/// Bytes of a cache line, as most processors have them.
inline constexpr std::size_t kCacheLine = 64;

/// Brings `bytes` from `at` on into the caches. They need not be there, and are not read: another
/// thread may write them. Null: nothing.
inline void prefetch(const void* at, std::size_t bytes) {
  if (at == nullptr) return;
  const char* const from = static_cast<const char*>(at);
  for (std::size_t i = 0; i < bytes; i += kCacheLine) __builtin_prefetch(from + i);
}

}  // namespace tocsin::service
