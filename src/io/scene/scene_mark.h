// How much of a .scene file (scene_record.h) belongs to a pose of the record beside it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "tocsin/result.h"

namespace tocsin::io {

/// A pose stands after these first bytes of the .scene file. They tell every room that a step up to
/// this pose saw.
struct SceneMark {
  std::uint64_t bytes = 0;
  std::string sha256;  ///< of these bytes

  friend bool operator==(const SceneMark&, const SceneMark&) = default;
};

/// The file begins with these bytes: what comes behind them no pose has seen. Errors (kInput): file
/// and cause: it cannot be read; it lost its end; the bytes are others.
Status check_scene_mark(const std::filesystem::path& file, const SceneMark& mark);

}  // namespace tocsin::io
