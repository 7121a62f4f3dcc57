// What a live session says and is told: the service's messages as plain values, used by server and
// client alike. proto/tocsin/v1/collision.proto has the same on the wire.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"
#include "tocsin/skeleton.h"
#include "tocsin/types.h"

namespace tocsin {

/// What a session is opened with. Defaults are those of `tocsin check`.
struct TrackOptions {
  std::string environment;                ///< name of a room on the server; empty: the only one
  Skeleton skeleton;                      ///< not placed
  std::string avatar = "auto";            ///< a shipped model's name, or "auto"
  std::optional<AvatarModel> model = {};  ///< used in place of `avatar` if there is one
  RadiusScale radii = {};
  Placement place = {};
  InBetween in_between = InBetween::kScrew;
  Contacts contacts = Contacts::kPairs;
  double margin = 0.0;  ///< metres, 0 to 10
  double tolerance = 1e-9;
  bool clearance = false;
  std::vector<std::string> ignore = {};  ///< "LINK:OBJECT" (with self, "LINK:LINK"), shell globs
  bool coalesce = true;                  ///< false: overload ends the stream instead
  bool stop_pose = false;
  /// Seconds from frame id to frame id + 1; none: capture times say when.
  std::optional<double> frame_seconds = std::nullopt;
  std::string label = {};  ///< for people; those that it meets are told it
  /// Sessions of one room that ask for this are checked against each other, at the server's ticks.
  /// Not with `clearance`, and not without `coalesce`. docs/service.md, "Meeting others".
  bool meet = false;
  bool self = false;  ///< the avatar is checked against itself, too
};

/// A pose on its way in.
struct TrackFrame {
  std::uint64_t id = 0;              ///< counts up; below 2^53
  double capture_time = 0.0;         ///< seconds on the client's clock; increases with id
  std::vector<Transform> pose = {};  ///< one joint-to-parent transform a joint, metres, not placed
};

/// A frame as reports refer to it.
struct FrameStamp {
  std::uint64_t id = 0;
  double capture_time = 0.0;
  friend bool operator==(const FrameStamp&, const FrameStamp&) = default;
};

/// Frames with ids from `first` to `last`, both included.
struct IdRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  friend bool operator==(const IdRange&, const IdRange&) = default;
};

/// Names of a contact's link and object, or of two links.
struct ContactNames {
  std::string link;
  std::string object;            ///< empty if Contact::other is set
  std::string other_link = {};   ///< else empty
  std::string other_label = {};  ///< what the other session calls itself; empty: nothing, or itself
};

/// When a step took place in a meeting: local time t is from + t (to - from), in ticks.
struct MeetingTick {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  /// That were checked together, this one included; 0: it took no part, and only stood still.
  std::uint32_t members = 0;
  friend bool operator==(const MeetingTick&, const MeetingTick&) = default;
};

/// A session's place in a meeting.
struct MeetingInfo {
  double rate = 0.0;         ///< ticks a second
  std::uint32_t member = 0;  ///< its number, from 1; others are told it
};

/// What the server spent on a step, microseconds.
struct TrackTiming {
  double waited = 0.0;      ///< from the frame's arrival to the start of its check
  double checked = 0.0;     ///< the check itself; of a batch, the whole batch
  double total = 0.0;       ///< from the frame's arrival until its report went to the connection
  std::uint32_t batch = 0;  ///< steps that were checked, or handed to the workers, together
};

/// The motion from one covered pose to the next; `from` is the `to` of the report before.
struct TrackReport {
  FrameStamp from;
  FrameStamp to;
  /// Frames between the two with ids in these ranges, if they were received, were skipped under
  /// overload; both ends of each range were. (Past 1024 ranges the nearest are joined, over ids
  /// that were not received.)
  std::vector<IdRange> skipped;
  /// step counts the session's steps from 0, frames are {step, step + 1}: the covered poses as
  /// `tocsin check` would number them. No error is ever set. Of a contact of two links `link` is
  /// the session's own; other->avatar is the other's MeetingInfo::member, or 0: the avatar itself.
  StepReport result;
  std::vector<ContactNames> names;  ///< of result.contacts, in their order
  double safe_until_time = 0.0;     ///< result.safe_until as capture time, seconds
  std::vector<Transform>
      stop_pose;                   ///< at safe_until, not placed; empty unless asked for and needed
  std::uint64_t stale_frames = 0;  ///< of the session so far: came after a later one was covered
  std::uint64_t duplicate_frames = 0;  ///< of the session so far: came twice
  TrackTiming timing;
  std::optional<MeetingTick> tick = std::nullopt;  ///< of a session that takes part in a meeting
  /// Of the first report after the server's device was given up: why. The CPU checks from here on,
  /// and finds the same contacts.
  std::string fallback = {};
};

/// A room as the server lists it.
struct EnvironmentInfo {
  std::string name;
  std::uint64_t revision = 0;  ///< counts the rooms that the server has loaded
  std::uint64_t objects = 0;
  std::uint64_t triangles = 0;
  Vec3 least;  ///< corners of the least box around it, metres
  Vec3 most;
  std::uint32_t sessions = 0;
  std::vector<std::string> files;  ///< relative to the server's folder, or an upload's name
  std::string backend = {};        ///< that checks what happens in it: "cpu", "gl", "cuda"
  std::string device = {};         ///< that it runs on
  std::string fallback = {};  ///< why a device was given up, and the CPU checks; empty: none was
};

/// The answer to opening or resuming a session.
struct TrackOpened {
  std::string session_id;  ///< resumes the session; a secret
  EnvironmentInfo environment;
  std::string avatar;  ///< the model that was bound; "auto": one link per bone
  double radius_factor = 1.0;
  std::vector<std::string> links;  ///< names, in order of index
  std::string backend;
  std::string device;
  std::string version;  ///< of Tocsin
  std::uint32_t max_pending_frames = 0;
  double session_ttl = 0.0;           ///< seconds that the session outlives its stream
  std::uint64_t next_step = 0;        ///< the step of the next report
  std::optional<FrameStamp> covered;  ///< the last covered pose
  std::vector<std::string> warnings;
  std::optional<MeetingInfo> meeting = std::nullopt;  ///< of a session that takes part in one
};

/// The end of a session that its client closed.
struct TrackEnded {
  std::uint64_t steps = 0;
  std::uint64_t contacts = 0;
  std::uint64_t skipped_frames = 0;
  std::uint64_t stale_frames = 0;
  std::uint64_t duplicate_frames = 0;
  std::string record;  ///< file name of what the server keeps of it; empty unless it records
};

}  // namespace tocsin
