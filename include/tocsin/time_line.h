// Several takes on one time line: every step of every take is cut at the union of their frame
// times.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tocsin/motion.h"
#include "tocsin/result.h"

namespace tocsin {

/// One take, and its part in the time line.
struct TakePart {
  Motion motion;         ///< placed already (Motion::placed)
  StepRange range = {};  ///< which of its frames; `still` is not allowed
  double start = 0.0;  ///< seconds on the time line at which its frame 0 is; finite, |start| <= 1e6
};

/// What an avatar does before its take begins and after it ends.
enum class Absence : std::uint8_t {
  kGone,   ///< it is not there: nothing is claimed about what was not recorded
  kStays,  ///< it stands still in its first, then in its last pose
};

/// The instants at which some take has a frame, in order, and every take's steps between them.
struct TimeLine {
  /// Seconds, increasing. Instants nearer to each other than a nanosecond are one.
  std::vector<double> instants;
  /// steps[i]: the steps of take i, in order. Step k joins instants k and k + 1: index() is k,
  /// frames() {k, k + 1}, seconds(t) is between the two; a take has those of its own time
  /// (Absence). A pose at an instant at which the take has a frame is that frame's, bit for bit;
  /// any other is pose_between of the frames around it.
  std::vector<StepList> steps;
};

/// Puts takes on one time line. A cut step moves as the whole one did, up to rounding (a part of a
/// screw is a screw; docs/many-bodies.md). Takes may have different skeletons, rates, lengths and
/// in-between motions. Errors (kUsage): no take; a range outside its motion or with `still`; a
/// start that is not finite or too far; more than 2^31 instants; (kInput) a take with an error, or
/// with two frames nearer than a nanosecond; (kResource) memory: every take has a pose at every
/// instant, 16 GiB of them at most.
[[nodiscard]] Result<TimeLine> on_one_time_line(std::span<const TakePart> takes,
                                                Absence absence = Absence::kGone);

}  // namespace tocsin
