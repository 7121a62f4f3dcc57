// The recorded takes and the house that tests on real data need. They are not part of the
// repository: the tests look in the folder that the environment variable TOCSIN_DATA names, else in
// ../shared/data beside it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "support/places.h"

namespace tocsin::test {

inline std::filesystem::path data_folder() {
  const char* const named = std::getenv("TOCSIN_DATA");
  if (named != nullptr && *named != '\0') return named;
  return source_dir() + "/../shared/data";
}

/// A file or folder of the data, e.g. "environments/small_house.obj".
inline std::filesystem::path data_path(const std::string& relative) {
  return data_folder() / relative;
}

inline bool has_data(const std::string& relative) {
  std::error_code ignored;
  return std::filesystem::exists(data_path(relative), ignored);
}

}  // namespace tocsin::test

/// Leaves a test that needs a file which is not there, saying so.
#define TOCSIN_NEEDS_DATA(relative)                                      \
  if (!tocsin::test::has_data(relative))                                 \
  GTEST_SKIP() << "needs " << tocsin::test::data_path(relative).string() \
               << ", which is not here; set TOCSIN_DATA to the folder of the test data"
