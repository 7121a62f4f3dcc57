// The .scene file beside a session's record: how its room changed ("tocsin.scene.v1"). JSON lines;
// docs/poses.md.
//
//     {"type":"scene","format":"tocsin.scene.v1"}
//     {"type":"state","version":v,"edits":[...],"starts":[...]}     the room as edits of an empty
//     one
//     {"type":"change","version":v,"edits":[{"verb":"move","object":"door","at":[...]}, ...]}
//     {"type":"step","step":k}          the step from pose k on sees all of the above, and no more
//
// A line is whole before the pose that ends its step is written. So a last line that is cut off
// belongs to no step, and is left out.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/scene_change.h"

namespace tocsin::io {

/// Lines of the file, each with its newline. Edits name no loaded shape.
std::string scene_header();
std::string scene_state_line(const SceneState& state);
std::string scene_change_line(const SceneChange& change);
std::string scene_step_line(std::int64_t step);

/// What a session's room did before one of its steps.
struct SceneNewsOfStep {
  std::int64_t step = 0;
  std::optional<SceneState> state;   ///< the room was this...
  std::vector<SceneChange> changes;  ///< ... and these followed
};

/// The steps increase: news that the file tells of one step in several places are one. Reads the
/// lines that end within the first `most_bytes`: what is behind them may belong to no pose. Errors
/// (kInput): `file:line: cause`: it cannot be read, is no such file, or a line is malformed;
/// versions that do not increase; steps that decrease.
Result<std::vector<SceneNewsOfStep>> read_scene_record(
    const std::filesystem::path& file,
    std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace tocsin::io
