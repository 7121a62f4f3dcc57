// Patterns `NAME:NAME` of two shell globs, as --ignore takes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::detect {

/// The two globs of a pattern; the first ':' separates them.
struct NamePattern {
  std::string first;
  std::string second;
};

/// `expected`: what the pattern should look like, for the message. Errors (kUsage): no ':'.
Result<NamePattern> split_pattern(const std::string& pattern, const std::string& expected);

/// True if the name matches a shell glob.
bool matches(const std::string& glob, const std::string& name);

/// Per name whether it matches a shell glob (1) or not (0). name_of: of 0 to count - 1.
std::vector<std::uint8_t> matching(const std::string& glob, std::size_t count,
                                   const std::function<const std::string&(std::size_t)>& name_of);

}  // namespace tocsin::detect
