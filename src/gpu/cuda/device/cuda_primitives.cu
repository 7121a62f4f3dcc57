// Sort, sum and select of a real device: CUB's, in memory that is used again.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <iterator>

#include "gpu/cuda/device/cuda_work.h"

namespace tocsin::cuda::detail {
namespace {

__global__ void do_nothing() {}

/// As cudaMalloc aligns: parts of one allocation start at such multiples.
constexpr std::size_t kAlignment = 256;
constexpr std::size_t padded(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// from[i], and 0 behind the end: the last sum is that of all.
struct Addend {
  const std::uint32_t* from;
  std::size_t n;
  __host__ __device__ std::uint64_t operator()(std::size_t i) const {
    return i < n ? from[i] : std::uint64_t{0};
  }
};

}  // namespace

cudaError_t CudaWork::find_kernel() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, do_nothing);
}

BuildNeeds CudaWork::build_needs() {
  // Drivers run whatever was built with the same major version. Every list has PTX, which newer
  // devices compile for themselves.
  constexpr int kArchitectures[] = {__CUDA_ARCH_LIST__};  // 800, 900, ...
  return {CUDART_VERSION / 1000 * 1000,
          *std::min_element(std::begin(kArchitectures), std::end(kArchitectures)) / 10};
}

void CudaWork::sort(std::uint64_t* keys, std::uint32_t* values, std::size_t n, KeyBits bits,
                    const Where& where) {
  const Call call{.name = "cub::DeviceRadixSort", .size = n, .unit = "elements"};
  const std::size_t key_bytes = padded(n * sizeof *keys);
  const std::size_t value_bytes = values == nullptr ? 0 : padded(n * sizeof *values);
  cub::DoubleBuffer<std::uint64_t> k(keys, keys);
  cub::DoubleBuffer<std::uint32_t> v(values, values);
  const auto run = [&](void* memory, std::size_t& bytes, int begin, int end) {
    return values == nullptr
               ? cub::DeviceRadixSort::SortKeys(memory, bytes, k, n, begin, end, stream())
               : cub::DeviceRadixSort::SortPairs(memory, bytes, k, v, n, begin, end, stream());
  };
  std::size_t bytes = 0;  // for any bits: those of all suffice
  check(run(nullptr, bytes, 0, 64), call, where);
  auto* const memory = static_cast<char*>(scratch(key_bytes + value_bytes + bytes, where));
  k = {keys, reinterpret_cast<std::uint64_t*>(memory)};
  v = {values, reinterpret_cast<std::uint32_t*>(memory + key_bytes)};
  const auto sort_bits = [&](int begin, int end) {
    std::size_t enough = bytes;
    if (begin < end) check(run(memory + key_bytes + value_bytes, enough, begin, end), call, where);
  };
  if (bits.low == 32) {
    sort_bits(0, 32 + bits.high);
  } else {  // the lower half first: each sort is stable
    sort_bits(0, bits.low);
    sort_bits(32, 32 + bits.high);
  }
  if (k.Current() != keys) copy(keys, k.Current(), n * sizeof *keys, where);
  if (values != nullptr && v.Current() != values) {
    copy(values, v.Current(), n * sizeof *values, where);
  }
}

void CudaWork::exclusive_sum(const std::uint32_t* from, std::uint64_t* to, std::size_t n,
                             const Where& where) {
  const Call call{.name = "cub::DeviceScan", .size = n, .unit = "elements"};
  const auto addends = thrust::make_transform_iterator(
      thrust::make_counting_iterator(std::size_t{0}), Addend{from, n});
  const auto run = [&](void* memory, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, addends, to, n + 1, stream());
  };
  std::size_t bytes = 0;
  check(run(nullptr, bytes), call, where);
  check(run(scratch(bytes, where), bytes), call, where);
}

void CudaWork::select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                      std::uint64_t* count, const Where& where) {
  const Call call{.name = "cub::DeviceSelect", .size = n, .unit = "elements"};
  const auto indices = thrust::make_counting_iterator(std::uint32_t{0});
  const auto run = [&](void* memory, std::size_t& bytes, std::uint64_t* counted) {
    return cub::DeviceSelect::Flagged(memory, bytes, indices, flags, to, counted, n, stream());
  };
  std::size_t bytes = 0;
  check(run(nullptr, bytes, count), call, where);
  auto* const memory = static_cast<char*>(scratch(kAlignment + bytes, where));
  if (count == nullptr) count = reinterpret_cast<std::uint64_t*>(memory);
  check(run(memory + kAlignment, bytes, count), call, where);
}

std::size_t CudaWork::select(const std::uint8_t* flags, std::uint32_t* to, std::size_t n,
                             const Where& where) {
  select(flags, to, n, nullptr, where);
  return result(static_cast<const std::uint64_t*>(scratch(0, where)), where);
}

}  // namespace tocsin::cuda::detail
