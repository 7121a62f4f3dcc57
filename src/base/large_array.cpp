#include "base/large_array.h"

#include <limits>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tocsin::base {

namespace {

/// A large page of x86-64 and of most ARM systems, bytes. Where pages have another size nothing is
/// lost but alignment.
constexpr std::size_t kLargePage = std::size_t{1} << 21U;
constexpr std::align_val_t kCacheLine{64};

std::align_val_t alignment(std::size_t bytes) {
  return bytes >= kLargePage ? std::align_val_t{kLargePage} : kCacheLine;
}

}  // namespace

void* allocate_large(std::size_t bytes) {
  void* const memory = ::operator new(bytes, alignment(bytes));
#if defined(__linux__)
  // A wish: it does not matter if it is not granted.
  if (bytes >= kLargePage) static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
#endif
  return memory;
}

void free_large(void* memory, std::size_t bytes) noexcept {
  ::operator delete(memory, alignment(bytes));
}

}  // namespace tocsin::base
