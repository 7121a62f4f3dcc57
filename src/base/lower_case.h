// ASCII letters in lower case, whatever the locale.
#pragma once

#include <string>

namespace tocsin::base {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower(std::string text) {
  for (char& c : text) c = lower(c);
  return text;
}

}  // namespace tocsin::base
