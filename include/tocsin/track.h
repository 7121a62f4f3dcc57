// The messages of a live session as plain values, used by server and client.
// proto/tocsin/v1/collision.proto has the same messages on the wire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/check_spec.h"
#include "tocsin/depth.h"
#include "tocsin/live/tracker.h"
#include "tocsin/motion.h"
#include "tocsin/shape.h"
#include "tocsin/skeleton.h"
#include "tocsin/step_report.h"
#include "tocsin/types.h"

namespace tocsin {

/// A link of a session's model whose shape is one that the server has loaded
/// (Connection::upload_shape).
struct LoadedShape {
  std::size_t link = 0;  ///< index into the model's links; that link has no shape and no ends
  std::string name;      ///< of the shape on the server; OWNER/NAME: another principal's
  bool convex = false;   ///< the convex hull of its corners
  std::optional<ShapePlacement> at = {};  ///< in the joint's frame; none: it stays as it is
  double radius = 0.0;                    ///< metres, rounds it; 0 or more
};

/// Options of a session. Defaults are those of `tocsin check`.
struct TrackOptions {
  std::string environment;                ///< name of a room on the server; empty: the only one
  Skeleton skeleton;                      ///< not placed
  AvatarSpec avatar = {};                 ///< model: a shipped one's name, or "auto"; holds nothing
  std::optional<AvatarModel> model = {};  ///< used in place of `avatar.model` if there is one
  /// Links of `model` with shapes that the server has. Shapes in the model itself are sent with it:
  /// at most 16,384 triangles together.
  std::vector<LoadedShape> shapes = {};
  CheckSpec spec = {};   ///< margin: at most 10 m; no bodies
  bool coalesce = true;  ///< false: overload ends the stream instead
  bool stop_pose = false;
  /// Seconds from frame id to frame id + 1; none: capture times are used.
  std::optional<double> frame_seconds = std::nullopt;
  std::string label = {};  ///< for people; other participants of a meeting get it
  /// True: sessions of one room with this are checked against each other, at the server's ticks.
  /// Not with `spec.clearance`, and not without `coalesce`. docs/service.md, "Meeting others".
  bool meet = false;
  /// With spec.self: pairs of own links that overlap in the rest pose are not checked.
  bool ignore_rest = false;
  /// Above 0: reports tell what is so near the avatar at their newest pose, metres; at most 2.
  double nearest = 0.0;
  std::uint32_t most_distances = 64;  ///< of a report: the nearest; 1 to 1024
  /// Above 0: reports tell what the motion would touch if it went on for so many seconds; at most
  /// 1.
  double lookahead = 0.0;
  TrackerPoses tracker = {};
};

/// A pose that is sent to the server.
struct TrackFrame {
  std::uint64_t id = 0;              ///< counts up; below 2^53
  double capture_time = 0.0;         ///< seconds on the client's clock; increases with id
  std::vector<Transform> pose = {};  ///< one joint-to-parent transform a joint, metres, not placed
  /// The client's own prediction: the pose at capture_time + TrackOptions::lookahead. Empty: every
  /// joint goes on as in the last step.
  std::vector<Transform> ahead = {};
  /// Sent as 32-bit floats, to which its numbers are rounded: what is sent is what is checked.
  bool floats = false;
  /// Only the joints of TrackOpened::joints are sent, once these are known; the others are checked,
  /// and recorded, as in the rest pose. No link hangs on them.
  bool linked_only = false;
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
  std::string object;            ///< empty if the contact is one of two links
  std::string other_link = {};   ///< else empty
  std::string other_label = {};  ///< the other session's label; empty: none, or the same session
  friend bool operator==(const ContactNames&, const ContactNames&) = default;
};

/// The time of a step in a meeting: local time t is from + t (to - from), in ticks.
struct MeetingTick {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  /// Participants checked together, this one included; 0: it took no part, and only stood still.
  std::uint32_t members = 0;
  friend bool operator==(const MeetingTick&, const MeetingTick&) = default;
};

/// A session's place in a meeting.
struct MeetingInfo {
  double rate = 0.0;         ///< ticks a second
  std::uint32_t member = 0;  ///< its number, from 1; other participants get it
};

/// The server's times for a step, microseconds.
struct TrackTiming {
  double waited = 0.0;      ///< from the frame's arrival to the start of its check
  double checked = 0.0;     ///< the check itself; of a batch, the whole batch
  double total = 0.0;       ///< from the frame's arrival until its report went to the connection
  std::uint32_t batch = 0;  ///< steps that were checked, or handed to the workers, together
  /// Budgets that the step has taken so far: more than 1 if it was checked in parts.
  std::uint32_t parts = 1;
};

/// What a step saw of a room that changes.
struct RoomVersions {
  std::uint64_t from = 0;  ///< that the step before had
  std::uint64_t to = 0;    ///< that this step has
  bool moves = false;      ///< objects move in this step
  friend bool operator==(const RoomVersions&, const RoomVersions&) = default;
};

/// A contact that is predicted. Its times are of the predicted motion: 0 at the report's `to`, 1
/// after TrackOptions::lookahead seconds.
struct ForeseenContact {
  Contact contact;
  ContactNames names = {};
  double time_to_go = 0.0;  ///< seconds from `to`: free until then (toc[0])
  friend bool operator==(const ForeseenContact&, const ForeseenContact&) = default;
};

/// What is predicted after a report's step, with TrackOptions::lookahead: never what has happened.
/// Proved about the predicted motion, and about no other. docs/lookahead.md.
struct TrackAhead {
  /// Of each pair that is free at `to`: the first contact, the earliest first.
  std::vector<ForeseenContact> contacts = {};
  /// Seconds from `to` to where the motion is checked: the lookahead, or less where the server's
  /// budget for a step ended before.
  double seconds = 0.0;
  bool own_pose = false;        ///< the motion goes to TrackFrame::ahead
  std::string pose_fault = {};  ///< why TrackFrame::ahead could not be used; empty: it could
  friend bool operator==(const TrackAhead&, const TrackAhead&) = default;
};

/// The motion from one covered pose to the next; `from` is the `to` of the report before.
struct TrackReport {
  FrameStamp from;
  FrameStamp to;
  /// Received frames between the two with ids in these ranges were skipped under overload. Both
  /// ends of each range were received and skipped. (Past 1024 ranges the nearest are joined, over
  /// ids that were not received.)
  std::vector<IdRange> skipped;
  /// step counts the session's steps from 0, frames are {step, step + 1}: the covered poses as
  /// `tocsin check` would number them. No error is ever set. In a contact of two links `link` is
  /// the session's own. other->avatar is the other's MeetingInfo::member, or 0: the avatar itself.
  StepReport result;
  std::vector<ContactNames> names;  ///< of result.contacts, in their order
  double safe_until_time = 0.0;     ///< result.safe_until as capture time, seconds
  std::vector<Transform>
      stop_pose;                   ///< at safe_until, not placed; empty unless asked for and needed
  std::uint64_t stale_frames = 0;  ///< of the session so far: came after a later one was covered
  std::uint64_t duplicate_frames = 0;  ///< of the session so far: came twice
  TrackTiming timing;
  std::optional<MeetingTick> tick = std::nullopt;  ///< of a session that takes part in a meeting
  /// In the first report after the server's device failed: the reason. The CPU checks from here on,
  /// and finds the same contacts.
  std::string fallback = {};
  /// Received frames between the two with ids in these ranges were bad: a capture time or a pose
  /// that cannot be used. The step goes across them; ranges are as those of `skipped`.
  std::vector<IdRange> bad = {};
  std::uint64_t bad_frames = 0;  ///< of the session so far, each time that one came
  /// In the first report after the session's first bad frame: which frame, and the cause.
  std::string first_bad_frame = {};
  /// The step is not in the session's record, which ended before (a full disk). Checked all the
  /// same.
  bool unrecorded = false;
  std::string record_ended = {};  ///< in the first such report: the reason
  /// Of a session in a room that changes. RoomTriangle::object is then the number that the object's
  /// name has in that room for as long as the room is loaded.
  std::optional<RoomVersions> room = std::nullopt;
  /// With TrackOptions::nearest: Detector::nearest at `to`, in the room as it is where this step
  /// ends, the nearest first, as many as were asked for. None where the report is not complete.
  std::vector<LinkDistance> distances = {};
  std::vector<std::string> distance_objects = {};  ///< names of their objects, in their order
  std::uint64_t more_distances = 0;                ///< that were left out
  /// With TrackOptions::lookahead. None: nothing begins to touch in the predicted motion, to its
  /// end; and where the report is not complete, or the avatar stands still at a meeting's tick.
  std::optional<TrackAhead> ahead = std::nullopt;
  /// With TrackerPoses::hold_missing: joints that were missing in the frame `to`, in order.
  std::vector<std::uint32_t> held = {};
};

/// A room as the server lists it.
struct EnvironmentInfo {
  std::string name;
  std::uint64_t revision = 0;  ///< counts the rooms that the server has loaded
  std::uint64_t objects = 0;
  std::uint64_t triangles = 0;
  Vec3 least;  ///< corners of the room's bounding box, metres
  Vec3 most;
  std::uint32_t sessions = 0;
  std::vector<std::string> files;  ///< relative to the server's folder, or an upload's name
  std::string backend = {};        ///< checks its sessions: "cpu", "gl", "cuda"
  std::string device = {};         ///< the backend's device
  std::string fallback = {};  ///< if a device failed and the CPU checks: the reason; else empty
  bool shape = false;         ///< a shape for links, which no session can enter
  /// Connection::update_environment can change it; `objects` and `triangles` (each mesh once) are
  /// those of now.
  bool changeable = false;
  std::uint64_t version = 0;  ///< changes so far
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
  /// The joints that links hang on, and all above them, in order: TrackFrame::linked_only.
  std::vector<std::uint32_t> joints = {};
};

/// What a session has covered when its server ends. The next server can go on from there.
struct TrackCovered {
  std::uint64_t steps = 0;             ///< reports of the session
  std::optional<FrameStamp> to;        ///< the last covered pose; none: there is none
  std::uint64_t unchecked_frames = 0;  ///< arrived after it, and are in no report
};

/// The end of a session that its client closed.
struct TrackEnded {
  std::uint64_t steps = 0;
  std::uint64_t contacts = 0;
  std::uint64_t skipped_frames = 0;
  std::uint64_t stale_frames = 0;
  std::uint64_t duplicate_frames = 0;
  std::string record;  ///< file name of the session's record; empty unless the server records
  std::uint64_t bad_frames = 0;        ///< that could not be used
  std::string first_bad_frame = {};    ///< the first of them, and the cause; empty: there was none
  std::uint64_t unrecorded_steps = 0;  ///< that are not in the session's record
  std::uint64_t parted_steps = 0;      ///< that took more than one budget
};

}  // namespace tocsin
