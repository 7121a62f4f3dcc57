// The part of a job that is done take by take: from a file to an avatar and its steps.
#pragma once

#include <cstddef>
#include <string>

#include "app/check/job.h"
#include "app/cli/options.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// Adds take i: its motion, placed; its avatar; its options, resolved; its inputs.
Status add_take(Job& job, const CheckOptions& options, std::size_t i);

/// Gives all takes their steps: of one take its own, of several those on the time line.
Status take_steps(Job& job, const CheckOptions& options);

/// Gives all avatars their names for people.
void name_avatars(Job& job);

}  // namespace tocsin::app
