// Where a clip has the nodes of its scene at any time.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "io/animated_scene.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// Empty, or what is wrong with the clip's keys: not finite, not in order of time, a rotation of
/// length 0. Names the node and the key, counted from 0.
std::string key_fault(const AnimatedScene& scene, const SceneClip& clip);

/// Both must outlive it. Precondition: key_fault() is empty.
class ClipSampler {
 public:
  /// `wanted`: the nodes whose place will be asked for.
  ClipSampler(const AnimatedScene& scene, const SceneClip& clip, const std::vector<int>& wanted);

  /// Puts all wanted nodes to their places at a time. A key that is that time but for rounding
  /// counts as it is. Between keys: translations and scales linearly, rotations at constant speed
  /// the short way, or as the key before (kStep); before the first and after the last: as these.
  void go_to(double seconds);
  /// Puts them to where they are without the clip.
  void go_to_rest();

  /// Node to world, in the file's unit and axes. Precondition: the node is wanted, or above one
  /// that is.
  [[nodiscard]] const Affine& world(int node) const {
    return world_[static_cast<std::size_t>(node)];
  }

  /// The nodes that go_to() works out: those that the clip moves, wanted or above one that is.
  [[nodiscard]] std::int64_t moving() const;

  /// Tracks with a spline that were asked for a time between two keys that differ.
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
