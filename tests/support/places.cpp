#include "support/places.h"

#include <cstdlib>

namespace tocsin::test {

namespace {

/// What the environment says, where it says anything.
std::string from_environment(const char* variable, const std::string& otherwise) {
  const char* const named = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  return named != nullptr && *named != '\0' ? named : otherwise;
}

}  // namespace

std::string source_dir() { return from_environment("TOCSIN_TEST_SOURCES", TOCSIN_SOURCE_DIR); }

std::string binary_dir() { return TOCSIN_BINARY_DIR; }

std::string command_file() {
  return from_environment("TOCSIN_COMMAND", binary_dir() + "/bin/tocsin");
}

}  // namespace tocsin::test
