// Slows down addresses from which tokens are guessed.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

#include "service/log/leaky_counter.h"

namespace tocsin::service {

/// An address has so many failures at once, and then so many a second. Beyond that its tokens are
/// not looked at. Thread-safe.
class FailureGate {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A client that was given a wrong token tries again a few times. Larger: guesses are cheaper.
  static constexpr double kAtOnce = 10.0;
  static constexpr double kPerSecond = 1.0;
  /// Addresses that are remembered, some 100 bytes each. Beyond it the one that failed longest ago
  /// is forgotten.
  static constexpr std::size_t kMostAddresses = 4096;

  /// False: too many failures. `address`: as peer_of() has it; empty: this machine, where a proxy
  /// may stand for all its clients: always open.
  bool is_open(const std::string& address, Time now);
  /// Call after a failure. Throws std::bad_alloc.
  void note_failure(const std::string& address, Time now);

 private:
  void make_room();

  std::mutex mutex_;
  std::map<std::string, LeakyCounter> failures_;
};

}  // namespace tocsin::service
