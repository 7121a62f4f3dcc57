// Shell globs of names.
#pragma once

#include <string>
#include <string_view>

namespace tocsin::scene {

/// A shell glob that matches this name only.
inline std::string literal_glob(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace tocsin::scene
