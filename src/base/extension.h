// A file's extension. It selects the reader or writer.
#pragma once

#include <filesystem>
#include <string>

#include "base/lower_case.h"

namespace tocsin::base {

/// With its dot, ASCII letters in lower case; empty if there is none.
inline std::string lower_extension(const std::filesystem::path& file) {
  return lower(file.extension().string());
}

}  // namespace tocsin::base
