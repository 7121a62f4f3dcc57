// `--near D`: which pairs come within D of each other and never touch.
#pragma once

#include <functional>
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

/// One such check: of links with objects, or of links with links.
struct GrownCheck {
  bool of_links = false;
  double margin = 0.0;  ///< of every link, metres: that of the job, and what it grew by
  friend bool operator==(const GrownCheck&, const GrownCheck&) = default;
};
/// Sees the answers of these checks, one check after the other, each in the order of Detector::run.
using GrownSink = std::function<void(const GrownCheck&, const Step&, const StepReport&)>;

/// The same; `seen` may be empty.
Result<std::vector<io::NearPair>> find_near(const Job& job, const Detector& detector,
                                            std::span<const io::Episode> touched,
                                            const std::stop_token& stop, const GrownSink& seen);

/// A table of them. `all`: every row, not only a screenful.
std::string render_near(const Job& job, std::span<const io::NearPair> pairs, bool all);

}  // namespace tocsin::app
