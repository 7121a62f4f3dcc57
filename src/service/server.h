// The service's network: gRPC around an Engine.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "service/access.h"
#include "service/engine.h"
#include "tocsin/result.h"

namespace tocsin::service {

struct ServerOptions {
  std::string listen = "127.0.0.1:50051";  ///< HOST:PORT (port 0: any), [::1]:PORT, or unix:/path
  std::filesystem::path certificate = {};  ///< PEM: TLS, with `key`
  std::filesystem::path key = {};
  std::filesystem::path client_ca = {};  ///< PEM: clients must have a certificate that these signed
  bool insecure = false;                 ///< listen off loopback without what that needs
  std::size_t most_message = 4U << 20U;  ///< bytes of one message that comes in
  std::chrono::seconds keepalive{20};    ///< a silent connection is asked so often whether it lives
  /// Until a new stream has said what it wants. Longer keeps more of what somebody opens and
  /// forgets; shorter fails on poor lines.
  std::chrono::milliseconds opening_patience{10'000};
  /// For a stream that is ended from here to read what it is still told; then it is cut off. Longer
  /// keeps more of those who never read; shorter loses last words.
  std::chrono::milliseconds parting_patience{5'000};
};

/// Off loopback, TLS and (tokens or client certificates) are needed, or `insecure`. None: all is
/// well; else the error (kUsage) that says what is missing.
Status check_listening(const ServerOptions& options, bool asks_for_tokens);

/// Serves from construction to destruction.
class Server {
 public:
  /// Errors: kUsage: check_listening(), files that go together; kInput: a PEM file that cannot be
  /// read or used (named); kResource: the address is taken.
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options,
                                               std::shared_ptr<Engine> engine,
                                               std::shared_ptr<Access> access);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server();

  /// Where it listens: "127.0.0.1:40817".
  [[nodiscard]] std::string address() const;
  /// Tells everyone, lets what is pending be checked and read for up to `patience`, then stops
  /// (within a second). Health says NOT_SERVING from the start of it. Returns the frames left
  /// unchecked.
  std::uint64_t stop(std::chrono::milliseconds patience);

 private:
  struct State;
  Server() = default;
  std::unique_ptr<State> state_;
};

}  // namespace tocsin::service
