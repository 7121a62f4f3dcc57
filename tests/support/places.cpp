#include "support/places.h"

#include <cstdlib>

namespace tocsin::test {

std::string source_dir() { return TOCSIN_SOURCE_DIR; }

std::string binary_dir() { return TOCSIN_BINARY_DIR; }

std::string command_file() {
  const char* const named = std::getenv("TOCSIN_COMMAND");  // NOLINT(concurrency-mt-unsafe)
  return named != nullptr && *named != '\0' ? named : binary_dir() + "/bin/tocsin";
}

}  // namespace tocsin::test
