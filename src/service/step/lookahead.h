// What a session's motion would touch if it went on: TrackOptions::lookahead.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "service/session/session_limits.h"
#include "service/session/session_setup.h"
#include "service/step/room_follower.h"
#include "tocsin/detector_options.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/stream.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Used by one thread at a time: the run of the session.
class Lookahead {
 public:
  /// Shares the setup's room and avatar, if it has to ask them.
  Lookahead(const TrackOptions& options, const SessionLimits& limits, const SessionSetup& setup);

  [[nodiscard]] bool asked() const { return seconds_ > 0.0; }
  /// What is predicted after a step; none: nothing begins to touch. `pose`: the client's own, as
  /// LiveMotion::take() left it; empty: there is none of use, and `fault` may say why. `follower`:
  /// of a room that changes; the step is its last. Takes no longer than a step may, and a unit of
  /// work. Errors: as Stream::check.
  Result<std::optional<TrackAhead>> after(const Step& step, std::vector<Transform> pose,
                                          std::string fault, const RoomFollower* follower,
                                          const std::stop_token& stop);

 private:
  Status follow(const RoomFollower& room);

  const double seconds_;
  const bool first_;  ///< only the first contact is told
  const std::chrono::duration<double> most_;
  const DetectorOptions asked_;
  std::vector<std::uint8_t> moves_;  ///< scene::step_ahead_of
  std::optional<Detector> room_;     ///< that stream_ checks in
  std::optional<Stream> stream_;     ///< none: a room that changes, before the first step
  std::uint64_t version_ = 0;        ///< of a room that changes
};

}  // namespace tocsin::service
