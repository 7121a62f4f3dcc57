// What a session checks with: made from what its client asked for, as `tocsin check` makes it.
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
#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/live_motion.h"
#include "tocsin/track.h"

namespace tocsin::service {

struct SessionSetup {
  /// (link, object) pairs of a session: a report has at most one contact for each, of some 100
  /// bytes (names come when it is sent), so one has at most 25 MB. Four times what a whole body (60
  /// links) and a house of a thousand objects have; with more a client could fill the memory by
  /// links that touch everything in a room of many objects.
  static constexpr std::size_t kMostPairs = std::size_t{1} << 18U;
  /// The same with Contacts::kFirst: a report has one contact. While its step is checked all are
  /// there that could be the first, at worst 400 MB; patterns keep a byte for each pair.
  static constexpr std::size_t kMostPairsOfFirst = std::size_t{1} << 22U;
  /// Bytes of all patterns times bytes of all names of links and objects: matching takes some 2 ns
  /// for each at worst (a run of bracket expressions), half a second in all. Five patterns of 20
  /// bytes take a room with 2 MB of names; 256 of them one of a thousand objects.
  static constexpr std::size_t kMostMatching = std::size_t{1} << 28U;
  /// Links of an avatar that meets others: a whole body with hands. More: one hostile avatar makes
  /// as many more pairs with everybody else's.
  static constexpr std::size_t kMostMeetingLinks = 64;
  /// Of an avatar that meets others: joints from the root to each link's own, of all links
  /// together. A body with all fingers has some 1,200. More: each pair of links with it costs as
  /// much more, as a skeleton may have 16,384 joints in a row.
  static constexpr std::size_t kMostMeetingJoints = 64 * 64;

  LiveMotion live;   ///< placed
  LiveMotion plain;  ///< not placed: the client's own frame, for stop poses
  Avatar avatar;
  Detector detector;  ///< on the CPU
  ActivePairs active;
  LinkPairs self;
  Avatar thick;  ///< to meet others with: radii grown by the margin; without links in who does not
  std::shared_ptr<BatchGroup> group;  ///< null: the room has no device, or none for it
  std::vector<std::string> warnings;

  explicit SessionSetup(Detector room_detector) : detector(std::move(room_detector)) {}
  /// Avatars: a shipped model by its name (never a file), "auto", or the client's own. `tick`:
  /// seconds between ticks, of a session that meets others. Problems: kInvalid: a skeleton, model,
  /// placement, option or pattern that makes no sense, options that cannot be had together;
  /// kOverloaded: a limit, named; kFailed: memory, a device.
  static std::optional<SessionSetup> make(const TrackOptions& options, const Room& room,
                                          const Principal& principal, Problem& problem,
                                          double tick = 1.0);
};

}  // namespace tocsin::service
