// The last poses of a .poses file that may be growing or cut off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/poses/poses.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// A pose as a session covered it.
struct RecordedPose {
  std::uint64_t id = 0;  ///< the frame's
  double tick = 0.0;
  std::optional<double> time;    ///< the frame's capture time, if `tick` is another
  std::vector<Transform> local;  ///< as received: not normalised, not placed
  std::vector<IdPair> skipped;   ///< frames between the pose before and this one
  std::vector<IdPair> bad;
  PoseCounts counts{};    ///< of the session, up to here
  std::string first_bad;  ///< of the session, and the cause; empty: there was none
  bool floats = false;    ///< PoseNotes::floats, linked_only
  bool linked_only = false;
  std::vector<std::uint32_t> held;
};

struct PoseTail {
  std::int64_t poses = 0;  ///< whole ones in the file
  std::vector<RecordedPose> last;
};

/// Reads the whole poses from index `first` on, of a skeleton of `joints`. Reads no more of the
/// file than it needs, because lines have their index, and holds one line besides the result.
/// Errors (kInput): it cannot be read; there is no whole pose; a pose that is not as docs/poses.md
/// says or has no index; a pose between `first` and the last that is missing or not in its place;
/// more than `most` poses would be kept.
Result<PoseTail> read_pose_tail(const std::filesystem::path& file, std::size_t joints,
                                std::int64_t first, std::size_t most);

/// How much of the .scene file beside it the last whole pose stands after. Read it before the
/// .scene file: both may be growing. Errors (kInput): it cannot be read; there is no whole pose;
/// the last one does not say it.
Result<SceneMark> read_scene_mark(const std::filesystem::path& file, std::size_t joints);

}  // namespace tocsin::io
