// The first touch of two moving sets of features: two trees are searched, best first.
// docs/exact.md, "Two trees"; paper 002, section 6; paper 001, section 5.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/motion/frame_motion.h"
#include "core/query/box_pair.h"
#include "core/query/certify_deforming.h"
#include "core/query/certify_hulls.h"
#include "core/query/hull_look.h"
#include "core/query/hull_walk.h"
#include "detect/step/pair_contact.h"
#include "detect/step/stopped.h"
#include "scene/shape/shape_data.h"
#include "tocsin/step_report.h"

namespace tocsin::detect {

/// Features that are fixed to one frame, with a tree, or several, over them.
struct Features {
  std::span<const Vec3> corners;  ///< frame, metres
  std::span<const TriangleIndices> features;
  std::span<const scene::ShapeNode> nodes;
  std::size_t roots = 1;  ///< so many of the nodes are roots: the first
  double radius = 0.0;    ///< of all features, with the margin, metres
  double longest = 0.0;   ///< greatest diameter of a feature, metres
  double reach = 0.0;     ///< greatest distance of a corner from the frame's origin, metres

  /// Of features that deform, what each corner moves by during the step, metres: they are triangles
  /// in a frame that stands still, and nodes hold them all the while. Empty: they are rigid.
  std::span<const Vec3> changes = {};

  [[nodiscard]] core::Hull hull(std::uint32_t feature) const;
  [[nodiscard]] core::DeformingTriangle deforming(std::uint32_t feature) const;
};

using core::feature_pair;
using core::FeaturePair;
using core::first_of;
using core::second_of;

/// A node of each of two trees.
struct NodePair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

/// What replaces a pair of nodes: one of them stays, of the other both children.
struct Halves {
  bool of_first = false;
  std::array<NodePair, 2> nodes;
};

/// Precondition: one of the nodes has children.
inline Halves halves_of(const Features& first, const Features& second, NodePair pair) {
  const scene::ShapeNode& a = first.nodes[pair.first];
  const scene::ShapeNode& b = second.nodes[pair.second];
  if (scene::splits_first(a, b)) {
    const auto child = static_cast<std::uint32_t>(a.child);
    return {true, {{{child, pair.second}, {child + 1, pair.second}}}};
  }
  const auto child = static_cast<std::uint32_t>(b.child);
  return {false, {{{pair.first, child}, {pair.first, child + 1}}}};
}

/// visit(NodePair): every root of one with every root of the other.
template <class Visit>
void for_each_root(const Features& first, const Features& second, const Visit& visit) {
  for (std::uint32_t i = 0; i < first.roots; ++i) {
    for (std::uint32_t j = 0; j < second.roots; ++j) visit(NodePair{i, j});
  }
}

using FeatureContact = PairContactOf<FeaturePair>;

struct SearchLimits {
  double tolerance = 1e-9;           ///< as certify_hulls takes it
  double stop_after = core::kToEnd;  ///< the same
  const std::stop_token* stop = nullptr;
  Meter* meter = nullptr;  ///< what may be spent; null: no limit
  /// The same question was asked last, and threw Spent: its search goes on.
  bool resume = false;
};

/// Owns memory that is used again; one thread at a time asks.
class FeatureSearch {
 public:
  /// `second` may deform, `first` may not. Folds certify_hulls of all pairs of features: the answer
  /// depends neither on the trees nor on the order in which they are searched. Pairs that are
  /// proved free until after both the answer's and limits' stop_after are left out. Throws Stopped
  /// once `limits.stop` asks for it, Spent once limits.meter is spent (limits.resume then goes on),
  /// and std::bad_alloc. Adds to the counters: `volume_tests` (pairs of nodes at one time),
  /// `candidates` (pairs of features looked at) and `evaluations`.
  FeatureContact run(const core::FramePair& frames, const Features& first, const Features& second,
                     const SearchLimits& limits, StepCounters& counters);
  /// After Spent: until when everything is proved apart. Step time.
  [[nodiscard]] double proved_until() const;

 private:
  /// Times at which frames are evaluated for nodes: i / kTimes. More: nodes prove more before they
  /// are split. Fewer: less to evaluate.
  static constexpr int kTimes = 32;

  /// A pair of nodes that is proved apart until `free_until`.
  struct Open {
    double free_until = 0.0;
    FeaturePair least = 0;  ///< no pair of features below them is less
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    std::uint8_t time = 0;       ///< index of the last time at which it was looked at
    std::uint8_t certified = 0;  ///< 1: two features that do not touch at t = 0
    std::uint8_t looked = 0;     ///< 1: two features of which a closer look proves no more
  };
  struct Later {
    bool operator()(const Open& p, const Open& q) const;
  };

  /// Where a frame is at the times; evaluated when they are asked for.
  class States {
   public:
    void begin(const core::FrameMotion& motion);
    const core::FrameState& at(int time) {
      if ((known_ >> static_cast<unsigned>(time) & 1U) == 0) evaluate(time);
      return states_[static_cast<std::size_t>(time)];
    }
    /// The frame is the world's, moved: nothing has to be turned.
    [[nodiscard]] bool still() const { return motion_->chain_length == 0; }
    [[nodiscard]] const core::AccelerationLine& bound() const { return bound_; }

   private:
    void evaluate(int time);

    const core::FrameMotion* motion_ = nullptr;
    core::AccelerationLine bound_;
    std::array<core::FrameState, kTimes> states_;
    std::uint32_t known_ = 0;  ///< bit i: states_[i] is set
  };

  /// Two nodes at the last time at which they were looked at.
  struct Nodes {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    int time = 0;
    double free_until = 0.0;  ///< proved of them, or of nodes above them
    core::PlacedBox a;
    core::PlacedBox b;
  };

  [[nodiscard]] core::PlacedBox place_first(std::uint32_t node, int time);
  [[nodiscard]] core::PlacedBox place_second(std::uint32_t node, int time);
  [[nodiscard]] Open open_of(NodePair pair, int time, double free_until) const;
  void push(Nodes& nodes);
  void keep(const Open& open);
  /// The last time for nodes that is not after `free_until`.
  static int time_of_look(double free_until) { return static_cast<int>(free_until * kTimes); }
  /// Two nodes that are proved apart until after the time at which they were looked at.
  void look_later(const Open& open);
  void split(const Open& open);
  /// Sets until when they are proved apart, as far as is of interest or until others come sooner,
  /// and the last time that was looked at.
  void prove(Nodes& nodes);
  void push_roots();
  /// Spends what the next of open_ costs. count: of those that were taken out.
  void spend_next(std::uint32_t count) const;
  [[nodiscard]] bool are_leaves(const Open& open) const;
  [[nodiscard]] bool rigid() const { return second_->changes.empty(); }
  /// A feature of the second at a time.
  core::SeenHull seen_second(std::uint32_t feature, int time);
  /// clear_time_of_boxes where the second node holds one feature, which is not as wide as its box.
  double clear_time_of_feature(const core::BoxPair& pair, const Nodes& nodes);
  /// Of two features, how long they are proved apart from a time on, without certify_hulls.
  double clear_time_of_features(const Open& open, int time);
  /// Proves more about two features. False: they are next, and nothing more can be proved so.
  bool look_closer(Open& open);
  /// Of two features, the next thing to be done.
  void settle(Open& open);
  void look(const Open& open);
  void certify(const Open& open);
  /// core::hulls_touch and core::certify_hulls, or, of a triangle that deforms, what is like them.
  [[nodiscard]] bool touch(FeaturePair pair);
  [[nodiscard]] core::Certificate certificate(FeaturePair pair);
  [[nodiscard]] double limit() const;

  const core::FramePair* frames_ = nullptr;
  const Features* first_ = nullptr;
  const Features* second_ = nullptr;
  SearchLimits limits_;
  StepCounters* counters_ = nullptr;
  double reach_ =
      0.0;  ///< nodes that are farther apart are free, for certify_hulls as well; metres
  States first_states_;
  States second_states_;
  FeatureContact contact_;
  std::vector<Open> open_;  ///< a heap, the next to be looked at on top
};

}  // namespace tocsin::detect
