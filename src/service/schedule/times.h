// How the service measures times, and how fast it forgets long ones.
#pragma once

#include <chrono>
#include <ratio>

namespace tocsin::service {

inline double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

/// Decay of the estimated time of a session's step, or of a meeting's tick. After 35 quick ones
/// half of a long time is left. Nearer to 1: a session that was slow once (its memory was swapped
/// out) stays in the slow lane for longer. Smaller: a session with some slow steps more often
/// counts as quick.
inline constexpr double kFading = 0.98;

}  // namespace tocsin::service
