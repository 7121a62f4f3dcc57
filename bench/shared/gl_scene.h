// What bench_gl runs on: rooms with a take among their furniture.
#pragma once

#include <vector>

#include "selftest/measure/gl_scene.h"
#include "selftest/scenes/standing_crowd.h"
#include "shared/timing.h"

namespace tocsin::bench {

/// The recorded take in the house where the test data is, and made rooms of 156 k and 2 M
/// triangles; quick: one of 10 k.
Result<std::vector<GlScene>> gl_scenes(bool quick);

}  // namespace tocsin::bench
