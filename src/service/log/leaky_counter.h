// A count that shrinks with time: how often something happened lately.
#pragma once

#include <algorithm>
#include <chrono>

namespace tocsin::service {

/// Counts up by one at a time and down at a steady rate, to 0. `now` may go back: it counts as the
/// latest that was seen.
class LeakyCounter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// rate: how much it shrinks a second, above 0.
  explicit LeakyCounter(double rate = 1.0, Time now = {}) : rate_(rate), last_(now) {}

  [[nodiscard]] double count(Time now) const {
    const double seconds = std::max(std::chrono::duration<double>(now - last_).count(), 0.0);
    return std::max(count_ - seconds * rate_, 0.0);
  }
  /// Counts one more, up to `most`.
  void add(double most, Time now) {
    count_ = std::min(count(now) + 1.0, most);
    last_ = std::max(last_, now);
  }
  /// Counts one more if there is room for it. False: there is not.
  bool take(double most, Time now) {
    if (count(now) + 1.0 > most) return false;
    add(most, now);
    return true;
  }
  /// When it was last counted.
  [[nodiscard]] Time last() const { return last_; }

 private:
  double rate_;
  double count_ = 0.0;  ///< at last_; less by now
  Time last_;
};

}  // namespace tocsin::service
