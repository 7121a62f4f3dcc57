// Which objects are near a session's avatar at its newest pose: TrackOptions::nearest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "service/step/room_follower.h"
#include "tocsin/depth.h"
#include "tocsin/detector.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// What a report tells of it.
struct NearAnswer {
  std::vector<LinkDistance> distances;  ///< the nearest first
  std::uint64_t more = 0;               ///< that were left out
};

/// Immutable.
class NearObjects {
 public:
  /// Shares the detector's room and the avatar, if it has to ask them. `follows`: the room changes,
  /// and its follower is asked.
  NearObjects(const TrackOptions& options, const Detector& detector, const Member& member,
              bool follows);

  [[nodiscard]] bool asked() const { return within_ > 0.0; }
  /// What is near where the step ends. `follower`: of a room that changes; its step is this one.
  /// Errors: as Detector::nearest.
  [[nodiscard]] Result<NearAnswer> at_end(const Step& step, const RoomFollower* follower,
                                          const std::stop_token& stop) const;

 private:
  struct Standing {
    Detector detector;
    Member member;
  };
  const double within_;
  const std::size_t most_;
  std::optional<Standing> standing_;
};

}  // namespace tocsin::service
