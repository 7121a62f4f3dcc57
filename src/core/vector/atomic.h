// Operations of one launch's threads on shared numbers: on the device by its own instructions, on
// the CPU by std::atomic_ref. Results must not depend on the order, so there are only sums of
// integers, and least values. docs/cuda.md, "Kernels".
#pragma once

#include <atomic>
#include <cstdint>

#include "core/vector/hd.h"

namespace tocsin::core {

/// Adds `n` to `to` and returns what it was before.
TOCSIN_HD inline std::uint32_t atomic_add(std::uint32_t& to, std::uint32_t n) {
#ifdef __CUDA_ARCH__
  return atomicAdd(&to, n);
#else
  return std::atomic_ref<std::uint32_t>(to).fetch_add(n, std::memory_order_acq_rel);
#endif
}

/// The same for sums that exceed 32 bits, without a result.
TOCSIN_HD inline void atomic_add(std::uint64_t& to, std::uint64_t n) {
#ifdef __CUDA_ARCH__
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  atomicAdd(reinterpret_cast<unsigned long long*>(&to), static_cast<unsigned long long>(n));
#else
  std::atomic_ref<std::uint64_t>(to).fetch_add(n, std::memory_order_relaxed);
#endif
}

/// The same, and returns what it was before.
TOCSIN_HD inline std::uint64_t atomic_take(std::uint64_t& to, std::uint64_t n) {
#ifdef __CUDA_ARCH__
  return atomicAdd(reinterpret_cast<unsigned long long*>(&to), static_cast<unsigned long long>(n));
#else
  return std::atomic_ref<std::uint64_t>(to).fetch_add(n, std::memory_order_relaxed);
#endif
}

/// Lowers `to` to `n` if that is less.
TOCSIN_HD inline void atomic_least(std::uint32_t& to, std::uint32_t n) {
#ifdef __CUDA_ARCH__
  atomicMin(&to, n);
#else
  std::atomic_ref<std::uint32_t> shared(to);
  std::uint32_t old = shared.load(std::memory_order_relaxed);
  while (n < old && !shared.compare_exchange_weak(old, n, std::memory_order_relaxed)) {
  }
#endif
}

/// A memory fence. Call it before and after the 32-bit atomic_add() by which a thread announces its
/// writes, or sees another's: writes before it can be read after it. On the CPU the addition itself
/// is the fence.
TOCSIN_HD inline void publish() {
#ifdef __CUDA_ARCH__
  __threadfence();
#endif
}

}  // namespace tocsin::core
