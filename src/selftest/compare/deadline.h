// Stops work at a time, or when someone else asks for it.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <limits>
#include <mutex>
#include <stop_token>
#include <thread>

namespace tocsin::selftest {

/// Seconds of a Deadline that never comes.
inline constexpr double kNoDeadline = std::numeric_limits<double>::infinity();

/// Its token is asked to stop after some seconds, or when another token is.
class Deadline {
 public:
  /// `seconds`: from now, 0 or more.
  Deadline(double seconds, const std::stop_token& also)
      : forward_(also, [this] { source_.request_stop(); }),
        timer_([this, seconds](const std::stop_token& ended) { wait(seconds, ended); }) {}
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  /// Longer than any selftest; what a clock can add to its time.
  static constexpr double kLongest = 1e8;

  void wait(double seconds, const std::stop_token& ended) {
    std::unique_lock lock(mutex_);
    wake_.wait_for(lock, ended, std::chrono::duration<double>(std::min(seconds, kLongest)),
                   [] { return false; });
    if (!ended.stop_requested()) source_.request_stop();
  }

  std::stop_source source_;
  std::stop_callback<std::function<void()>> forward_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread timer_;  ///< last: it uses the others
};

}  // namespace tocsin::selftest
