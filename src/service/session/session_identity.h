// What a session is from its beginning to its end: its names, its avatar and its room.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/meeting/member_card.h"
#include "service/rooms/room.h"
#include "tocsin/avatar.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Immutable.
struct SessionIdentity {
  std::string id;  ///< a secret
  std::shared_ptr<const Room> room;
  std::shared_ptr<Principal> principal;
  Avatar avatar;
  std::vector<std::string> warnings;  ///< about the client's options
  std::string label;                  ///< the client's
  bool meets = false;                 ///< it is checked against others
  TrackerPoses tracker = {};          ///< how the client's poses are meant

  /// The session's name for people and logs (shown_session).
  [[nodiscard]] std::string shown() const;
  /// Sets the fields of `opened` that these parts give. `device`: checks the session's steps in
  /// batches; null: there is none.
  void describe(const RoomDevice* device, TrackOpened& opened) const;
  /// The joints that links hang on, and all above them, in order; all joints if these are fewer
  /// than one in 16, or if poses are in the world.
  [[nodiscard]] std::vector<std::uint32_t> linked_joints() const;
  /// `others`: the cards of the avatars in the contact's report.
  [[nodiscard]] ContactNames names_of(const Contact& contact, const MemberCards& others) const;
  /// `object`: as reports have it.
  [[nodiscard]] std::string object_name(std::uint32_t object) const;
};

}  // namespace tocsin::service
