// A row of movements from posture to posture.
#pragma once

#include <span>

#include "make/motion/reach_key.h"
#include "make/motion/smooth.h"

namespace tocsin::make {

/// A movement: from the posture before it to another one, at rest before `begin` and after `end`.
struct Move {
  double begin = 0.0;  ///< seconds
  double end = 0.0;
  Posture to;
};

/// The posture at a time. Precondition: the moves follow one another and do not overlap.
inline Posture posture_at(const Posture& start, std::span<const Move> moves, double seconds) {
  Posture out = start;
  for (const Move& move : moves) {
    out = mix(out, move.to, ease_between(seconds, move.begin, move.end));
  }
  return out;
}

}  // namespace tocsin::make
