// What is thrown, and caught within the floor, where a step is given up.
#pragma once

#include <cstdint>
#include <stop_token>

namespace tocsin::detect {

struct Stopped {};

/// Throws Stopped if the step is to be given up. Null: it is not.
inline void go_on(const std::stop_token* stop) {
  if (stop != nullptr && stop->stop_requested()) throw Stopped();
}

/// How many pairs of nodes are looked at between two looks at a stop request: below a millisecond.
inline constexpr std::uint32_t kStopEvery = 256;

}  // namespace tocsin::detect
