// Returns freed memory to the system.
#pragma once

#include <cstdint>

namespace tocsin::app {

/// From now on blocks above 256 KiB have their own pages, which are returned when they are freed.
/// By default the C library takes larger and larger blocks (up to 32 MiB) from its arenas once one
/// was freed. Then the messages of one upload stayed in memory for tens of seconds (60 MiB of them,
/// seen in the soak).
void keep_large_blocks_apart();

/// The C library keeps freed memory in arenas, where one small live block holds up to 64 MiB above
/// it. So a server whose clients once sent large messages stays that large (120 MiB, seen in the
/// soak). This class returns the free pages from time to time.
class HeapKeeper {
 public:
  HeapKeeper();

  /// Returns free pages if memory has grown since the last time, or if more of it is free. Call it
  /// about once a second. Each arena is locked meanwhile (about a millisecond), so it does nothing
  /// if there is little to gain. @return whether it did
  bool trim();

 private:
  std::uint64_t level_;  ///< bytes, after the pages were last given back
  std::uint64_t free_;   ///< bytes in the arenas then, or fewer since
};

}  // namespace tocsin::app
