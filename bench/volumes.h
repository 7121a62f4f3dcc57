// How tight the two swept bounds are: their volumes beside that of the box of sampled positions.
#pragma once

#include "inputs.h"
#include "timing.h"

namespace tocsin::bench {

/// Volumes divided by that of the sampled box (axis positions at kSamples times, grown by the
/// radius), over links and steps.
struct Volumes {
  std::size_t links = 0;  ///< how many (link, step) pairs
  Figures chord;          ///< the box of docs/exact.md, as the culler gets it
  Figures interval;       ///< the box of paper 004, section 5, grown by the radius
};

inline constexpr int kSamples = 257;

/// Looks at every `every`-th step.
Volumes compare_volumes(const Inputs& inputs, const Case& which, std::size_t every);

}  // namespace tocsin::bench
