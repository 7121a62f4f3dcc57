// A take as a tracker would send it: `tocsin send --world`, `--axes`, `--missing`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/live/tracker.h"
#include "tocsin/result.h"
#include "tocsin/skeleton.h"

namespace tocsin::app {

/// What the take is turned into.
struct TrackerForm {
  TrackerPoses poses;    ///< TrackOptions::tracker
  double missing = 0.0;  ///< share of joints that a frame lacks
  [[nodiscard]] bool asked() const { return missing > 0.0 || poses != TrackerPoses{}; }
};

/// "unity", "unreal", "z-up", or X,Y,Z[,METRES], such as "-x,y,z" or "z,-x,y,0.01": along which of
/// Tocsin's axes the tracker's point. Throws UsageError.
Axes parse_axes(std::string_view option, const std::string& text);
/// P[,held|bad]. Throws UsageError.
void parse_missing(std::string_view option, const std::string& text, TrackerForm& out);

/// As parse_axes() reads it.
std::string axes_text(const Axes& axes);

/// Immutable.
class SendTracker {
 public:
  /// `seed` decides which joints a frame lacks.
  SendTracker(const TrackerForm& form, const Skeleton& skeleton, std::uint64_t seed);

  [[nodiscard]] const TrackerForm& form() const { return form_; }
  /// Errors: as Skeleton::create().
  [[nodiscard]] Result<Skeleton> skeleton() const;
  /// Turns a pose of the take into the tracker's. The same for the same frame.
  void turn(std::uint64_t frame, std::vector<Transform>& pose) const;
  /// The pose as the server judges it: a joint that is held is no fault.
  void forgive(std::vector<Transform>& pose) const;

 private:
  const TrackerForm form_;
  const Skeleton skeleton_;
  const std::uint64_t seed_;
};

}  // namespace tocsin::app
