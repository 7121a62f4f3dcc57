// How far two sets of features are apart at one time: a proved lower bound.
#pragma once

#include <vector>

#include "core/motion/frame_motion.h"
#include "detect/shapes/feature_search.h"

namespace tocsin::detect {

/// Two frames at one time, each relative to its ref.
struct FramesAt {
  const core::FrameState& first;
  const core::FrameState& second;
  Vec3 shift;  ///< from the first's ref to the second's
};

/// Owns memory that is used again; one thread at a time asks.
class FeatureDistance {
 public:
  /// A number that the distance between the features, without their radii, is never below, up to
  /// rounding, and nearly that; `limit` if it is at least that. Metres. Best first over both trees.
  double least(const FramesAt& at, const Features& first, const Features& second, double limit);

 private:
  struct Open {
    double gap = 0.0;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    friend bool operator<(const Open& p, const Open& q) { return p.gap > q.gap; }
  };

  void push(const FramesAt& at, const Features& first, const Features& second, Open open,
            double least);

  std::vector<Open> open_;  ///< a heap, the nearest on top
};

}  // namespace tocsin::detect
