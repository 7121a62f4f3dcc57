// How long Embree takes for the same triangles, where it is installed.
#pragma once

#include <optional>

#include "tocsin/environment.h"

namespace tocsin::bench {

/// Seconds of rtcCommitScene, by `clock` (microseconds), at medium quality (binned SAH), one
/// triangle geometry, robustness and other flags as they are by default; nothing if Embree was not
/// there at compile time.
std::optional<double> embree_seconds(const Environment& environment, int threads,
                                     double (*clock)());

/// Embree's version: "3.13.5"; empty if it is not there.
const char* embree_version();

}  // namespace tocsin::bench
