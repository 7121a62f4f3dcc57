// How deep each episode of contact is.
#pragma once

#include <span>
#include <stop_token>

#include "app/check/job.h"
#include "io/report/episodes.h"
#include "tocsin/detector.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// Sets `deepest` of all episodes of this check (deepest_moment()). Errors: as
/// Detector::depth; kCancelled: `stop`.
Status add_depths(const Job& job, const Detector& detector, const std::stop_token& stop,
                  std::span<io::Episode> episodes);

/// How deep an episode is, metres; below every depth if it is not known.
double depth_of(const io::Episode& episode);

}  // namespace tocsin::app
