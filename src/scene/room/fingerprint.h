// Hashes of many bytes at about the speed of memory. They identify the environment of a tree, and
// show if a cache is whole. Not cryptographic, and in the machine's own byte order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tocsin/environment.h"

namespace tocsin::scene {

/// Bytes that differ within one stretch of 8 (counted from the first) always give another hash.
/// Other accidental differences go unnoticed about once in 2^64.
[[nodiscard]] std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);

/// Hash of the bits of all vertices and the indices of all triangles, not of names.
[[nodiscard]] std::uint64_t fingerprint(const Environment& environment);

}  // namespace tocsin::scene
