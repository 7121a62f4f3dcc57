// Which device, and for tests what shall go wrong with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tocsin::cuda {

struct DeviceOptions {
  /// Of the CUDA driver, or any number for an emulated device; none: the first that
  /// TOCSIN_CUDA_DEVICE names, else the first.
  std::optional<int> index = std::nullopt;
  bool emulate = false;  ///< kernel bodies run on the CPU
  /// Emulation: threads (0: as many as the machine has cores), and whether the elements of a launch
  /// are taken in a shuffled order, a different one every time. Neither shows in a result.
  int threads = 0;
  bool shuffle = false;
  std::uint64_t seed = 1;
  /// Emulation: what is allocated is filled with a pattern that is no number and no index, so that
  /// reading what was never written shows; and uploads from pinned memory are as late as they may
  /// be, so that a staging buffer that is written again too early shows.
  bool poison = false;
  /// Bytes that may be allocated at once; 0: what the device has (emulation: half of the machine's
  /// memory).
  std::size_t memory = 0;
  /// Fault injection: the call with this number (1: the first after opening) and all after it fail
  /// as those of a lost device do; 0: TOCSIN_CUDA_FAIL_AT, else none.
  std::uint64_t fail_at = 0;
};

}  // namespace tocsin::cuda
