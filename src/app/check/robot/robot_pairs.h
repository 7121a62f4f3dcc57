// Which pairs of a robot's own links are left out.
#pragma once

#include "app/check/job.h"
#include "app/cli/options.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// With --self, leaves out the pairs of every robot's links that no joint moves apart, and those
/// that its SRDF disables. Adds them to the job's patterns, so that a report's check is made again
/// without the SRDF. Warns of names in it that the robot does not have. Errors: as read_robot() and
/// read_srdf().
Status ignore_robot_pairs(Job& job, const CheckOptions& options);

}  // namespace tocsin::app
