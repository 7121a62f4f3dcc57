// Where a server listens, and who could reach it there.
#pragma once

#include <string>

#include "tocsin/result.h"

namespace tocsin::service {

/// HOST:PORT, [IPv6]:PORT or unix:/path, taken apart.
struct ListenAddress {
  std::string host;  ///< without brackets; empty for a socket file
  int port = 0;      ///< 0: any
  std::string path;  ///< of the socket file; empty: this is TCP
  /// Only this machine reaches it: 127.0.0.0/8, ::1, localhost, a socket file.
  bool loopback = false;
};

/// Errors (kUsage): what is none of the three, a port above 65,535, a path of a socket file that is
/// too long for one (107 bytes).
Result<ListenAddress> parse_listen_address(const std::string& text);

/// The same as text, with another port.
std::string shown_address(const ListenAddress& address, int port);

/// Errors (kResource): a socket file that somebody listens on (gRPC would take it away from him).
Status check_socket_file(const ListenAddress& address);

/// Why nobody can listen there just now: the system's own words, or empty if it seems possible.
std::string why_not(const ListenAddress& address);

}  // namespace tocsin::service
