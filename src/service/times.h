// How the service tells and remembers how long work took.
#pragma once

#include <chrono>
#include <ratio>

namespace tocsin::service {

inline double microseconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

/// What took long, a session's step or a meeting's tick, is forgotten by and by: after 35 quick
/// ones half of it is left. Nearer to 1: a session that was slow once (its memory was swapped out)
/// stays in the slow lane for longer; smaller: one whose steps are slow now and then is more often
/// taken for quick.
inline constexpr double kFading = 0.98;

}  // namespace tocsin::service
