// Links of an avatar that overlap in its rest pose. Under --self they would touch in most steps,
// because of the model's shape and not of the motion.
#pragma once

#include <string>
#include <vector>

#include "app/check/job.h"
#include "app/cli/options.h"

namespace tocsin::app {

/// --ignore-rest: leaves out the pairs of an avatar's own links that overlap in the rest pose, the
/// margin on their radii, by a pattern for each, which the job's resolved --ignore then holds. A
/// pattern counts for every avatar that has such names. A pair stays where both orders of its names
/// are also a link and an object. Errors: kUsage: too many pairs for patterns.
Status ignore_rest_pairs(Job& job, const CheckOptions& options);

/// Notes about pairs of own links that overlap in the rest pose: the pairs that are left out, or
/// the pair that overlaps most and how to leave it out. Several takes with the same note get one.
/// None without --self.
std::vector<std::string> rest_overlap_notes(const Job& job, bool ignored);

}  // namespace tocsin::app
