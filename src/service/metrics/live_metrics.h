// What is counted of datagrams of motion capture. docs/reference/monitoring.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "service/metrics/count.h"

namespace tocsin::service {

enum class LiveProtocol : std::uint8_t { kVmc, kXsens, kPlain };
inline constexpr std::size_t kLiveProtocols = 3;
/// As in options, metrics and log lines.
inline constexpr std::array<std::string_view, kLiveProtocols> kLiveNames{"vmc", "xsens", "udp"};

/// Of one protocol. Thread-safe.
struct LiveMetrics {
  Count datagrams;   ///< received
  Count malformed;   ///< of these: dropped
  Count unlisted;    ///< of these: dropped, the sender is not on the list
  Count dropped;     ///< by the system: they were not read in time
  Count unknown;     ///< messages, bones and segments that say nothing about a pose
  Count frames;      ///< poses decoded
  Count missed;      ///< frames that were not there when a later one was
  Count late;        ///< frames that came after a later one
  Count incomplete;  ///< frames that were dropped: a datagram of theirs was missing
  Count held;        ///< joints that a frame lacked
  Count untimed;     ///< frames without a usable time
  Count ignored;     ///< frames that came while their sender had no session
};

/// Messages of --osc-out. Thread-safe.
struct OscCounts {
  Count sent;
  Count left_out;  ///< more than may be sent a second
  Count failed;    ///< the system did not take it, or nobody listened
};

}  // namespace tocsin::service
