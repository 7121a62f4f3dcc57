// Kernels: how a body runs on a device. For .cu files only. Each stage has one that lists its
// bodies:
//
//   #include "core/batch/motions.h"
//   #include "gpu/cuda/device/device_launch.cuh"
//   TOCSIN_KERNEL(tocsin::core::batch::MakeMotion);
//
// A body that is launched and not listed does not link. docs/cuda.md, "Kernels".
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "gpu/cuda/device/cuda_work.h"
#include "gpu/cuda/device/device.h"

namespace tocsin::cuda::detail {

/// Threads of a block. Bodies in double precision take many registers: larger blocks would leave
/// more of a multiprocessor idle where one does not fit any more.
#ifdef TOCSIN_CUDA_BLOCK
inline constexpr unsigned kBlock = TOCSIN_CUDA_BLOCK;
#else
inline constexpr unsigned kBlock = 128;
#endif
/// What the compiler may take of a multiprocessor. Registers are capped here and by no option of
/// nvcc: -maxrregcount has no effect on kernels with bounds of their own.
#ifdef TOCSIN_CUDA_REGISTERS
#define TOCSIN_KERNEL_BOUNDS __maxnreg__(TOCSIN_CUDA_REGISTERS)
#else
#define TOCSIN_KERNEL_BOUNDS __launch_bounds__(kBlock)
#endif
/// Blocks of a grid, at most: CUDA's limit is 2^31 - 1. Fewer than one an element would do, because
/// a thread goes on to further elements; but blocks that end early make room for others.
inline constexpr std::size_t kMostBlocks = std::size_t{1} << 30;

template <class Body>
__global__ void TOCSIN_KERNEL_BOUNDS run_body(const __grid_constant__ Body body,
                                              const std::size_t n) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += step) {
    body(i);
  }
}

template <class Body>
void launch_on_device(DeviceWork& work, const Body& body, std::size_t n, const Where& where) {
  static_assert(std::is_trivially_copyable_v<Body>, "a body is copied to the device as it is");
  static_assert(sizeof(Body) <= 4000, "a kernel's arguments are 4 KB at most");
  auto& cuda = static_cast<CudaWork&>(work);
  const auto blocks = static_cast<unsigned>(std::min((n + kBlock - 1) / kBlock, kMostBlocks));
  run_body<Body><<<blocks, kBlock, 0, cuda.stream()>>>(body, n);
  cuda.launched(n, where);
}

}  // namespace tocsin::cuda::detail

#define TOCSIN_KERNEL(...)                                                \
  template void tocsin::cuda::detail::launch_on_device<__VA_ARGS__>(      \
      tocsin::cuda::detail::DeviceWork&, const __VA_ARGS__&, std::size_t, \
      const tocsin::cuda::Where&)
/// The same for Device::launch_up_to().
#define TOCSIN_KERNEL_UP_TO(...) TOCSIN_KERNEL(tocsin::core::batch::UpTo<__VA_ARGS__>)
