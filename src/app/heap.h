// Memory that was freed, given back to the system.
#pragma once

#include <cstdint>

namespace tocsin::app {

/// Bytes of this process in memory; 0 where the system does not say.
[[nodiscard]] std::uint64_t resident_bytes();

/// From now on blocks above 256 KiB are pages of their own, which go back when they are freed. By
/// itself the C library takes ever larger blocks (up to 32 MiB) from its arenas once one was freed:
/// the messages of one upload then lay idle for tens of seconds (60 MiB of them, seen in the soak).
void keep_large_blocks_apart();

/// The C library keeps what threads free in arenas of their own: one small block that lives on
/// holds up to 64 MiB above it. A server whose clients once sent large messages stays that large
/// (120 MiB, seen in the soak). Now and then the free pages are given back.
class HeapKeeper {
 public:
  HeapKeeper() : level_(resident_bytes()) {}

  /// Gives free pages back if memory has grown since that was last done. To be called about once a
  /// second: each arena is locked for the time (about a millisecond), so not oftener than there is
  /// something to gain.
  /// @return whether it did
  bool look();

 private:
  std::uint64_t level_;  ///< bytes, after the pages were last given back
};

}  // namespace tocsin::app
