// Where frames of motion capture come from, and what becomes of them.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mocap/decoder.h"
#include "mocap/xsens.h"
#include "service/metrics/live_metrics.h"
#include "tocsin/result.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// IPv4 addresses whose first `bits` bits are those of `address` (the host's order of bytes).
struct SenderRange {
  std::uint32_t address = 0;
  int bits = 32;
  [[nodiscard]] bool holds(std::uint32_t sender) const {
    const std::uint32_t mask = bits == 0 ? 0 : ~std::uint32_t{0} << (32 - bits);
    return ((address ^ sender) & mask) == 0;
  }
};

/// "192.168.1.20" or "192.168.1.0/24". Errors (kUsage): anything else.
Result<SenderRange> parse_sender(std::string_view text);

/// A UDP port, and the sessions of its senders.
struct LiveOptions {
  LiveProtocol protocol = LiveProtocol::kVmc;
  std::string address = "127.0.0.1";  ///< IPv4, to listen on
  int port = 0;                       ///< 0: any
  /// Who may send. Empty: everybody who reaches a loopback address, and nobody else.
  std::vector<SenderRange> from = {};
  /// Of every session; the skeleton is the sender's.
  TrackOptions track = {};
  mocap::XsensUnits units = {};
  /// kVmc: rest offsets for senders that tell none; none: a standard body. kPlain: the joints, and
  /// it is needed.
  std::optional<Skeleton> skeleton = std::nullopt;
  /// After so long without a datagram a sender's session ends.
  std::chrono::milliseconds idle{5000};
};

/// Errors: kUsage: the address is none; it is not a loopback one and nobody may send; kInput: the
/// skeleton is missing, or lacks bones (mocap::offsets_of()).
Status check_live(const LiveOptions& options);

/// Precondition: check_live().
std::unique_ptr<mocap::Decoder> make_decoder(const LiveOptions& options);

}  // namespace tocsin::service
