// Sockets and their addresses, as the system has them.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <optional>
#include <string>

namespace tocsin::service {

/// Owns a descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor();
  [[nodiscard]] int get() const { return number_; }
  /// Gives up ownership.
  int release();

 private:
  int number_;
};

/// Ends a poll() in another thread.
class Waker {
 public:
  Waker();
  /// Becomes readable by wake(), until clear(); below 0: no descriptor was free.
  [[nodiscard]] int descriptor() const { return event_.get(); }
  void wake() const;
  void clear() const;

 private:
  Descriptor event_;
};

/// The address of a socket file. Precondition: its path fits (parse_listen_address).
sockaddr_un address_of_file(const std::string& path);

/// 127.0.0.0/8.
bool is_loopback_v4(const in_addr& address);

/// Of ::ffff:192.0.2.7 the IPv4 address; none: another IPv6 address.
std::optional<in_addr> mapped_v4(const in6_addr& address);

/// The address of a connected socket's other end, "192.0.2.7"; empty: it has none (a socket file).
std::string peer_text(int socket);

/// The port of an IPv4 or IPv6 address; 0 of others.
int port_number(const sockaddr_storage& address);
/// Nothing happens to addresses without a port.
void set_port(sockaddr_storage& address, int port);

}  // namespace tocsin::service
