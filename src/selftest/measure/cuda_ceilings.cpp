#include "selftest/measure/cuda_ceilings.h"

#include <algorithm>
#include <functional>

#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/pinned_array.h"
#include "selftest/measure/timing.h"

namespace tocsin::selftest {
namespace {

constexpr int kRepeats = 5;
constexpr int kChainRounds = 512;

/// Seconds that the work takes, waits included: the least of some.
double least_seconds(cuda::Device& device, const std::function<void()>& work) {
  double least = 0.0;
  for (int i = 0; i < kRepeats; ++i) {
    device.synchronize();
    const double begin = now_us();
    work();
    device.synchronize();
    const double seconds = 1e-6 * (now_us() - begin);
    if (i == 0 || seconds < least) least = seconds;
  }
  return least;
}

template <bool kFused>
double operations_a_second(cuda::Device& device, std::size_t threads, double* to) {
  using Body = MultiplyAndAdd<kFused>;
  const double operations = 2.0 * Body::kChains * kChainRounds * static_cast<double>(threads);
  return operations / least_seconds(device, [&] {
           device.launch(threads, Body{0.999, kChainRounds, to});
         });
}

CudaCeilings measure_with(const std::shared_ptr<cuda::Device>& device, std::size_t numbers,
                          std::size_t threads) {
  CudaCeilings out;
  cuda::Array<double> from(device);
  cuda::Array<double> to(device);
  from.resize(numbers);
  to.resize(numbers);
  from.fill(0);
  to.fill(0);
  const auto bytes = static_cast<double>(numbers * sizeof(double));
  out.bytes = 2.0 * bytes / least_seconds(*device, [&] {
                device->launch(numbers, CopyNumbers{from.data(), to.data()});
              });
  out.operations = operations_a_second<false>(*device, threads, to.data());
  out.fused = operations_a_second<true>(*device, threads, to.data());
  cuda::PinnedArray<double> pinned(device);
  pinned.resize(numbers);
  std::fill(pinned.begin(), pinned.end(), 0.0);
  out.up = bytes / least_seconds(*device, [&] {
             device->upload(to.data(), pinned.data(), numbers * sizeof(double));
           });
  out.down = bytes / least_seconds(*device, [&] {
               device->download(pinned.data(), from.data(), numbers * sizeof(double));
             });
  return out;
}

}  // namespace

Result<CudaCeilings> measure_ceilings(const std::shared_ptr<cuda::Device>& device, bool quick) {
  // Far more than caches hold, and threads enough for the largest devices. Of an emulation they say
  // nothing, and must not take the time of what is measured: fused operations take it 2 ns each.
  std::size_t numbers = quick ? 1U << 16U : device->emulated() ? 1U << 20U : 1U << 26U;
  const std::size_t threads = quick || device->emulated() ? 1U << 10U : 1U << 21U;
  // A device that others use, or a container's limit of pinned memory, may have less. Smaller on a
  // device: a cache would hold it.
  const std::size_t least = std::max(threads, device->emulated() ? 1UL << 16U : 1UL << 24U);
  for (;; numbers /= 2) {
    try {
      return measure_with(device, numbers, threads);
    } catch (const cuda::Failure& failure) {
      if (failure.kind() != cuda::FailureKind::kMemory || numbers <= least) return failure.error();
    }
  }
}

}  // namespace tocsin::selftest
