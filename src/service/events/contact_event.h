// A step's contacts as a server-sent event.
#pragma once

#include <cstddef>
#include <string>

#include "service/events/event_hub.h"
#include "service/session/session_identity.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Contacts in one event. A step may have 262,144. More are counted in the event.
inline constexpr std::size_t kMostEventContacts = 64;

/// Who may see what the session touches: its principal. If it meets others in a room that they can
/// enter, their circle, too.
EventAudience audience_of(const SessionIdentity& identity);

/// "event: contacts", and one line of JSON. `others`: the cards of the avatars in the report's
/// contacts. docs/reference/monitoring.md has the fields.
std::string contact_event(const SessionIdentity& identity, const TrackReport& report,
                          const MemberCards& others);

}  // namespace tocsin::service
