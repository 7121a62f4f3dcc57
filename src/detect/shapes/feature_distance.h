// How far two sets of features are apart at one time: a proved lower bound, or the nearest pair.
#pragma once

#include <cmath>
#include <cstdint>
#include <stop_token>
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

/// Two features, one of each set.
struct NearestFeatures {
  double distance = HUGE_VAL;  ///< without their radii, metres; infinite: none were looked at
  FeaturePair pair = 0;
  Vec3 point;  ///< of the second, nearest to the first; relative to the first's ref, metres
  Vec3 own;    ///< of the first, nearest to the second; the same
};

/// Owns memory that is used again; one thread at a time asks.
class FeatureDistance {
 public:
  /// Every question throws Stopped once `stop` asks for it; null: none does.
  explicit FeatureDistance(const std::stop_token* stop = nullptr) : stop_(stop) {}

  /// A number that the distance between the features, without their radii, is never below, up to
  /// rounding, and nearly that; `limit` if it is at least that. Metres. Best first over both trees.
  double least(const FramesAt& at, const Features& first, const Features& second, double limit);

  /// Puts the nearest pair into `best`, if it is nearer than that; of several as near the one with
  /// the least FeaturePair. Computed, not proved. A pair that is no farther than `slack` ends the
  /// search: both sets meet, up to rounding, and the distance is 0. So none that overlap are apart.
  /// slack: what the boxes' distances may be off by, metres. True if `best` is another now.
  bool nearest(const FramesAt& at, const Features& first, const Features& second, double slack,
               NearestFeatures& best);

 private:
  struct Open {
    double gap = 0.0;
    NodePair nodes;
    friend bool operator<(const Open& p, const Open& q) { return p.gap > q.gap; }
  };

  /// Looks at all pairs of features whose boxes are less than `limit` apart, the nearest boxes
  /// first, while the limit is above `enough`. look(pair): the limit from then on.
  template <class Look>
  void walk(const FramesAt& at, const Features& first, const Features& second, double limit,
            double enough, const Look& look);
  void push(const FramesAt& at, const Features& first, const Features& second, NodePair nodes,
            double limit);

  const std::stop_token* stop_;
  std::vector<Open> open_;  ///< a heap, the nearest on top
};

}  // namespace tocsin::detect
