// What a fuzz target demands of an answer.
#pragma once

#include <cstdio>
#include <cstdlib>

/// Unlike assert, in every build type: a false condition is a finding.
#define TOCSIN_REQUIRE(condition)                                                  \
  do {                                                                             \
    if (!(condition)) {                                                            \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                \
    }                                                                              \
  } while (false)
