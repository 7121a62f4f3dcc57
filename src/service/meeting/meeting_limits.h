// What the sessions of one room that meet may cost.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tocsin::service {

/// docs/service.md, "Meeting others", says why these.
struct MeetingLimits {
  std::size_t members = 256;
  /// Of all members together: with SessionSetup::kMostMeetingLinks a report has no more contacts
  /// with others than SessionSetup::kMostPairs.
  std::size_t links = 4096;
  /// Seconds. A tick whose check takes longer is given up, and begins again without the members
  /// that are too expensive: their sessions end. 0: every check is given up. Smaller: a machine
  /// that stalls causes more useless estimates. Larger: a hostile member delays the others for so
  /// long once.
  double check_seconds = 0.05;
  /// Seconds. If no member is too expensive, the check begins again, once, and may take so long.
  /// After that the costliest member ends, then the two costliest, then four, until the check fits.
  /// Smaller: honest members end when the machine stalls. Larger: many members that are each a
  /// little costly delay the others for so long.
  double most_check_seconds = 0.5;
  /// A member is too expensive from this share of cost (meeting_cost.h) with one other member on:
  /// some 0.02 s of work. Two bodies of 60 links with all fingers, chains of 20 joints, that stand
  /// in one another have less.
  std::uint64_t too_costly_joints = std::uint64_t{1} << 16U;
  /// Ticks that only the CPU checks after the room's device took longer than a check may. Smaller:
  /// a device that is too slow for the meeting delays it more often. Larger: a device that was slow
  /// once is used again later.
  std::uint64_t rest_ticks = 1000;
};

}  // namespace tocsin::service
