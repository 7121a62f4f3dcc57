#include "client/target.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tocsin::detail {
namespace {

constexpr std::string_view kUnix = "unix:";

/// Host and port of HOST:PORT or [IPv6]:PORT; an empty host if it is neither.
struct HostAndPort {
  std::string_view host;
  std::string_view port;
};

HostAndPort parts_of(std::string_view target) {
  const std::size_t colon = target.rfind(':');
  if (colon == std::string_view::npos) return {};
  std::string_view host = target.substr(0, colon);
  const bool in_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (in_brackets) host = host.substr(1, host.size() - 2);
  // More colons are only allowed in brackets: "::1" alone would be a host without a port.
  if (!in_brackets && host.find(':') != std::string_view::npos) return {};
  return {host, target.substr(colon + 1)};
}

bool is_port(std::string_view text) {
  unsigned port = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, port);
  return error == std::errc() && stop == end && port >= 1 && port <= 65535;
}

bool is_plain(char c) { return c > ' ' && c < '\x7F' && c != '/' && c != '%'; }

}  // namespace

Status check_target(const std::string& target) {
  if (target.starts_with(kUnix) && target.size() > kUnix.size()) return Nothing{};
  const auto [host, port] = parts_of(target);
  if (!host.empty() && std::all_of(host.begin(), host.end(), is_plain) && is_port(port)) {
    return Nothing{};
  }
  return Error{ErrorCode::kUsage,
               fmt::format("\"{}\" is not HOST:PORT, [IPv6]:PORT or unix:/path", target)};
}

bool is_loopback(const std::string& target) {
  if (target.starts_with(kUnix)) return true;
  const std::string_view host = parts_of(target).host;
  if (host == "localhost" || host == "::1") return true;
  // Digits and dots only: 127.0.0.1.example.com is another machine.
  return host.starts_with("127.") &&
         host.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace tocsin::detail
