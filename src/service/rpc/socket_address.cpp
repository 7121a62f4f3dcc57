#include "service/rpc/socket_address.h"

#include <arpa/inet.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tocsin::service {

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

int Descriptor::release() { return std::exchange(number_, -1); }

Waker::Waker() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void Waker::wake() const {
  const std::uint64_t one = 1;
  const ssize_t wrote = ::write(event_.get(), &one, sizeof(one));  // an eventfd takes it
  static_cast<void>(wrote);
}

void Waker::clear() const {
  std::uint64_t count = 0;
  const ssize_t read = ::read(event_.get(), &count, sizeof(count));
  static_cast<void>(read);
}

sockaddr_un address_of_file(const std::string& path) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  std::memcpy(out.sun_path, path.c_str(), path.size() + 1);
  return out;
}

bool is_loopback_v4(const in_addr& address) { return (ntohl(address.s_addr) >> 24U) == 127; }

std::optional<in_addr> mapped_v4(const in6_addr& address) {
  if (!IN6_IS_ADDR_V4MAPPED(&address)) return std::nullopt;
  in_addr v4{};
  std::memcpy(&v4, &address.s6_addr[12], sizeof(v4));
  return v4;
}

std::string peer_text(int socket) {
  sockaddr_storage peer{};
  socklen_t size = sizeof(peer);
  if (::getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* address = nullptr;
  int family = peer.ss_family;
  std::optional<in_addr> mapped;
  if (family == AF_INET) address = &reinterpret_cast<const sockaddr_in&>(peer).sin_addr;
  if (family == AF_INET6) {
    const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(peer).sin6_addr;
    mapped = mapped_v4(v6);
    address = &v6;
    if (mapped) {
      family = AF_INET;
      address = &*mapped;
    }
  }
  if (address == nullptr) return {};
  return ::inet_ntop(family, address, text.data(), text.size()) == nullptr ? "?" : text.data();
}

int port_number(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  }
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  }
  return 0;
}

void set_port(sockaddr_storage& address, int port) {
  const in_port_t stored = htons(static_cast<std::uint16_t>(port));
  if (address.ss_family == AF_INET) reinterpret_cast<sockaddr_in&>(address).sin_port = stored;
  if (address.ss_family == AF_INET6) reinterpret_cast<sockaddr_in6&>(address).sin6_port = stored;
}

}  // namespace tocsin::service
