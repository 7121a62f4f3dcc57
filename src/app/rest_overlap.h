// Whether links of an avatar overlap already where it stands at rest: under --self they would touch
// in most steps, which tells a model's shape and no motion.
#pragma once

#include <string>
#include <vector>

#include "app/job.h"

namespace tocsin::app {

/// --ignore-rest: leaves out the pairs of an avatar's own links that overlap in the rest pose, the
/// margin on their radii, by a pattern for each, which the job's resolved --ignore then holds. A
/// pattern counts for every avatar that has such names. A pair stays where both orders of its names
/// are also a link and an object. Errors: kUsage: far more pairs than patterns are good for.
Status ignore_rest_pairs(Job& job, const CheckOptions& options);

/// What a person should know of pairs of own links that overlap in the rest pose: which are left
/// out, or which of those that are not overlaps most and how to leave them out. The same note of
/// several takes is told once. None without --self.
std::vector<std::string> rest_overlap_notes(const Job& job, bool ignored);

}  // namespace tocsin::app
