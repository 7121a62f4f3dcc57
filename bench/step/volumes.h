// How tight the swept bounds are: their volumes beside those of the same kind of volume around
// sampled positions.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "shared/inputs.h"
#include "shared/timing.h"

namespace tocsin::bench {

/// Volumes of a link's bound over a step divided by that of the least volume of the same kind, a
/// box or a k-DOP, around kSamples positions of the link, radius included; over links and steps. 1
/// is the best there can be. A step in several pieces: the volume around all of them.
struct Volumes {
  std::size_t links = 0;  ///< how many (link, step) pairs
  Figures coarse;         ///< the box without trigonometry
  Figures box;            ///< the chord bound of docs/exact.md, as the culler gets it
  Figures k14;            ///< ... as a k-DOP
  Figures k18;
  Figures k26;
  Figures interval;  ///< the box of paper 004, section 5, grown by the radius

  /// Each with its name.
  [[nodiscard]] std::vector<std::pair<const char*, Figures>> kinds() const {
    return {{"chord, box (k = 6)", box},   {"chord, k = 14", k14},
            {"chord, k = 18", k18},        {"chord, k = 26", k26},
            {"coarse bound, box", coarse}, {"interval matrices, box", interval}};
  }
};

inline constexpr int kSamples = 257;

/// Looks at every `every`-th step.
Volumes compare_volumes(const Inputs& inputs, const Case& which, std::size_t every);

}  // namespace tocsin::bench
