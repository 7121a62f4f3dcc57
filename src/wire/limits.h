// Limits that client, server and sessions check.
#pragma once

namespace tocsin::wire {

/// Metres that a session may grow its links' radii by. Beyond this most rooms are within reach of
/// every link, and every step has a contact with everything.
inline constexpr double kMostMargin = 10.0;

}  // namespace tocsin::wire
