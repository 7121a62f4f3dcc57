#include "support/net/raw_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>

namespace tocsin::test {

RawSocket::RawSocket(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(std::atoi(address.c_str() + colon + 1)));
  inet_pton(AF_INET, address.substr(0, colon).c_str(), &to.sin_addr);
  descriptor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval limit{60, 0};
  setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return;
  close(descriptor_);
  descriptor_ = -1;
}

RawSocket::~RawSocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool RawSocket::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string RawSocket::receive(double time, std::string_view enough) {
  using std::chrono::steady_clock;
  const auto deadline = steady_clock::now() + std::chrono::duration<double>(time);
  std::string out;
  if (descriptor_ < 0) return out;  // poll would wait all the same
  while (!hung_up_ && (enough.empty() || out.find(enough) == std::string::npos)) {
    const std::chrono::duration<double> left = deadline - steady_clock::now();
    if (left.count() <= 0) break;
    const std::string some = receive_some(left.count());
    if (some.empty()) break;
    out += some;
  }
  return out;
}

std::string RawSocket::receive_some(double time) {
  std::array<char, 16384> block{};
  if (descriptor_ < 0 || hung_up_) return {};
  pollfd waiting{descriptor_, POLLIN, 0};
  if (poll(&waiting, 1, static_cast<int>(1e3 * time) + 1) <= 0) return {};
  const ssize_t count = recv(descriptor_, block.data(), block.size(), 0);
  hung_up_ = count <= 0;
  return hung_up_ ? std::string() : std::string(block.data(), static_cast<std::size_t>(count));
}

void RawSocket::half_close() const { shutdown(descriptor_, SHUT_WR); }

void RawSocket::reset() {
  const linger at_once{1, 0};
  setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close(descriptor_);
  descriptor_ = -1;
}

}  // namespace tocsin::test
