// The sort of an emulated device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tocsin::cuda::detail {

/// Bytes that radix_sort needs beside what it sorts.
std::size_t radix_sort_bytes(std::size_t n, bool with_values);
/// Stable, ascending. values: null, or what moves along with the keys.
void radix_sort(std::uint64_t* keys, std::uint32_t* values, std::size_t n, void* scratch);

}  // namespace tocsin::cuda::detail
