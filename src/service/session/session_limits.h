// Limits of a session: memory and time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tocsin::service {

/// Seconds of a step on a thread that reads streams: other sessions' frames wait for it so long.
/// Less: steps are handed over that would soon have been done. More: crowds are late by one such
/// step.
inline constexpr double kBriefStep = 0.002;

/// Limits of a session; docs/service.md says why these.
struct SessionLimits {
  std::size_t pending_frames = 16;  ///< FrameQueue's capacity, at least 2
  /// Bytes of pending frames. With a larger skeleton fewer frames may be pending.
  std::size_t pending_bytes = 4 << 20;
  std::size_t kept_reports = 512;    ///< for clients that resume
  std::size_t kept_bytes = 1 << 20;  ///< of these, at most, estimated
  std::size_t unsent_reports =
      64;  ///< with more, or with kept_bytes of them, no step is checked until some are pulled
  double ttl = 60.0;  ///< seconds without a stream after which it expires
  /// Seconds that a step may take in one turn. Then its client is told what is proved so far, and
  /// it waits for its next turn. Few live avatars need as long, and a turn occupies a worker.
  double step_seconds = 2.0;
  double brief_seconds = kBriefStep;
};

/// Seconds (thirty years): used for longer times, which would overflow a clock.
inline constexpr double kLongest = 1e9;

/// How often sessions are tested for expiry, and their steps for taking far too long: an eighth of
/// these times, within bounds. The lower bound avoids useless tests. The upper one frees memory
/// soon.
inline std::chrono::milliseconds sweep_interval(const SessionLimits& limits) {
  using std::chrono::milliseconds;
  const double wanted =
      std::clamp(std::min(limits.ttl, limits.step_seconds), 0.0, 10.0) * 1000.0 / 8.0;
  return std::clamp(milliseconds(static_cast<std::int64_t>(wanted)), milliseconds(5),
                    milliseconds(1000));
}

inline std::chrono::duration<double> seconds_of(double limit) {
  return std::chrono::duration<double>(std::clamp(limit, 0.0, kLongest));
}

}  // namespace tocsin::service
