// A session's part in one tick of a meeting.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/meeting/member_card.h"
#include "service/session/frame_queue.h"
#include "service/session/problem.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::service {

/// A tick. A tick is passed over if the one before is not done; then it has no members.
struct TickNumbers {
  std::uint64_t before = 0;  ///< the meeting's tick before this one
  std::uint64_t now = 0;     ///< greater
};

/// The result of a tick for one member.
struct TickResult {
  /// Contacts with others, seen from this member's side; other->avatar is their number. In order of
  /// (link, number, other's link).
  std::vector<Contact> contacts;
  double safe_until = 1.0;  ///< no contact with another member before this time
  MemberCards others;       ///< the others in `contacts`
  std::uint32_t members = 0;
  std::optional<Problem> problem;  ///< the session must end
};

/// The step for the ticks in which a session took no part: it stands still, checked with the room
/// only.
struct Absence {
  std::uint64_t since = 0;  ///< the session's tick before
  TrackFrame frame;         ///< the frame in which it stood
  Step step;
  FrameCounts counts;     ///< of the session, when it was back
  std::string first_bad;  ///< the same
};

/// A tick's part of a session: made by MeetingParticipant::begin_turn(), checked by a worker.
struct Turn {
  TickNumbers tick;
  NextFrame next;               ///< the frame that is covered; standing still, the last one again
  bool moves = false;           ///< there is a new frame
  std::optional<Absence> away;  ///< to the meeting's tick before, if it took no part then
  std::optional<Step> step;     ///< none: the first pose
  TickResult result;
};

/// What a member does at a tick.
enum class TurnKind : std::uint8_t {
  kAway,    ///< takes no part
  kBegins,  ///< has its first pose, and takes part from the next tick on
  kMoves,   ///< has a step, which may stand still
};

}  // namespace tocsin::service
