// `--near D`: which pairs come within D of each other and never touch.
#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/check/job.h"
#include "io/report/episodes.h"
#include "tocsin/detector.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// The pairs of job.options.near, the nearest first; none if that is 0. `touched`: all episodes of
/// the check. Checks again with every link grown by so much (of two links by half of it each), so
/// that the other pairs are proved to stay farther away. Errors: as Detector::with_options and run;
/// kCancelled: `stop`.
Result<std::vector<io::NearPair>> find_near(const Job& job, const Detector& detector,
                                            std::span<const io::Episode> touched,
                                            const std::stop_token& stop);

/// A table of them. `all`: every row, not only a screenful.
std::string render_near(const Job& job, std::span<const io::NearPair> pairs, bool all);

}  // namespace tocsin::app
