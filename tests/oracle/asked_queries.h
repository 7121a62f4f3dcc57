// How many random queries a sweep makes, and what is few of them.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tocsin::oracle::test {

/// What the environment variable says; `usual` if it is not set, or empty.
inline std::uint64_t asked_queries(const char* variable, std::uint64_t usual) {
  const char* const asked = std::getenv(variable);
  if (asked == nullptr || *asked == '\0') return usual;
  return std::strtoull(asked, nullptr, 10);
}

/// A rare event that may happen this often in a run too small for its share to say anything.
inline constexpr double kFew = 3.0;

}  // namespace tocsin::oracle::test
