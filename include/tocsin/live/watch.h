// What a watcher of a server is told (Connection::watch), as plain values.
// proto/tocsin/v1/collision.proto has the same messages on the wire.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/check_spec.h"
#include "tocsin/environment.h"
#include "tocsin/track.h"
#include "tocsin/types.h"

namespace tocsin {

/// Which sessions are watched.
struct WatchOptions {
  std::string environment = {};            ///< of the room of this name only; empty: of all
  std::vector<std::string> sessions = {};  ///< of these names only (WatchedSession::session)
  bool poses = true;                       ///< false: steps come without poses
};

/// A session, and what does not change while it lasts.
struct WatchedSession {
  std::string session;    ///< a name for people, as the server's log has it; it resumes nothing
  std::string principal;  ///< whose it is
  std::string label;      ///< TrackOptions::label
  EnvironmentInfo environment;  ///< by the name that the watcher may use
  /// As it is checked: its skeleton is placed in the room. Radii are without the margin.
  Avatar avatar;
  double radius_factor = 1.0;  ///< TrackOpened::radius_factor
  /// Its shapes have more than 16,384 triangles together: `avatar` has the line swept spheres that
  /// hold them, and Connection::download_avatar the shapes.
  bool shapes_left_out = false;
  InBetween in_between = InBetween::kScrew;
  Contacts contacts = Contacts::kPairs;
  double margin = 0.0;  ///< metres
  bool self = false;    ///< it is checked against itself, too
  std::optional<MeetingInfo> meeting = std::nullopt;
  std::optional<double> frame_seconds = std::nullopt;  ///< TrackOptions::frame_seconds
  bool attached = false;  ///< a stream is attached; else it waits to be resumed
};

/// A step that was checked.
struct WatchedStep {
  std::string session;
  /// What the session's own client is told, but for timing.total, which ends where watchers are
  /// told. If result.complete is false, it is a part of a report, and has no poses.
  TrackReport report;
  /// The poses at both ends as they were checked, placed in the room: one joint-to-parent transform
  /// a joint, metres. Empty without WatchOptions::poses.
  std::vector<Transform> from_pose = {};
  std::vector<Transform> to_pose = {};
};

/// A session has lost its stream, or is resumed.
struct WatchedStream {
  std::string session;
  bool attached = false;
};

/// The end of a session.
struct WatchedEnd {
  std::string session;
  /// Without `record`. None: the end was among what this watcher has missed.
  std::optional<TrackEnded> totals = std::nullopt;
  bool reported = false;   ///< its client has closed it, and got all reports
  std::string cause = {};  ///< why else it has ended, for people
};

/// A room that was downloaded, as it is in one version.
struct WatchedRoom {
  EnvironmentInfo info;  ///< `version`: of this
  /// The objects that are there, where they stand.
  Environment environment;
  /// Contact numbers of its objects, in their order (RoomTriangle::object).
  std::vector<std::uint32_t> numbers;
  std::array<std::uint8_t, 32> sha256{};  ///< room_sha256() of `environment` and `numbers`
};

/// A hash of a room's objects: their names, numbers, vertices and triangles, bit for bit
/// (docs/watching.md). Equal rooms have equal ones, wherever their files lie. `numbers`: of each
/// object; empty: 0, 1, 2, ... as in a room of files.
std::array<std::uint8_t, 32> room_sha256(const Environment& room,
                                         const std::vector<std::uint32_t>& numbers = {});

}  // namespace tocsin
