// When what a report shows happens, seconds since frame 0.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/export/shown_report.h"

namespace tocsin::app {

/// The beginning and end of a step; of poses alone the end is the next pose.
std::array<double, 2> step_times(const Job& job, std::int32_t avatar, std::int64_t step);

/// From the first step to the last one's end.
std::array<double, 2> all_times(const Job& job);

/// Parts of a lane of clearances: more than a screen has pixels.
inline constexpr std::int64_t kClearanceBins = 1500;

/// The least clearance of each link in kClearanceBins equal parts of the time, metres; none: none
/// is told there. By avatar and link; empty without --clearance.
using ClearanceLanes =
    std::map<std::pair<std::int32_t, std::string>, std::vector<std::optional<double>>>;
ClearanceLanes clearance_lanes(const ShownReport& shown, const std::array<double, 2>& times);

/// What a report proves, in one word: CLEAN (every moment), NO CONTACT SEEN (poses only),
/// UNDECIDED (grazes alone) or CONTACT.
std::string verdict_of(const ShownReport& shown);

}  // namespace tocsin::app
