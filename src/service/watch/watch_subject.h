// A session as watchers are told of it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "service/events/event_hub.h"
#include "service/rooms/room.h"
#include "tocsin/avatar.h"
#include "tocsin/check_spec.h"
#include "tocsin/track.h"
#include "tocsin/types.h"

namespace tocsin::service {

/// Immutable, and shared by all that is told of the session. It does not keep the session alive.
struct WatchSubject {
  std::string name;        ///< SessionIdentity::shown()
  EventAudience audience;  ///< who may see it
  std::string label;
  std::shared_ptr<const Room> room;
  Avatar avatar;  ///< placed
  InBetween in_between = InBetween::kScrew;
  Contacts contacts = Contacts::kPairs;
  double margin = 0.0;
  bool self = false;
  std::optional<double> frame_seconds;
  std::optional<MeetingInfo> meeting;
};

}  // namespace tocsin::service
