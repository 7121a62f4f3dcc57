// What a session checks with, made from its client's options as `tocsin check` makes it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/rooms/room.h"
#include "service/schedule/room_device.h"
#include "service/session/problem.h"
#include "service/step/room_follower.h"
#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/live_motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

struct SessionSetup {
  /// (link, object) pairs of a session. A report has at most one contact for each, of some 100
  /// bytes without names: 25 MB at most. A body of 60 links in a house of a thousand objects has a
  /// quarter of these pairs. Larger: a client could fill the memory with links that touch all
  /// objects.
  static constexpr std::size_t kMostPairs = std::size_t{1} << 18U;
  /// The same with Contacts::kFirst. A report has one contact. But while a step is checked, all
  /// contacts that could be the first are in memory: 400 MB at worst. Patterns need a byte a pair.
  static constexpr std::size_t kMostPairsOfFirst = std::size_t{1} << 22U;
  /// Of kMostMatching, in a room that changes: patterns are matched anew when objects come. 30 ms.
  static constexpr std::size_t kMatchingOfChanges = 16;
  /// Bytes of all patterns times bytes of all names of links and objects. Matching takes some 2 ns
  /// for each at worst (a run of bracket expressions), half a second in all. That is enough for
  /// five patterns of 20 bytes and 2 MB of names, or for 256 such patterns and a thousand objects.
  static constexpr std::size_t kMostMatching = std::size_t{1} << 28U;
  /// Links of an avatar in a meeting: a whole body with hands. Larger: one hostile avatar makes
  /// more pairs with the links of all others.
  static constexpr std::size_t kMostMeetingLinks = 64;
  /// Joints of an avatar in a meeting: those from the root to the joint of each link, summed over
  /// the links. A body with all fingers has some 1,200. Larger: each pair of links costs more,
  /// because a skeleton may have 16,384 joints in a row.
  static constexpr std::size_t kMostMeetingJoints = 64 * 64;

  LiveMotion live;   ///< placed
  LiveMotion plain;  ///< not placed: the client's own frame, for stop poses
  Member member;
  std::vector<std::string> ignore;  ///< CheckSpec::ignore, and the patterns of `ignore_rest`
  Detector detector;                ///< checks the steps that no device does
  Avatar thick;  ///< for meetings: radii grown by the margin; without links if it is in none
  std::shared_ptr<BatchGroup> group;  ///< null: the room has no device, or none for it
  std::vector<std::string> warnings;
  std::unique_ptr<RoomFollower> follower;  ///< null: the room never changes

  explicit SessionSetup(Detector room_detector) : detector(std::move(room_detector)) {}
  /// The avatar: a shipped model by its name (never a file), "auto", or the client's own. `tick`:
  /// seconds between the ticks of the session's meeting. Problems: kInvalid: an invalid skeleton,
  /// model, placement, option or pattern, or options that exclude each other; kOverloaded: a limit,
  /// named; kFailed: memory, a device.
  static std::optional<SessionSetup> make(const TrackOptions& options, const Room& room,
                                          const Principal& principal, Problem& problem,
                                          double tick = 1.0);
};

}  // namespace tocsin::service
