// The .poses file: a motion as it came, to the bit, at any times ("tocsin.poses.v1"). JSON lines;
// docs/poses.md.
//
//     {"type":"motion","format":"tocsin.poses.v1","frame_time":1,"joints":[{"name":"Hips","parent":-1,
//      "rest":[w,x,y,z,tx,ty,tz]}, ...],"source":"..."}
//     {"type":"record", ...}      of a live session only: record_head.h
//     {"type":"pose","tick":t,"id":17,"index":9,"skipped":[[15,16]],"local":[w,x,y,z,tx,ty,tz, ...
//     per joint]}
//     {"type":"end","poses":n}
//
// Numbers are shortest decimals that read back as the same double; metres, Y up. Frame k is at
// (tick_k - tick_0) frame_time seconds; `id` is the recorder's own number, `index` the pose's in
// the file, `skipped` and `bad` are ranges of ids, `counts` are those of the session so far (left
// out: zeros), `first_bad` is its first bad frame and the cause, `time` the frame's capture time
// if poses are at the ticks of a meeting, `scene` how much of the .scene file a pose stands after,
// `floats` that the pose came as 32-bit floats, `linked_only` that it came without the joints that
// no link hangs on, `held` which joints a tracker had lost. The motion's reader ignores these
// eleven. A server that goes on with the session needs them
// (pose_tail.h), and a replay of a room that changed. Without the last line the recording was cut
// off (a crash): the whole lines are read, with a warning. A malformed line is an error.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/scene/scene_mark.h"
#include "tocsin/io.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/skeleton.h"

namespace tocsin::io {

/// Numbers of frames, from the first to the last, both included.
using IdPair = std::array<std::uint64_t, 2>;

/// Lines of the file, each with its newline. `source`: where the motion came from, for people.
std::string poses_header(const Skeleton& skeleton, double frame_time, std::string_view source);
/// What a session has counted up to a pose: contacts of its steps, and frames that were skipped,
/// stale, duplicate and bad.
using PoseCounts = std::array<std::uint64_t, 5>;

/// What a session says of a pose, for the server that goes on from it.
struct PoseNotes {
  /// Of the pose in the file, from 0, so that a reader of the end knows it.
  std::optional<std::int64_t> index = std::nullopt;
  std::span<const IdPair> skipped = {};  ///< frames that were passed over before this pose
  std::span<const IdPair> bad = {};
  PoseCounts counts{};
  std::string_view first_bad = {};  ///< of the session, and the cause; empty: there was none
  std::optional<double> time = std::nullopt;  ///< the frame's capture time, if `tick` is another
  const SceneMark* scene = nullptr;           ///< of a room that changes
  bool floats = false;       ///< the pose came as 32-bit floats: `local` has their values
  bool linked_only = false;  ///< joints that no link hangs on did not come: they are as at rest
  std::span<const std::uint32_t> held = {};  ///< joints that did not come: they kept their place
};

std::string pose_line(std::span<const Transform> local, double tick,
                      std::optional<std::uint64_t> id, const PoseNotes& notes = {});
std::string poses_end(std::int64_t poses);

/// Reads the text of a .poses file. Frames whose ticks count up by one make an even motion.
/// Memory: four bytes of poses a byte of text, and one line's values. Errors (kInput):
/// `file:line: cause`.
Result<Motion> parse_poses(std::string_view text, const std::string& file);
/// Writes a motion so that parse_poses() gives it back, bit for bit. Names that are not UTF-8 are
/// repaired (warning). Nothing is left half-written. Errors: kInput: an empty motion; kResource: it
/// cannot be written.
Result<SaveNotes> save_poses(const Motion& motion, const std::filesystem::path& file);

}  // namespace tocsin::io
