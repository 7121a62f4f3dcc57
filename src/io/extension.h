// A file's extension, by which readers and writers are chosen.
#pragma once

#include <filesystem>
#include <string>

namespace tocsin::io {

/// With its dot, ASCII letters in lower case; empty if there is none.
inline std::string lower_extension(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

}  // namespace tocsin::io
