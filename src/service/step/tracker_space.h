// A tracker's poses as local ones: TrackOptions::tracker.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tocsin/skeleton.h"
#include "tocsin/track.h"
#include "tocsin/types.h"

namespace tocsin::service {

/// Poses are on Tocsin's axes here: what reads the messages has turned them.
class TrackerSpace {
 public:
  /// `skeleton`: not placed.
  TrackerSpace(const TrackerPoses& tracker, const Skeleton& skeleton);

  /// False: poses are local, and all of them.
  [[nodiscard]] bool asked() const { return world_ || holds_; }
  [[nodiscard]] bool holds() const { return holds_; }
  /// Joints of a received pose that the tracker has lost, in order; none if they are not held.
  [[nodiscard]] std::vector<std::uint32_t> missing(std::span<const Transform> pose) const;
  /// Makes a received pose local. Missing joints stay as they are, for settle(), and so do those
  /// below. `fault`: why the pose cannot be used, and of which joint; empty: it can.
  void take(std::vector<Transform>& pose, std::span<const std::uint32_t> missing,
            std::string& fault) const;
  /// Fills in missing joints. Frames in the order in which they are covered: each is kept for the
  /// next. `pose`: as take() left it.
  void settle(std::vector<Transform>& pose, std::span<const std::uint32_t> missing);
  /// A covered pose that is local already: a record's.
  void keep(std::span<const Transform> pose);

 private:
  [[nodiscard]] std::vector<Transform> local(std::span<const Transform> pose,
                                             std::span<const std::uint32_t> missing) const;

  const bool world_;
  const bool holds_;
  const Skeleton skeleton_;
  std::vector<Transform> held_;  ///< the last covered pose, local; at first that of rest
};

}  // namespace tocsin::service
