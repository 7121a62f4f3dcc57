// Which connections are open, and how many of each peer.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace tocsin::service {

/// Connections at once.
struct ConnectionLimits {
  std::size_t all = 0;
  std::size_t of_peer = 0;  ///< of one IPv4 address, or of one IPv6 network of 64 bits
};

/// Whom a connection counts for: "192.0.2.7", or the first half of an IPv6 address. Empty: nobody,
/// because a proxy on this machine stands for all its clients (loopback, a socket file).
std::string peer_of(const sockaddr_storage& address);
/// The same of an address as text, "192.0.2.7" or "2001:db8::1"; empty: it is none.
std::string peer_of(const std::string& address);

/// gRPC closes a connection without saying so. So a descriptor counts for as long as it is the same
/// socket, which the system is asked when a limit seems to be reached. Not thread-safe.
class ConnectionCounts {
 public:
  explicit ConnectionCounts(const ConnectionLimits& limits) : limits_(limits) {}

  /// Counts a connection. False, and not counted: there are too many already.
  bool enter(int descriptor, const std::string& peer);
  [[nodiscard]] std::size_t open() const { return entries_.size(); }

 private:
  struct Entry {
    int descriptor;
    std::uint64_t socket;  ///< another one, once the descriptor was closed and used again
    std::string peer;
  };

  [[nodiscard]] bool is_full(const std::string& peer) const;
  void forget_closed();

  ConnectionLimits limits_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> of_peer_;
};

}  // namespace tocsin::service
