// A whole check: the takes, the rooms, what is asked and how it is run. The command line fills one
// in; a report records one, with everything "auto" decided; `tocsin verify` runs a recorded one
// again.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tocsin/check_spec.h"
#include "tocsin/io.h"
#include "tocsin/time_line.h"

namespace tocsin::io {

/// `--frames [A]:[B][:STRIDE]`.
struct FrameRange {
  std::int64_t first = 0;
  std::int64_t last = -1;  ///< inclusive; -1: the motion's last
  std::int64_t stride = 1;
};

/// A take: how it is read, and the avatar that it moves.
struct Take {
  std::string motion;  ///< its file, as given
  MotionOptions reading;
  AvatarSpec avatar;
  FrameRange frames;
  bool skip_rest = false;  ///< not from frame 0 on where that shows the rest pose (rest_frame.h)
  /// Of a robot, with spec.self: whose disabled pairs are left out. "auto": the one beside the
  /// .urdf; "none". Empty: auto.
  std::string srdf;
  double start = 0.0;  ///< of several takes: seconds on the time line at which its frame 0 is
};

/// Everything a check needs to know. docs/reference/check.md names the options.
struct CheckOptions {
  std::vector<Take> takes{1};  ///< at least one
  std::vector<std::string> environments;
  /// Of a session's record: the file that tells how its room changed (io/scene/scene_record.h).
  std::optional<std::string> scene;
  /// The first bytes of it that belong to the record's poses: no step sees what is behind them.
  std::uint64_t scene_bytes = std::numeric_limits<std::uint64_t>::max();
  EnvironmentOptions room;  ///< how the rooms are read
  CheckSpec spec;
  Absence absent = Absence::kGone;  ///< of several takes: outside their own times
  bool ignore_rest = false;         ///< with spec.self: not links that overlap in the rest pose
  bool sampled = false;             ///< only the sampled poses are looked at
  Backend backend = Backend::kAuto;
  GlOptions gl;
  CudaOptions cuda;
  Experiments experiments;
  int threads = 0;                 ///< 0: all
  std::string tree_cache;          ///< folder that keeps rooms' trees; empty: none
  std::optional<std::string> out;  ///< none: a table for people; "-": standard output
  bool fail_on_contact = false;
  double near = 0.0;     ///< metres: pairs that come so near and never touch are told; 0: none
  double nearest = 0.0;  ///< metres: distances up to that are told, frame by frame; 0: none
  /// True where a report is checked again: "auto" means one link per bone then, as it was resolved.
  bool resolved = false;

  /// Takes and bodies: they are on one time line.
  [[nodiscard]] bool several() const { return takes.size() + spec.bodies.size() > 1; }
};

}  // namespace tocsin::io
