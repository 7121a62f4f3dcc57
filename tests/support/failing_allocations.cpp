#include "support/failing_allocations.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace tocsin::test {

thread_local long allocations_left = -1;

void count_allocation() {
  if (allocations_left >= 0 && allocations_left-- == 0) throw std::bad_alloc();
}

namespace {

void* allocate(std::size_t size, std::size_t alignment) {
  count_allocation();
  void* const out =
      alignment > alignof(std::max_align_t)
          ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
          : std::malloc(size > 0 ? size : 1);
  if (out == nullptr) throw std::bad_alloc();
  return out;
}

void* allocate_or_null(std::size_t size, std::size_t alignment) noexcept {
  try {
    return allocate(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

/// Not inlined: g++ would take free() for the wrong partner of new.
[[gnu::noinline]] void release(void* p) noexcept { std::free(p); }

}  // namespace
}  // namespace tocsin::test

// Every form, those that do not throw too: AddressSanitizer brings its own of each that is left
// out, and takes what such a one hands out and `release` frees for a mistake.
using tocsin::test::allocate;
using tocsin::test::allocate_or_null;
using tocsin::test::release;

void* operator new(std::size_t size) { return allocate(size, 1); }
void* operator new[](std::size_t size) { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return allocate_or_null(size, 1);
}
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return allocate_or_null(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment,
                   const std::nothrow_t& /*tag*/) noexcept {
  return allocate_or_null(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment,
                     const std::nothrow_t& /*tag*/) noexcept {
  return allocate_or_null(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t /*size*/) noexcept { release(p); }
void operator delete[](void* p, std::size_t /*size*/) noexcept { release(p); }
void operator delete(void* p, std::align_val_t /*alignment*/) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t /*alignment*/) noexcept { release(p); }
void operator delete(void* p, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  release(p);
}
void operator delete[](void* p, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
  release(p);
}
