#include "service/live/udp_sender.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "base/quoted.h"
#include "service/rpc/listen_address.h"

namespace tocsin::service {

Result<std::unique_ptr<UdpSender>> UdpSender::to(const std::string& target) {
  const auto address = parse_listen_address(target);
  if (!address || !address->path.empty() || address->port == 0) {
    return {ErrorCode::kUsage, fmt::format("{}: expected HOST:PORT", base::in_quotes(target))};
  }
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int unknown =
      ::getaddrinfo(address->host.c_str(), std::to_string(address->port).c_str(), &wanted, &found);
  if (unknown != 0) {
    return {ErrorCode::kResource, fmt::format("{}: {}", target, ::gai_strerror(unknown))};
  }
  const int socket = ::socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  std::unique_ptr<UdpSender> out(new UdpSender(target, socket));
  const bool joined = socket >= 0 && ::connect(socket, found->ai_addr, found->ai_addrlen) == 0;
  const int fault = errno;
  ::freeaddrinfo(found);
  if (joined) return out;
  return {ErrorCode::kResource,
          fmt::format("{}: {}", target, std::generic_category().message(fault))};
}

Status UdpSender::send(std::string_view datagram) const {
  if (::send(socket_.get(), datagram.data(), datagram.size(), MSG_NOSIGNAL) >= 0) return Nothing{};
  const bool nobody = errno == ECONNREFUSED;
  return Error{ErrorCode::kResource, fmt::format("{}: {}", target_,
                                                 nobody ? "nobody listens there"
                                                        : std::generic_category().message(errno))};
}

bool UdpSender::try_send(std::string_view datagram) const {
  constexpr int kNow = MSG_NOSIGNAL | MSG_DONTWAIT;
  return ::send(socket_.get(), datagram.data(), datagram.size(), kNow) >= 0;
}

}  // namespace tocsin::service
