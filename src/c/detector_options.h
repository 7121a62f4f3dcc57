// Options of detectors, and what is checked together.
#pragma once

#include <cstddef>
#include <vector>

#include "c/convert.h"
#include "c/objects.h"

namespace tocsin::c {

/// Throws a Failure for options that are none.
DetectorOptions detector_options_of(const tocsin_detector_options* options);

struct Together {
  std::vector<Member> members;
  std::vector<Step> steps;
};

/// steps[i] of members[i]. Throws a Failure.
Together together(const tocsin_member* members, const tocsin_step* steps, std::size_t count);

}  // namespace tocsin::c
