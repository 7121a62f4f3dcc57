// Whether a stream's reading keeps up with its client.
#pragma once

#include <algorithm>
#include <chrono>

namespace tocsin::service {

/// Follows the messages of one stream. Of the thread that owns reading.
class ReadingPace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A message that comes later than this after it was asked for, and than this share of the time
  /// that the one before took, was not there yet: reading keeps up. Shorter, a smaller share: so is
  /// one that gRPC only had to hand over. Longer, larger: that reading keeps up is seen late.
  static constexpr std::chrono::microseconds kWaited{100};
  static constexpr int kShare = 16;

  /// The next message may come from now on.
  void asked(Time now) { asked_ = now; }
  /// It came.
  void received(Time now) {
    const Time::duration worked = asked_ - received_;
    if (now - asked_ >= std::max<Time::duration>(kWaited, worked / kShare)) waited_ = now;
    received_ = now;
  }
  /// When the last message came that reading had to wait for: Engine::run_here().
  [[nodiscard]] Time waited() const { return waited_; }

 private:
  Time asked_;
  Time received_;
  Time waited_;
};

}  // namespace tocsin::service
