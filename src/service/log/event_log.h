// What happens, for the operator's log. No client can fill it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "service/log/leaky_counter.h"

namespace tocsin::service {

/// Empty fields are unknown.
struct LogEvent {
  std::string_view event;  ///< "authentication_failed", ...: a literal
  std::string peer = {};   ///< a client's address; empty: this is not about a client
  std::string principal = {};
  std::string session = {};    ///< shown_session(), never the id
  std::string cause = {};      ///< for people
  std::uint64_t left_out = 0;  ///< events of this peer before this one that were not written
};

/// One line of JSON for an event, without its end: time (UTC), event, and the fields that are
/// known.
std::string json_line(const LogEvent& event, std::chrono::system_clock::time_point now);

/// Writes events, of each peer a limited number a second, and of all peers together. The rest is
/// counted, and the count is written. Thread-safe.
class EventLog {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Write = std::function<void(const LogEvent& event)>;

  /// Of one peer at once, and a second. A client that comes with 100 sessions has the first ones
  /// written, and the number of the others.
  static constexpr double kAtOnce = 20.0;
  static constexpr double kPerSecond = 2.0;
  /// Of all peers, at once and a second. Larger: a thousand addresses write 10 MB a minute.
  static constexpr double kAllAtOnce = 500.0;
  static constexpr double kAllPerSecond = 50.0;
  /// Peers that are told apart. The others are one.
  static constexpr std::size_t kMostPeers = 1024;

  /// `write`: called without a lock, by any thread; must not throw.
  explicit EventLog(Write write) : write_(std::move(write)) {}

  /// Events without a peer are always written. Never throws.
  void say(LogEvent event, Time now = std::chrono::steady_clock::now());
  /// Writes how many events were left out of peers that have said nothing since. Call it now and
  /// then.
  void flush(Time now = std::chrono::steady_clock::now());

 private:
  struct Peer {
    LeakyCounter written{kPerSecond};
    std::uint64_t left_out = 0;
  };
  Peer& peer_of(std::string& name, Time now);
  bool admit(LogEvent& event, Time now);

  const Write write_;
  std::mutex mutex_;
  std::map<std::string, Peer> peers_;
  LeakyCounter all_{kAllPerSecond};
};

}  // namespace tocsin::service
