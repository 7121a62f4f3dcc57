// A small HTTP/1.1 server: for health, metrics, events and control. One request a connection.
#pragma once

#include <atomic>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "service/http/connection.h"
#include "service/rpc/listener.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// A library was weighed. libmicrohttpd brings GnuTLS and six more libraries with it, and only
/// bounds pauses, not the time that a head takes.
///
/// One thread accepts (Listener) and one serves. So requests are answered one after the other, and
/// a flood of them takes at most one core. Thread-safe.
class HttpServer {
 public:
  /// Binds; answers nothing yet. Errors (kResource): the system's message.
  static Result<std::unique_ptr<HttpServer>> open(const ListenAddress& address,
                                                  const HttpLimits& limits, Log log);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  /// Ends all connections.
  ~HttpServer();

  /// Descriptors that it may have open.
  static std::size_t descriptors(const HttpLimits& limits);

  [[nodiscard]] int port() const { return listener_->port(); }
  /// Call it once. `handler` lives until the destructor has returned.
  void start(HttpHandler handler);

 private:
  explicit HttpServer(const HttpLimits& limits);

  void take(int descriptor);
  void run();
  int wait();
  void admit(HttpConnection::Time now);
  bool make_room();
  void go_on(HttpConnection::Time now);

  const HttpLimits limits_;
  HttpHandler handler_;
  Waker waker_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::vector<int> incoming_;              ///< accepted, not yet with run()
  std::list<HttpConnection> connections_;  ///< the oldest first; run()'s
  std::unique_ptr<Listener> listener_;
  std::thread thread_;
};

}  // namespace tocsin::service
