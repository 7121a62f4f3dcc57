// How finely a step must be sampled so that straight lines between samples show it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/motion.h"
#include "tocsin/types.h"

namespace tocsin::view {

/// Parts of a step, and how far a link's ends are then from where they are drawn at the middle of a
/// part: there the difference is greatest, up to its change along the part. Metres.
struct FineParts {
  std::int64_t parts = 1;
  double deviation = 0.0;
};

/// The fewest parts, a power of two from `least` to `most`, with which every link's ends are drawn
/// within `tolerance` metres, where joints go straight and turn evenly in the world from sample to
/// sample; `most` if none has that.
FineParts parts_within(const Avatar& avatar, const Step& step, double tolerance, std::int64_t least,
                       std::int64_t most);

}  // namespace tocsin::view
