// The sockets on which a server listens, and the loop that accepts connections.
#pragma once

#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "service/rpc/connection_counts.h"
#include "service/rpc/listen_address.h"
#include "service/rpc/socket_address.h"
#include "service/session/session_problems.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// gRPC's own loop stops accepting for good when the process is out of descriptors, and has no
/// limits. This one waits until some are free. Thread-safe.
class Listener {
 public:
  /// Takes over a connected socket, which does not block.
  using Take = std::function<void(int descriptor)>;

  /// Binds, so that clients can connect; accepts nothing yet. A host name may stand for several
  /// addresses; "0.0.0.0" includes IPv6, as with gRPC. Errors (kResource): the system's message.
  static Result<std::unique_ptr<Listener>> open(const ListenAddress& address,
                                                const ConnectionLimits& limits, Log log);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  /// stop(). Removes the socket file.
  ~Listener();

  [[nodiscard]] int port() const { return port_; }
  /// Accepts from now on, on a thread of its own. Call it once.
  void start(Take take);
  /// Accepts nothing more once this returns.
  void stop();
  /// Connections since the start: accepted, its own left out, and closed at once.
  [[nodiscard]] std::uint64_t accepted() const { return accepted_connections_; }
  [[nodiscard]] std::uint64_t refused() const { return refused_connections_; }
  /// Connects to itself. False: no descriptor is free, the system refuses, or the loop did not
  /// accept in time. Not while another thread is in it.
  bool answers(std::chrono::milliseconds timeout);

 private:
  Listener(const ConnectionLimits& limits, Log log);

  Status bind_to(const ListenAddress& address);
  Status add(const sockaddr* address, socklen_t size, const char* owner_only = nullptr);
  void run();
  bool accept_from(int socket);
  void admit(Descriptor connection, const sockaddr_storage& peer);
  bool is_own(const sockaddr_storage& peer, socklen_t size);

  Log log_;
  int port_ = 0;
  std::string file_;       ///< of a socket file
  ino_t file_number_ = 0;  ///< another one, once another process has its own there
  std::vector<Descriptor> sockets_;
  Waker waker_;
  ConnectionCounts counts_;  ///< used by the loop
  bool short_of_descriptors_ = false;
  bool refusing_ = false;
  std::atomic<bool> stopping_{false};
  std::atomic<std::uint64_t> accepted_connections_{0};
  std::atomic<std::uint64_t> refused_connections_{0};
  Take take_;
  std::mutex mutex_;
  std::condition_variable accepted_;
  std::vector<char> own_;  ///< the address of answers()' socket; empty: none, or accepted
  std::thread thread_;
};

}  // namespace tocsin::service
