// One connection of an HTTP server: one request, its answer, and the end.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "service/http/answer.h"
#include "service/rpc/socket_address.h"

namespace tocsin::service {

struct HttpLimits {
  std::size_t connections = 64;  ///< at once; beyond it the oldest without a request ends
  std::size_t spare = 64;        ///< sockets accepted beyond that: the oldest ends for each
  /// Time for the request's head, from the connection's beginning: a client that sends a byte now
  /// and then does not get more.
  std::chrono::milliseconds head{5'000};
  /// Time for the client to take an answer; of a stream: what is sent at once.
  std::chrono::milliseconds answer{10'000};
  /// Time for the client to end after the answer. Longer: vanished clients hold connections.
  /// Shorter: answers to clients that have sent too much may be lost.
  std::chrono::milliseconds linger{1'000};
  bool posts = false;  ///< POST is allowed, too
};

/// The socket does not block, and neither does this. Each connection has one request, and
/// "Connection: close": bytes after the head are never taken for another one. Not thread-safe.
class HttpConnection {
 public:
  using Time = std::chrono::steady_clock::time_point;

  HttpConnection(Descriptor socket, const HttpLimits& limits, Time now)
      : socket_(std::move(socket)), limits_(limits), deadline_(now + limits.head) {}

  [[nodiscard]] int descriptor() const { return socket_.get(); }
  /// What to wait for: of poll().
  [[nodiscard]] short events() const;
  /// When go_on() must be called without an event. It then ends.
  [[nodiscard]] Time deadline() const { return deadline_; }
  [[nodiscard]] bool is_stream() const { return stream_ != nullptr; }
  /// Nothing is lost if it ends: it has no request yet, or its answer was sent.
  [[nodiscard]] bool is_idle() const { return state_ != State::kAnswering; }

  /// Does all that can be done without waiting. False: the connection is over.
  bool go_on(Time now, const HttpHandler& handler);

 private:
  enum class State : std::uint8_t { kReading, kAnswering, kEnding };

  bool read_head(Time now, const HttpHandler& handler);
  void answer(HttpAnswer answer, Time now);
  bool write(Time now);
  bool write_stream(Time now);
  bool ignore_input();
  void end(Time now);

  Descriptor socket_;
  const HttpLimits& limits_;
  State state_ = State::kReading;
  Time deadline_;
  std::string in_;
  std::string out_;
  std::size_t sent_ = 0;     ///< of `out_`
  std::size_t ignored_ = 0;  ///< bytes after the head
  bool input_over_ = false;  ///< the client has closed its side, or is gone
  std::unique_ptr<HttpStream> stream_;
};

}  // namespace tocsin::service
