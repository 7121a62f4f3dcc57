// The content of a take: a function that gives the body's controls at any time.
#pragma once

#include <cstdint>
#include <memory>

#include "make/motion/pose.h"

namespace tocsin::make {

class Routine {
 public:
  Routine() = default;
  Routine(const Routine&) = delete;
  Routine& operator=(const Routine&) = delete;
  virtual ~Routine() = default;

  /// The controls at a time, seconds, at least 0. A function of the time alone: a take sampled
  /// faster passes through the same poses.
  virtual Controls at(double seconds) = 0;
};

std::unique_ptr<Routine> make_walk(std::uint64_t seed);
std::unique_ptr<Routine> make_reach(std::uint64_t seed);
std::unique_ptr<Routine> make_kick(std::uint64_t seed);
std::unique_ptr<Routine> make_cartwheel(std::uint64_t seed);
std::unique_ptr<Routine> make_swing(std::uint64_t seed);
std::unique_ptr<Routine> make_door(std::uint64_t seed);

}  // namespace tocsin::make
