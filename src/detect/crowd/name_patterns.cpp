#include "detect/crowd/name_patterns.h"

#include <fnmatch.h>

namespace tocsin::detect {

Result<NamePattern> split_pattern(const std::string& pattern, const std::string& expected) {
  const std::size_t colon = pattern.find(':');
  if (colon == std::string::npos) {
    return {ErrorCode::kUsage, "pattern '" + pattern + "' has no ':'; expected " + expected};
  }
  return NamePattern{pattern.substr(0, colon), pattern.substr(colon + 1)};
}

bool matches(const std::string& glob, const std::string& name) {
  return fnmatch(glob.c_str(), name.c_str(), 0) == 0;
}

std::vector<std::uint8_t> matching(const std::string& glob, std::size_t count,
                                   const std::function<const std::string&(std::size_t)>& name_of) {
  std::vector<std::uint8_t> out(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = matches(glob, name_of(i)) ? 1 : 0;
  }
  return out;
}

}  // namespace tocsin::detect
