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

/// Immutable, and shared by all that is told of the session. It keeps neither the session nor its
/// room alive: what waits for a slow watcher would else keep rooms that were unloaded long ago.
struct WatchSubject {
  std::string name;        ///< SessionIdentity::shown()
  EventAudience audience;  ///< who may see it
  std::string label;
  std::weak_ptr<const Room> room;  ///< there while the session is
  std::string room_owner;          ///< Room::owner
  EnvironmentInfo room_info;       ///< as the session began
  Avatar avatar;                   ///< placed
  InBetween in_between = InBetween::kScrew;
  Contacts contacts = Contacts::kPairs;
  double margin = 0.0;
  bool self = false;
  std::optional<double> frame_seconds;
  std::optional<MeetingInfo> meeting;
};

}  // namespace tocsin::service
