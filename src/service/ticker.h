// A thread that calls at an even rate, while there is anything to call for.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace tocsin::service {

/// Ticks are counted from when it was made, whether they are called or not: number n is due n /
/// rate seconds later. Those that come too late are left out, so numbers tell the time.
class Ticker {
 public:
  /// `tick`: must not throw or block for long; false: nothing to call for until wake().
  Ticker(double rate, std::function<bool(std::uint64_t number)> tick);
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  /// After this nothing is called.
  ~Ticker();

  /// The number of the tick that is next, so many seconds after number 0 was due; greater than
  /// `last`: times are rounded, and a tick may come a little before it is due.
  static std::uint64_t next_number(double seconds, double rate, std::uint64_t last);

  /// There is something to call for. Cheap if there was.
  void wake();

 private:
  using Clock = std::chrono::steady_clock;
  void run();

  const double rate_;
  const std::function<bool(std::uint64_t)> tick_;
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool awake_ = false;
  bool over_ = false;
  std::thread thread_;  ///< last: it uses the rest
};

}  // namespace tocsin::service
