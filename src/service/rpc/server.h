// The service's network: gRPC around an Engine.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "service/access/access.h"
#include "service/access/admission.h"
#include "service/engine.h"
#include "service/rpc/server_options.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// What a server has done since its start, and how it is now.
struct ServerCounts {
  bool serving = false;  ///< it reached itself by connecting, and does not close
  std::uint64_t accepted_connections = 0;
  std::uint64_t refused_connections = 0;
  std::size_t waiting_openings = 0;  ///< now, in the admission queue
  std::size_t waiting_chores = 0;    ///< now: stores of uploads, rooms to be built
  std::uint64_t memory_budget = 0;   ///< bytes; 0: no limit
  bool memory_kept = true;           ///< the process is within it, now
  std::uint64_t memory_refusals = 0;
};

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

  /// The address on which it listens, such as "127.0.0.1:40817".
  [[nodiscard]] std::string address() const;
  /// Who is let in, for other ports of the server.
  [[nodiscard]] Admission& admission() const;
  /// Thread-safe, during stop() too.
  [[nodiscard]] ServerCounts counts() const;
  /// Reads the TLS files again, for connections that come from now on; revocations hold for calls
  /// on all connections. Streams go on. Errors: as start(); then nothing changes. (kUsage): there
  /// is no TLS.
  Status reload_credentials();
  /// Health says NOT_SERVING from now on, and counts() that it is not serving, so that fronts send
  /// no more clients. Everything else goes on.
  void leave();
  /// Tells all streams that the server closes. Pending frames are checked and reported for up to
  /// `timeout`. Then it stops, within a second. Health says NOT_SERVING from the beginning.
  /// Returns the number of frames left unchecked.
  std::uint64_t stop(std::chrono::milliseconds timeout);

 private:
  struct State;
  Server() = default;
  std::unique_ptr<State> state_;
};

}  // namespace tocsin::service
