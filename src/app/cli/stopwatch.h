// Wall-clock time by stage.
#pragma once

#include <chrono>

namespace tocsin::app {

/// Milliseconds since it was made or last lapped.
class Stopwatch {
 public:
  [[nodiscard]] double milliseconds() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin_).count();
  }
  /// The same, and starts again from zero.
  double lap() {
    const double out = milliseconds();
    begin_ = Clock::now();
    return out;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace tocsin::app
