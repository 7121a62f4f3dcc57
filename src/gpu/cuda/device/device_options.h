// Which device, and for tests what shall go wrong with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tocsin::cuda {

/// When an emulated device does what a stream has been given (device_stream.h). No answer depends
/// on it, unless an order is missing that a real device needs.
enum class Pace : std::uint8_t {
  kAtOnce,
  kLate,     ///< only once somebody waits for it
  kAnyTime,  ///< now or later, by chance, each stream on its own
};

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
  /// reading what was never written shows.
  bool poison = false;
  /// Emulation. With another pace than kAtOnce a missing wait shows, on the CPU or between streams,
  /// and the CPU works beside the device as it does beside a real one.
  Pace pace = Pace::kAtOnce;
  /// Bytes that may be allocated at once; 0: what the device has (emulation: half of the machine's
  /// memory).
  std::size_t memory = 0;
  /// Fault injection: the call with this number (1: the first after opening) and all after it fail
  /// as those of a lost device do; 0: TOCSIN_CUDA_FAIL_AT, else none.
  std::uint64_t fail_at = 0;
};

}  // namespace tocsin::cuda
