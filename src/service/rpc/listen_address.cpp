#include "service/rpc/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "base/quoted.h"
#include "service/rpc/socket_address.h"

namespace tocsin::service {
namespace {

constexpr std::string_view kUnix = "unix:";

std::optional<int> port_of(std::string_view text) {
  int port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  if (port < 0 || port > 65'535) return {};
  return port;
}

bool is_loopback(const std::string& host) {
  if (host == "localhost") return true;
  in_addr v4{};
  if (::inet_pton(AF_INET, host.c_str(), &v4) == 1) return is_loopback_v4(v4);
  in6_addr v6{};
  if (::inet_pton(AF_INET6, host.c_str(), &v6) != 1) return false;
  if (IN6_IS_ADDR_LOOPBACK(&v6)) return true;
  const std::optional<in_addr> mapped = mapped_v4(v6);
  return mapped && is_loopback_v4(*mapped);
}

Error malformed(const std::string& text, std::string_view why) {
  return {ErrorCode::kUsage,
          fmt::format("cannot listen on {}: {}", base::in_quotes(text, 128), why)};
}

Result<ListenAddress> parse_unix(const std::string& text) {
  ListenAddress address;
  address.path = text.substr(kUnix.size());
  address.loopback = true;
  if (address.path.empty() || address.path.front() != '/') {
    return malformed(text, "a socket file is written unix:/path, with its whole path");
  }
  if (address.path.size() >= sizeof(sockaddr_un::sun_path)) {
    return malformed(text, fmt::format("the path of a socket file has at most {} bytes",
                                       sizeof(sockaddr_un::sun_path) - 1));
  }
  if (address.path.find('\0') != std::string::npos) return malformed(text, "a zero byte in it");
  return address;
}

}  // namespace

Result<ListenAddress> parse_listen_address(const std::string& text) {
  constexpr std::string_view kForms = "expected HOST:PORT, [IPv6]:PORT or unix:/path";
  if (text.starts_with(kUnix)) return parse_unix(text);
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return malformed(text, kForms);
  ListenAddress address;
  address.host = text.substr(0, colon);
  const bool bracketed = address.host.size() > 2 && address.host.starts_with('[');
  if (bracketed) {
    if (!address.host.ends_with(']')) return malformed(text, kForms);
    address.host = address.host.substr(1, address.host.size() - 2);
    in6_addr v6{};
    if (::inet_pton(AF_INET6, address.host.c_str(), &v6) != 1) {
      return malformed(text, "between the brackets there is no IPv6 address");
    }
  }
  // Others are a scheme, a zone or a list, which are none of the forms checked here.
  constexpr std::string_view kNames =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  if (address.host.empty() ||
      (!bracketed && address.host.find_first_not_of(kNames) != std::string::npos)) {
    return malformed(text, kForms);
  }
  const std::optional<int> port = port_of(std::string_view(text).substr(colon + 1));
  if (!port) return malformed(text, "a port is a number from 0 (any) to 65535");
  address.port = *port;
  address.loopback = is_loopback(address.host);
  return address;
}

std::string shown_address(const ListenAddress& address, int port) {
  if (!address.path.empty()) return std::string(kUnix) + address.path;
  const bool v6 = address.host.find(':') != std::string::npos;
  return v6 ? fmt::format("[{}]:{}", address.host, port) : fmt::format("{}:{}", address.host, port);
}

Status check_socket_file(const ListenAddress& address) {
  if (address.path.empty()) return Nothing{};
  const Descriptor probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_un file = address_of_file(address.path);
  if (probe.get() < 0) return Nothing{};
  if (::connect(probe.get(), reinterpret_cast<const sockaddr*>(&file), sizeof(file)) != 0) {
    return Nothing{};  // no process listens; the listener reports other errors
  }
  return {ErrorCode::kResource,
          fmt::format("cannot listen on {}: another program listens there already",
                      shown_address(address, 0))};
}

Status check_listening(const ServerOptions& options, bool asks_for_tokens) {
  const Result<ListenAddress> address = parse_listen_address(options.listen);
  if (!address) return address.error();
  if (address->loopback || options.insecure) return Nothing{};
  const bool tls = !options.certificate.empty();
  const bool knows_clients = asks_for_tokens || !options.client_ca.empty();
  if (tls && knows_clients) return Nothing{};
  std::string_view missing = "tokens or client certificates";
  if (!tls) missing = knows_clients ? "TLS" : "TLS, and tokens or client certificates";
  return {ErrorCode::kUsage,
          fmt::format("{} can be reached from other machines: that needs {} (or to be told that it "
                      "may be insecure)",
                      options.listen, missing)};
}

}  // namespace tocsin::service
