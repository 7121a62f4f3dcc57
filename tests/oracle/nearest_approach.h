// When a moving distance is least: for tests that make things just touch, and just not.
#pragma once

#include <algorithm>

#include "core/vector/vec.h"
#include "pair_movers.h"

namespace tocsin::oracle::test {

struct Nearest {
  double t = 0.0;
  double distance = 0.0;
  Vec3 direction;  ///< the separation's
};

/// at(t): the Separation at step time t. The least over the step, by sampling and `refine` golden
/// sections: a draft, the oracle has the last word.
template <class At>
Nearest least_of(const At& at, int refine) {
  constexpr int kSamples = 12;
  double best_t = 0.0;
  auto best = at(0.0);
  for (int i = 1; i <= kSamples; ++i) {
    const double t = static_cast<double>(i) / kSamples;
    const auto here = at(t);
    if (here.upper < best.upper) {
      best = here;
      best_t = t;
    }
  }
  double low = std::max(best_t - 1.0 / kSamples, 0.0);
  double high = std::min(best_t + 1.0 / kSamples, 1.0);
  constexpr double kGolden = 0.6180339887498949;
  for (int i = 0; i < refine; ++i) {
    const bool right = high - best_t > best_t - low;
    const double probe = right ? best_t + (1.0 - kGolden) * (high - best_t)
                               : best_t - (1.0 - kGolden) * (best_t - low);
    const auto here = at(probe);
    const bool better = here.upper < best.upper;
    (right == better ? low : high) = better ? best_t : probe;
    if (better) {
      best = here;
      best_t = probe;
    }
  }
  return {best_t, static_cast<double>(best.upper), to_vec3(best.direction)};
}

}  // namespace tocsin::oracle::test
