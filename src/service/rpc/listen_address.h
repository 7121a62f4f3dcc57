// The address on which a server listens, and whether other machines can reach it.
#pragma once

#include <string>

#include "service/rpc/server_options.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// The parts of HOST:PORT, [IPv6]:PORT or unix:/path.
struct ListenAddress {
  std::string host;  ///< without brackets; empty for a socket file
  int port = 0;      ///< 0: any
  std::string path;  ///< of the socket file; empty: this is TCP
  /// Only this machine reaches it: 127.0.0.0/8, ::1, localhost, a socket file.
  bool loopback = false;
  bool owner_only = false;  ///< the socket file is its owner's alone (mode 0600)
};

/// Errors (kUsage): none of the three forms, a port above 65,535, a socket path of more than 107
/// bytes.
Result<ListenAddress> parse_listen_address(const std::string& text);

/// The same as text, with another port.
std::string shown_address(const ListenAddress& address, int port);

/// Errors (kResource): a socket file that another process listens on (it would be replaced).
Status check_socket_file(const ListenAddress& address);

/// Off loopback, TLS and (tokens or client certificates) are needed, or `insecure`. Error (kUsage):
/// names what is missing.
Status check_listening(const ServerOptions& options, bool asks_for_tokens);

}  // namespace tocsin::service
