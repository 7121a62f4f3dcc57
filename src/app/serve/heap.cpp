#include "app/serve/heap.h"

#include <algorithm>

#include "base/process_memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace tocsin::app {
namespace {

/// Bytes. Smaller growth is ignored: sessions cause that much. Larger: the soak could not
/// distinguish a leak from free memory.
constexpr std::uint64_t kWorthwhile = std::uint64_t{4} << 20;

/// Bytes. Smaller: reports, queues and the columns of a crowd's message (256 KiB) would be mapped
/// again and again. Larger: a part of a room's upload (512 KiB) would not be mapped.
constexpr int kLargeBlock = 448 << 10;

/// Bytes that an arena keeps at its end; HeapKeeper gives them back. Smaller: what a crowd's
/// message needs is given back and faulted in again with each message. Larger: each thread's arena
/// keeps more for a second.
constexpr int kKeptAtEnd = 4 << 20;

/// Bytes in the arenas that are not in use, given back or not.
std::uint64_t free_bytes() {
#ifdef __GLIBC__
  return ::mallinfo2().fordblks;
#else
  return 0;
#endif
}

std::uint64_t resident_bytes() { return base::process_memory().resident; }

void give_back_free_pages() {
#ifdef __GLIBC__
  (void)::malloc_trim(0);
#endif
}

}  // namespace

void keep_large_blocks_apart() {
#ifdef __GLIBC__
  (void)::mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  (void)::mallopt(M_TRIM_THRESHOLD, kKeptAtEnd);
#endif
}

HeapKeeper::HeapKeeper() : level_(resident_bytes()), free_(free_bytes()) {}

bool HeapKeeper::trim() {
  const std::uint64_t now = resident_bytes();
  const std::uint64_t free = free_bytes();
  level_ = std::min(level_, now);
  free_ = std::min(free_, free);
  if (now < level_ + kWorthwhile && free < free_ + kWorthwhile) return false;
  give_back_free_pages();
  level_ = resident_bytes();
  free_ = free_bytes();
  return true;
}

}  // namespace tocsin::app
