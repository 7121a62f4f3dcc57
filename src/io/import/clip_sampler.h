// The transforms of a scene's nodes at any time of a clip.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/import/animated_scene.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// Empty, or the fault of the clip's keys: not finite, not in order of time, a rotation of length
/// 0. Names the node and the key, counted from 0.
std::string key_fault(const AnimatedScene& scene, const SceneClip& clip);

/// Both must outlive it. Precondition: key_fault() is empty.
class ClipSampler {
 public:
  /// `wanted`: the nodes for which world() will be called.
  ClipSampler(const AnimatedScene& scene, const SceneClip& clip, const std::vector<int>& wanted);

  /// Computes all wanted nodes at a time. A key at that time, up to rounding, is used as it is.
  /// Between keys translations and scales are linear, and rotations take the short way at constant
  /// speed; with kStep the key before counts. Before the first and after the last key these count.
  void go_to(double seconds);
  /// Computes them without the clip.
  void go_to_rest();

  /// Node to world, in the file's unit and axes. Precondition: the node is wanted, or above one
  /// that is.
  [[nodiscard]] const Affine& world(int node) const {
    return world_[static_cast<std::size_t>(node)];
  }

  /// Number of nodes that go_to() computes: those that the clip moves, wanted or above a wanted
  /// one.
  [[nodiscard]] std::int64_t moving() const;

  /// Number of tracks with a spline that were sampled between two different keys.
  [[nodiscard]] std::int64_t guessed() const;

 private:
  struct Value;
  [[nodiscard]] Value value(std::size_t track, double seconds, double tolerance);
  [[nodiscard]] Affine local(std::size_t node, double seconds, double tolerance);

  static constexpr int kNone = -1;
  static constexpr std::array<int, 3> kNoTracks{kNone, kNone, kNone};

  const AnimatedScene& scene_;
  const SceneClip& clip_;
  std::vector<std::size_t> nodes_;          ///< wanted and above, parents first
  std::vector<std::array<int, 3>> tracks_;  ///< of each node: by TrackPath
  std::vector<char> moves_;                 ///< the node or one above has tracks
  std::vector<Affine> world_;
  std::vector<char> guessed_;  ///< by track
};

}  // namespace tocsin::io
