// A room that deforms.
#pragma once

#include <cstddef>
#include <vector>

#include "tocsin/environment.h"

namespace tocsin::selftest {

/// The room's vertices as if under water: each sways by up to 5 cm along each axis. `version`: a
/// moment.
std::vector<Vec3f> wave(const Environment& room, std::size_t version);

}  // namespace tocsin::selftest
