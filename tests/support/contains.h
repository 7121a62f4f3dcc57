// Whether a text has a part: messages are tested for what they must name.
#pragma once

#include <string>

namespace tocsin::test {

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace tocsin::test
