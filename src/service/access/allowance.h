// A rate limit.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

namespace tocsin::service {

/// A token bucket. Thread-safe.
class Allowance {
 public:
  /// Takes `count` out of it. It refills with `rate` a second and holds one second's worth, at
  /// least one. False if there are not so many; then nothing is taken.
  bool take(std::uint64_t count, double rate, std::chrono::steady_clock::time_point now);

  /// Puts one back that take() took.
  void give_back(double rate);

 private:
  std::mutex mutex_;
  double allowance_ = 0.0;
  std::optional<std::chrono::steady_clock::time_point> last_;
};

}  // namespace tocsin::service
