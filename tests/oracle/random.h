// The random numbers of the oracle's tests: those of `tocsin selftest`'s scenes.
#pragma once

#include "selftest/scenes/random.h"

namespace tocsin::oracle::test {

using selftest::Random;

}  // namespace tocsin::oracle::test
