// bench_step --count: whole steps for callgrind, which counts their instructions.
#pragma once

#include "shared/inputs.h"
#include "tocsin/detector.h"

namespace tocsin::bench {

/// Runs every case by Detector::check, by Stream::check and by the frozen reference, each once and
/// counted (counted.h); prints case, row and number of steps, a line for each, tabs between.
void count_rows(const Inputs& inputs, const Detector& detector);

}  // namespace tocsin::bench
