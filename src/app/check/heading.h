// The text above a table: what was checked and how.
#pragma once

#include <cstdint>
#include <string>

#include "app/check/job.h"

namespace tocsin::app {

/// A fact a line. steps: how many steps were checked, of all avatars.
std::string render_heading(const Job& job, std::int64_t steps);

}  // namespace tocsin::app
