// When the steps of a live session are on a window's time line.
#pragma once

#include <array>
#include <optional>

namespace tocsin::view {

/// Seconds by which a session may be behind its arrival. Beyond it the session has paused, or sends
/// more slowly than it captured, and goes on at the time of arrival.
inline constexpr double kMostLag = 2.0;

/// Where a session's steps lie: its own times (capture times, or ticks of a meeting) and an offset.
struct SessionPlace {
  /// Seconds to add to its own times; shared by sessions that meet, so that what meets is at one
  /// time. None: it has no step yet.
  std::optional<double>& offset;
  std::optional<double>& last;  ///< the end of its last step
};

/// The ends of a step on the window's time line, and the place after it. Steps do not overlap.
/// `own`: the ends by the session's clock; `now`: the time of arrival; `newest`: the last end of
/// any session's step. A session's first step ends at the later of the two.
std::array<double, 2> place_step(const std::array<double, 2>& own, double now, double newest,
                                 const SessionPlace& place);

}  // namespace tocsin::view
