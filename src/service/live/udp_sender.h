// Sends datagrams to one address.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "service/rpc/socket_address.h"
#include "tocsin/result.h"

namespace tocsin::service {

class UdpSender {
 public:
  /// `target`: HOST:PORT. Errors: kUsage: another form; kResource: the name is not known, or there
  /// is no socket.
  static Result<std::unique_ptr<UdpSender>> to(const std::string& target);

  /// Errors (kResource): nobody listens there (a datagram before came back), or the system's
  /// message.
  Status send(std::string_view datagram) const;
  /// Never waits. False: the system did not take it, or a datagram before came back.
  [[nodiscard]] bool try_send(std::string_view datagram) const;

 private:
  UdpSender(std::string target, int socket) : target_(std::move(target)), socket_(socket) {}

  const std::string target_;
  const Descriptor socket_;
};

}  // namespace tocsin::service
