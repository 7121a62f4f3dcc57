// Streams of a device, and the events that order them. docs/cuda.md, "Pieces overlap".
#pragma once

#include <cstddef>
#include <cstdint>

namespace tocsin::cuda {

/// What one stream is given it does in order. Different streams know no order but that of events.
/// Launches, primitives, copies on the device and fills are work; copies go either way beside it.
enum class Stream : std::uint8_t { kWork, kUp, kDown };
inline constexpr std::size_t kStreams = 3;

namespace detail {

/// A point in a stream. Made by a DeviceWork, which must outlive it.
class DeviceEvent {
 public:
  DeviceEvent() = default;
  DeviceEvent(const DeviceEvent&) = delete;
  DeviceEvent& operator=(const DeviceEvent&) = delete;
  virtual ~DeviceEvent() = default;
};

}  // namespace detail
}  // namespace tocsin::cuda
