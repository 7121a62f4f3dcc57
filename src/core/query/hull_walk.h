// The first touch of two moving trees of hulls by one thread with little memory of its own: depth
// first. A device searches so; the CPU searches best first (detect/shapes/feature_search.h). Both
// fold certify_hulls of all pairs of features. docs/exact.md, "Two trees".
#pragma once

#include <cstdint>

#include "core/motion/frame_motion.h"
#include "core/query/box_pair.h"
#include "core/query/certify_hulls.h"
#include "core/query/hull_tree.h"
#include "core/query/pair_contact.h"
#include "core/query/room_for_certify.h"
#include "core/vector/hd.h"

namespace tocsin::core {

/// A pair of features: the index of the second's in the high half, of the first's in the low one.
using FeaturePair = std::uint64_t;
TOCSIN_HD constexpr FeaturePair feature_pair(std::uint32_t first, std::uint32_t second) {
  return (FeaturePair{second} << 32U) | first;
}
TOCSIN_HD constexpr std::uint32_t first_of(FeaturePair pair) {
  return static_cast<std::uint32_t>(pair);
}
TOCSIN_HD constexpr std::uint32_t second_of(FeaturePair pair) {
  return static_cast<std::uint32_t>(pair >> 32U);
}

/// Times at which frames are evaluated for nodes: i / kWalkTimes. More: nodes prove more before
/// they are split. Fewer: less to evaluate.
inline constexpr std::int32_t kWalkTimes = 16;

/// Two sets of features may be farther apart than that for certify_hulls to be needed, metres:
/// nodes that are proved farther apart are free for certify_hulls as well. T: HullTree, or what has
/// its radius, longest and reach.
template <class T>
TOCSIN_HD inline double reach_of_pair(const FramePair& frames, const T& f, const T& g) {
  const ChainBounds& a = frames.first.bounds;
  const ChainBounds& b = frames.second.bounds;
  const double speed = (a.speed + a.turn * f.reach) + (b.speed + b.turn * g.reach);
  const double acceleration =
      acceleration_at(frames.first, f.reach) + acceleration_at(frames.second, g.reach);
  const double reach = (a.reach + f.reach) + (b.reach + g.reach) + norm(frames.shift);
  return (f.radius + g.radius) +
         room_for_certify({speed, acceleration, rounding_margin(frames, f.reach, g.reach),
                           f.longest + g.longest, reach});
}

/// Where a frame is at the times; evaluated when they are asked for.
class FrameStates {
 public:
  TOCSIN_HD void begin(const FrameMotion& motion) {
    motion_ = &motion;
    bound_ = acceleration_line(motion);
    known_ = 0;
  }
  TOCSIN_HD const FrameState& at(std::int32_t time) {
    FrameState& state = states_[time];
    if ((known_ >> static_cast<std::uint32_t>(time) & 1U) == 0) {
      state = evaluate(*motion_, static_cast<double>(time) / kWalkTimes);
      known_ |= 1U << static_cast<std::uint32_t>(time);
    }
    return state;
  }
  [[nodiscard]] TOCSIN_HD const AccelerationLine& bound() const { return bound_; }

 private:
  const FrameMotion* motion_ = nullptr;
  AccelerationLine bound_;
  FrameState states_[kWalkTimes];
  std::uint32_t known_ = 0;  ///< bit i: states_[i] is set
};

/// Node tests and evaluations after which a search is given up. A device's thread needs some
/// microseconds for one, and cannot be stopped: with that a kernel ends in about a second. More: a
/// stop waits for longer. Fewer: more steps are left to the CPU.
inline constexpr std::uint64_t kMostWalk = 1U << 17U;

/// What a search has done.
struct WalkTally {
  std::uint64_t volume_tests = 0;  ///< pairs of nodes at one time
  std::uint64_t candidates = 0;    ///< pairs of features
  std::uint64_t evaluations = 0;

  [[nodiscard]] TOCSIN_HD std::uint64_t work() const { return volume_tests + evaluations; }
};

/// One moving tree against others that move alike, one after the other.
class HullWalk {
 public:
  using Contact = PairContactOf<FeaturePair>;

  /// What is referred to must outlive this.
  TOCSIN_HD HullWalk(const FramePair& frames, const HullTree& first, double tolerance)
      : frames_(frames), first_(first), tolerance_(tolerance) {
    first_states_.begin(frames.first);
    second_states_.begin(frames.second);
  }

  /// Folds certify_hulls of all pairs of features into the contact, but for those that are proved
  /// free until after the contact's stop_after(), and overlaps of greater index than a known one.
  /// The features of `second` are numbered from `offset` on. Returns false if it was given up, as
  /// the tally's work has passed kMostWalk: the contact then means nothing.
  [[nodiscard]] TOCSIN_HD bool add(const HullTree& second, std::uint32_t offset, Contact& contact,
                                   WalkTally& tally) {
    reach_ = reach_of_pair(frames_, first_, second);
    std::int32_t open = 0;
    push(second, {0, 0, 0, 0.0}, open, offset, contact, tally);
    while (open > 0) {
      if (tally.work() > kMostWalk) return false;
      const Open pair = stack_[--open];
      if (settled(second, pair, offset, contact)) continue;
      const HullNode& a = first_.nodes[pair.first];
      const HullNode& b = second.nodes[pair.second];
      if (a.child >= 0 || b.child >= 0) {
        split(second, pair, open, offset, contact, tally);
        continue;
      }
      ++tally.candidates;
      const Certificate c = certify_hulls(frames_, first_.hull(a.feature), first_states_.at(0),
                                          second.hull(b.feature), second_states_.at(0), tolerance_,
                                          contact.stop_after());
      tally.evaluations += static_cast<std::uint64_t>(c.evaluations);
      contact.add(feature_pair(a.feature, offset + b.feature), c);
    }
    return tally.work() <= kMostWalk;
  }

 private:
  /// A pair of nodes that is proved apart until free_until.
  struct Open {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::int32_t time = 0;  ///< index of the last time at which it was looked at
    double free_until = 0.0;
  };

  /// Each split takes one pair away and puts two: depth first there are never more than the levels
  /// of both trees and one.
  static constexpr std::int32_t kMostOpen = 2 * kMostLevels + 1;

  TOCSIN_HD bool settled(const HullTree& second, const Open& pair, std::uint32_t offset,
                         const Contact& contact) const {
    if (pair.free_until > contact.stop_after()) return true;
    if (!contact.any() || contact.touch() != Touch::kOverlap) return false;
    const FeaturePair least =
        feature_pair(first_.nodes[pair.first].feature, offset + second.nodes[pair.second].feature);
    return least > contact.triangle();
  }

  /// Sets until when they are proved apart, as far as is of interest, and the last time that was
  /// looked at.
  TOCSIN_HD void prove(const HullTree& second, Open& pair, double limit, WalkTally& tally) {
    const OrientedBox& a = first_.nodes[pair.first].box;
    const OrientedBox& b = second.nodes[pair.second].box;
    const double acceleration =
        first_states_.bound().at(a.reach) + second_states_.bound().at(b.reach);
    for (;;) {
      const double now = static_cast<double>(pair.time) / kWalkTimes;
      ++tally.volume_tests;
      const double clear =
          clear_time_of_boxes({a, b, first_states_.at(pair.time), second_states_.at(pair.time),
                               frames_.shift, acceleration, reach_, 1.0 - now});
      pair.free_until = max_of(pair.free_until, now + clear);
      if (pair.free_until > limit || pair.free_until >= 1.0) return;
      const auto next = static_cast<std::int32_t>(pair.free_until * kWalkTimes);
      if (next <= pair.time) return;
      pair.time = next;
    }
  }

  TOCSIN_HD void push(const HullTree& second, Open pair, std::int32_t& open, std::uint32_t offset,
                      const Contact& contact, WalkTally& tally) {
    if (settled(second, pair, offset, contact)) return;
    prove(second, pair, contact.stop_after(), tally);
    if (pair.free_until >= 1.0 || pair.free_until > contact.stop_after()) return;
    stack_[open++] = pair;
  }

  TOCSIN_HD void split(const HullTree& second, const Open& pair, std::int32_t& open,
                       std::uint32_t offset, const Contact& contact, WalkTally& tally) {
    const HullNode& a = first_.nodes[pair.first];
    const HullNode& b = second.nodes[pair.second];
    const bool of_first = splits_first(a, b);
    const std::int32_t before = open;
    for (std::uint32_t i = 0; i < 2; ++i) {
      Open half = pair;
      (of_first ? half.first : half.second) =
          static_cast<std::uint32_t>(of_first ? a.child : b.child) + i;
      push(second, half, open, offset, contact, tally);
    }
    // The one that may touch sooner comes first: it tells how far the other matters.
    if (open == before + 2 && stack_[before].free_until < stack_[before + 1].free_until) {
      const Open sooner = stack_[before];
      stack_[before] = stack_[before + 1];
      stack_[before + 1] = sooner;
    }
  }

  const FramePair& frames_;
  const HullTree& first_;
  double tolerance_;
  double reach_ = 0.0;
  FrameStates first_states_;
  FrameStates second_states_;
  Open stack_[kMostOpen];
};

}  // namespace tocsin::core
