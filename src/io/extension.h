// A file's extension, by which readers and writers are chosen.
#pragma once

#include <filesystem>
#include <string>

#include "scene/lower_case.h"

namespace tocsin::io {

/// With its dot, ASCII letters in lower case; empty if there is none.
inline std::string lower_extension(const std::filesystem::path& file) {
  return scene::lower(file.extension().string());
}

}  // namespace tocsin::io
