// How much a session may hold, and for how long.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace tocsin::service {

/// Limits of a session; docs/service.md says why these.
struct SessionLimits {
  std::size_t pending_frames = 16;  ///< FrameQueue's capacity, at least 2
  /// Of these: a skeleton so large that they would take more has a smaller queue.
  std::size_t pending_bytes = 4 << 20;
  std::size_t kept_reports = 512;    ///< kept for a client that resumes
  std::size_t kept_bytes = 1 << 20;  ///< of these, at most, estimated
  std::size_t unsent_reports =
      64;  ///< so many (or kept_bytes) and no further step is checked: frames wait, or are skipped
  double ttl = 60.0;  ///< seconds without a stream after which it expires
  /// Seconds. A step that takes longer is given up, and its session ends: no live avatar needs as
  /// long, and a worker is lost to all others meanwhile.
  double step_seconds = 2.0;
};

/// Seconds. What never expires does so after thirty years: longer times overflow a clock.
inline constexpr double kLongest = 1e9;

inline std::chrono::duration<double> seconds_of(double limit) {
  return std::chrono::duration<double>(std::clamp(limit, 0.0, kLongest));
}

}  // namespace tocsin::service
