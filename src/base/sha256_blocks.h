// The compression function of SHA-256: portable, and with the x86 instructions made for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tocsin::base {

inline constexpr std::size_t kSha256BlockBytes = 64;

using Sha256State = std::array<std::uint32_t, 8>;

/// Adds `count` blocks of 64 bytes to the state (FIPS 180-4, 6.2.2). All implementations give the
/// same.
using Sha256Blocks = void (*)(Sha256State& state, const unsigned char* bytes, std::size_t count);

void sha256_blocks_portable(Sha256State& state, const unsigned char* bytes, std::size_t count);

/// With the SHA extensions of x86 (Intel, "Intel SHA Extensions", 2013), some 5 times as fast; null
/// if this processor has none.
Sha256Blocks sha256_blocks_x86();

}  // namespace tocsin::base
