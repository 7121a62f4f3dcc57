// The second line of a live session's .poses file: how the session was checked, and whose it is.
//
//     {"type":"record","run":{a report's run line},"session":{...}}
//
// So a record is complete at any time: `tocsin check --like` and `tocsin verify` need no report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "io/report/report.h"
#include "tocsin/live/tracker.h"
#include "tocsin/result.h"
#include "tocsin/skeleton.h"

namespace tocsin::io {

/// What a server needs to go on with a session, besides the options of its check.
struct SessionHead {
  std::string id_sha256;  ///< of the session's id, which is a secret: 64 hexadecimal digits
  std::string principal;
  std::string room;          ///< its name, for its owner
  std::string room_owner;    ///< the principal that loaded it; empty: the operator, or not known
  bool room_shared = false;  ///< with its owner's group
  std::string label;
  bool coalesce = true;
  bool stop_pose = false;
  bool even = false;   ///< frames are evenly spaced: TrackOptions::frame_seconds was given
  bool meets = false;  ///< poses are at the ticks of a meeting
  /// The room changes: there is a .scene file beside the record (io/scene/scene_record.h).
  bool room_changes = false;
  /// With `meets`: TrackOptions::frame_seconds. (Without, `even` and the record's frame time.)
  std::optional<double> frame_seconds = std::nullopt;
  double nearest = 0.0;  ///< TrackOptions::nearest, and with it most_distances
  std::uint32_t most_distances = 64;
  double lookahead = 0.0;  ///< TrackOptions::lookahead; predictions themselves are not recorded
  /// How the client's poses are meant; the record's, and its skeleton, are Tocsin's own.
  TrackerPoses tracker = {};
  std::int64_t part = 1;   ///< counts the records of one session, from 1
  std::uint64_t step = 0;  ///< of the session: the one that begins at the record's first pose
};

struct RecordHead {
  std::string version;  ///< of the Tocsin that wrote it
  /// The avatar and the rooms among the inputs, not the motion, which is the file itself. `frames`
  /// is 0: nobody knows them yet.
  RunRecord run;
  SessionHead session;
};

/// The line, with its newline. `run.inputs`: without the motion.
std::string record_line(const RunRecord& run, const SessionHead& session);

/// Reads the second line of a file. Errors (kInput), naming file and cause: it cannot be read; it
/// is no .poses file, has no such line, or is cut off in it; a field that is missing or of another
/// type.
Result<RecordHead> read_record_head(const std::filesystem::path& file);

/// The skeleton of the first line. Errors: as read_record_head(), and
/// there must be a whole pose.
Result<Skeleton> read_record_skeleton(const std::filesystem::path& file);

/// True if a regular file begins as a .poses file does. False if it cannot be read.
bool is_poses(const std::filesystem::path& file);

}  // namespace tocsin::io
