// Options of a server.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "service/log/event_log.h"
#include "service/rpc/connection_counts.h"
#include "service/session/session_problems.h"

namespace tocsin::service {

struct ServerOptions {
  std::string listen = "127.0.0.1:50051";  ///< HOST:PORT (port 0: any), [::1]:PORT, or unix:/path
  std::filesystem::path certificate = {};  ///< PEM: TLS, with `key`
  std::filesystem::path key = {};
  std::filesystem::path client_ca = {};   ///< PEM: clients need a certificate signed by these
  std::filesystem::path client_crl = {};  ///< PEM: revocation lists of these
  bool insecure = false;                  ///< listen off loopback without TLS or access control
  ConnectionLimits connections{.all = 10'000, .of_peer = 1'000};
  /// How often the server connects to itself, so that health says whether others can.
  std::chrono::milliseconds listener_check{2'000};
  Log log = nullptr;                           ///< lines about connections, for the operator
  std::shared_ptr<EventLog> events = nullptr;  ///< what clients do; null: nobody is told
  std::uint64_t memory = 0;                    ///< bytes that the process may use; 0: no limit
  std::size_t most_message = 4U << 20U;        ///< bytes of one received message
  std::chrono::seconds keepalive{20};          ///< interval of pings on a silent connection
  /// Time for a new stream to send its first message. Longer: idle streams stay open for longer.
  /// Shorter: poor lines fail.
  std::chrono::milliseconds opening_timeout{10'000};
  /// Time for a client to read its last messages after the server has ended its stream. Then the
  /// stream is cut off. Longer: streams that are never read stay for longer. Shorter: last messages
  /// are lost.
  std::chrono::milliseconds draining_timeout{5'000};
};

}  // namespace tocsin::service
