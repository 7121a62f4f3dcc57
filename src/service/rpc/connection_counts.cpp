#include "service/rpc/connection_counts.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "service/rpc/socket_address.h"

namespace tocsin::service {
namespace {

/// Names a socket while the system runs. Linux has cookies for that; its substitutes in some
/// containers have not, and inodes do there.
std::optional<std::uint64_t> socket_at(int descriptor) {
  std::uint64_t cookie = 0;
  socklen_t size = sizeof(cookie);
  if (::getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0) return cookie;
  if (errno != ENOPROTOOPT && errno != EOPNOTSUPP) return std::nullopt;
  struct stat now {};
  if (::fstat(descriptor, &now) != 0 || !S_ISSOCK(now.st_mode)) return std::nullopt;
  return now.st_ino;
}

std::string peer_of_v4(const in_addr& address) {
  if (is_loopback_v4(address)) return {};
  std::array<char, INET_ADDRSTRLEN> text{};
  return ::inet_ntop(AF_INET, &address, text.data(), text.size()) == nullptr ? "?" : text.data();
}

}  // namespace

std::string peer_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof(v4));
    return peer_of_v4(v4.sin_addr);
  }
  if (address.ss_family != AF_INET6) return {};
  sockaddr_in6 v6{};
  std::memcpy(&v6, &address, sizeof(v6));
  if (IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr)) return {};
  if (const auto v4 = mapped_v4(v6.sin6_addr)) return peer_of_v4(*v4);
  constexpr std::size_t kNetwork = 8;  // bytes: one customer has them all
  return {reinterpret_cast<const char*>(v6.sin6_addr.s6_addr), kNetwork};
}

std::string peer_of(const std::string& address) {
  sockaddr_storage out{};
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  if (::inet_pton(AF_INET, address.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    std::memcpy(&out, &v4, sizeof(v4));
  } else if (::inet_pton(AF_INET6, address.c_str(), &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    std::memcpy(&out, &v6, sizeof(v6));
  } else {
    return {};
  }
  return peer_of(out);
}

bool ConnectionCounts::is_full(const std::string& peer) const {
  if (entries_.size() >= limits_.all) return true;
  const auto found = peer.empty() ? of_peer_.end() : of_peer_.find(peer);
  return found != of_peer_.end() && found->second >= limits_.of_peer;
}

void ConnectionCounts::forget_closed() {
  of_peer_.clear();
  std::erase_if(entries_, [](const Entry& e) { return socket_at(e.descriptor) != e.socket; });
  for (const Entry& entry : entries_) {
    if (!entry.peer.empty()) ++of_peer_[entry.peer];
  }
}

bool ConnectionCounts::enter(int descriptor, const std::string& peer) {
  if (is_full(peer)) forget_closed();
  const auto socket = socket_at(descriptor);
  if (!socket || is_full(peer)) return false;
  entries_.push_back({descriptor, *socket, peer});
  if (!peer.empty()) ++of_peer_[peer];
  return true;
}

}  // namespace tocsin::service
