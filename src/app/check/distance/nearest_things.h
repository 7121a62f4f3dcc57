// What is nearest to every link where its clearance is least.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "app/check/distance/clearances.h"
#include "app/check/job.h"
#include "io/report/episodes.h"
#include "tocsin/detector.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// Per avatar and link, as `clearances` (--clearance), of the step with the least one: the nearest
/// active object or link at its start, its end, and at 7 times between. Of a link that touches:
/// what it is deepest in. Computed, not certified. Errors: as Detector::depth; kCancelled: `stop`.
Result<std::vector<std::vector<NearestThing>>> nearest_things(
    const Job& job, const Detector& detector,
    std::span<const std::vector<LeastClearance>> clearances, std::span<const io::Episode> episodes,
    const std::stop_token& stop);

/// The same as a report tells it.
std::vector<io::NearestToLink> told_nearest(std::span<const std::vector<LeastClearance>> clearances,
                                            std::span<const std::vector<NearestThing>> nearest);

}  // namespace tocsin::app
