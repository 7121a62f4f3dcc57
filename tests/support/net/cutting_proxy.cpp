#include "support/net/cutting_proxy.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstring>

namespace tocsin::test {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(static_cast<std::uint16_t>(port));
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

/// sockaddr_in as the calls want it.
const sockaddr* plain(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

/// Reads once and writes all of it; bytes, or -1 at the end of the connection.
ssize_t pass_on(int from, int to) {
  std::array<char, 65536> block{};
  const ssize_t count = recv(from, block.data(), block.size(), 0);
  if (count <= 0) return -1;
  for (ssize_t done = 0; done < count;) {
    const ssize_t sent =
        send(to, block.data() + done, static_cast<std::size_t>(count - done), MSG_NOSIGNAL);
    if (sent <= 0) return -1;
    done += sent;
  }
  return count;
}

/// Closes without a farewell: the other side sees a reset.
void reset(int socket) {
  const linger at_once{1, 0};
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  close(socket);
}

}  // namespace

CuttingProxy::CuttingProxy(const std::string& server)
    : server_port_(std::stoi(server.substr(server.rfind(':') + 1))) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = loopback(0);
  EXPECT_EQ(bind(listener_, plain(address), sizeof address), 0) << std::strerror(errno);
  EXPECT_EQ(listen(listener_, 64), 0);
  socklen_t size = sizeof address;
  EXPECT_EQ(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
  address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  thread_ = std::thread([this] { run(); });
}

CuttingProxy::~CuttingProxy() {
  stop_ = true;
  thread_.join();
  reset_all();
  close(listener_);
}

void CuttingProxy::cut() {
  cut_ = true;
  while (cut_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void CuttingProxy::reset_all() {
  for (const auto& [client, server] : pairs_) {
    reset(client);
    reset(server);
  }
  pairs_.clear();
}

void CuttingProxy::take() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(server_port_);
  if (connect(server, plain(address), sizeof address) != 0) {
    close(server);
    reset(client);
    return;
  }
  pairs_.emplace_back(client, server);
}

void CuttingProxy::pass() {
  std::vector<pollfd> waiting{{listener_, POLLIN, 0}};
  for (const auto& [client, server] : pairs_) {
    waiting.push_back({client, POLLIN, 0});
    waiting.push_back({server, POLLIN, 0});
  }
  if (poll(waiting.data(), waiting.size(), 5) <= 0) return;
  std::vector<std::pair<int, int>> kept;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto [client, server] = pairs_[i];
    ssize_t there = 0;
    ssize_t back = 0;
    if (waiting[1 + 2 * i].revents != 0) there = pass_on(client, server);
    if (waiting[2 + 2 * i].revents != 0) back = pass_on(server, client);
    if (there < 0 || back < 0) {
      reset(client);
      reset(server);
      continue;
    }
    kept.push_back(pairs_[i]);
  }
  pairs_ = std::move(kept);
  if (waiting[0].revents != 0) take();
}

void CuttingProxy::run() {
  while (!stop_) {
    if (cut_) {
      reset_all();
      cut_ = false;
    }
    pass();
  }
}

}  // namespace tocsin::test
