// A thread that calls a function at an even rate while it is awake.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace tocsin::service {

/// Ticks are counted from construction, called or not: number n is due n / rate seconds later. Late
/// ticks are left out, so numbers give the time. After pass() all are later by the same number.
class Ticker {
 public:
  /// `tick`: must not throw or block for long. It returns false to sleep until wake().
  Ticker(double rate, std::function<bool(std::uint64_t number)> tick);
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  /// After this `tick` is not called.
  ~Ticker();

  /// The number of the next tick, `seconds` after number 0 was due. It is greater than `last`,
  /// because times are rounded and a tick may come a little before it is due.
  static std::uint64_t next_number(double seconds, double rate, std::uint64_t last);

  /// Starts calling again. Cheap if it is awake.
  void wake();
  /// All numbers from now on are greater than `number`: they go on from it, unless they are greater
  /// already.
  void pass(std::uint64_t number);

 private:
  using Clock = std::chrono::steady_clock;
  void run();

  const double rate_;
  const std::function<bool(std::uint64_t)> tick_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool awake_ = false;
  std::uint64_t added_ = 0;  ///< to the numbers, by pass()
  bool over_ = false;
  std::thread thread_;  ///< last: it uses the rest
};

}  // namespace tocsin::service
