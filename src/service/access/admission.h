// Who is let in: the one way for gRPC and HTTP.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "service/access/access.h"
#include "service/access/failure_gate.h"
#include "service/log/event_log.h"
#include "service/metrics/metrics.h"

namespace tocsin::service {

/// The address of a client.
struct Caller {
  std::string shown;  ///< "192.0.2.7"; "local": a socket file
  std::string key;    ///< for limits of an address (peer_of): empty: this machine
};

/// Why a client is not let in.
struct Turned {
  bool too_often = false;  ///< its address has failed too often: nothing was looked at
  std::string cause;       ///< for the client
};

/// Failures are counted, logged, and slow their address down (FailureGate), through whichever port
/// they come. Thread-safe. Functions throw std::bad_alloc.
class Admission {
 public:
  /// `events`: null: nobody is told.
  Admission(std::shared_ptr<Access> access, Metrics& metrics, std::shared_ptr<EventLog> events)
      : access_(std::move(access)), metrics_(metrics), events_(std::move(events)) {}

  [[nodiscard]] const Access& access() const { return *access_; }
  /// False, and `why`: its address has failed too often. Call it before anything is looked at.
  bool is_open(const Caller& caller, Turned& why);
  /// As Access::admit(). Null: `why`.
  std::shared_ptr<Principal> admit(const Caller& caller,
                                   std::optional<std::string_view> authorization,
                                   std::string_view certificate, Turned& why);
  /// Counts and logs what the caller has found wrong itself. `why`: the cause.
  void turn_away(const Caller& caller, AuthenticationFault fault, std::string cause, Turned& why);

 private:
  const std::shared_ptr<Access> access_;
  Metrics& metrics_;
  const std::shared_ptr<EventLog> events_;
  FailureGate gate_;
};

}  // namespace tocsin::service
