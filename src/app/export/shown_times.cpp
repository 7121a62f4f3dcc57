#include "app/export/shown_times.h"

#include <algorithm>
#include <limits>

namespace tocsin::app {
namespace {

std::int64_t bin_of(double seconds, const std::array<double, 2>& times) {
  const double whole = times[1] - times[0];
  const double part = whole > 0.0 ? (seconds - times[0]) / whole : 0.0;
  return std::clamp<std::int64_t>(
      static_cast<std::int64_t>(part * static_cast<double>(kClearanceBins)), 0, kClearanceBins - 1);
}

}  // namespace

std::array<double, 2> step_times(const Job& job, std::int32_t avatar, std::int64_t step) {
  const StepList& steps = job.takes[static_cast<std::size_t>(avatar)].steps;
  const std::size_t at = position_of(steps, step);
  if (at == steps.size()) return {0.0, 0.0};
  const double begin = steps[at].seconds(0.0);
  const bool pose = steps[at].frames()[0] == steps[at].frames()[1];
  if (!pose) return {begin, steps[at].seconds(1.0)};
  return {begin, at + 1 < steps.size() ? steps[at + 1].seconds(0.0) : begin};
}

std::array<double, 2> all_times(const Job& job) {
  std::array<double, 2> out{std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};
  for (const JobTake& take : job.takes) {
    if (take.steps.empty()) continue;
    out = {std::min(out[0], take.steps.front().seconds(0.0)),
           std::max(out[1], take.steps.back().seconds(1.0))};
  }
  return out[0] <= out[1] ? out : std::array<double, 2>{0.0, 0.0};
}

ClearanceLanes clearance_lanes(const ShownReport& shown, const std::array<double, 2>& times) {
  ClearanceLanes out;
  for (const io::ToldClearance& c : shown.told.clearances) {
    auto& lane = out[{c.avatar, c.link}];
    lane.resize(static_cast<std::size_t>(kClearanceBins));
    if (!c.metres) continue;
    const auto [begin, end] = step_times(shown.job, c.avatar, c.step);
    const std::int64_t first = bin_of(begin, times);
    for (std::int64_t i = first; i <= std::max(first, bin_of(end, times) - 1); ++i) {
      std::optional<double>& least = lane[static_cast<std::size_t>(i)];
      least = least ? std::min(*least, *c.metres) : *c.metres;
    }
  }
  return out;
}

std::string verdict_of(const ShownReport& shown) {
  const io::Tally& tally = shown.report.tally;
  if (tally.contacts == 0) return shown.report.run.certified ? "CLEAN" : "NO CONTACT SEEN";
  return tally.contacts == tally.graze ? "UNDECIDED" : "CONTACT";
}

}  // namespace tocsin::app
