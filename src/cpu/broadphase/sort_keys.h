// Sorting integers by some of their bits.
#pragma once

#include <cstdint>
#include <vector>

namespace tocsin::cpu {

/// Sorts the keys, given that those which agree in the bits [low, high) are in order already:
/// O(size (high - low)) for many keys, without a comparison. `spare` is working memory.
void sort_keys(std::vector<std::uint64_t>& keys, unsigned low, unsigned high,
               std::vector<std::uint64_t>& spare);

}  // namespace tocsin::cpu
