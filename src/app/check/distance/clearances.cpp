#include "app/check/distance/clearances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/check/episode_table.h"
#include "app/cli/text_table.h"

namespace tocsin::app {
void keep_least(const Step& step, const StepReport& report, std::vector<LeastClearance>& least) {
  const bool is_first = least.empty();
  least.resize(report.clearances.size());
  for (std::size_t i = 0; i < report.clearances.size(); ++i) {
    if (is_first || report.clearances[i] < least[i].metres) {
      least[i] = {report.clearances[i], step.seconds(0.0), step.index(), step.frames()};
    }
  }
}

std::string render_clearances(std::span<const std::string> links,
                              std::span<const LeastClearance> least,
                              std::span<const NearestThing> nearest) {
  std::vector<TextTable::Column> columns{{"Link", Align::kLeft, kWidestName},
                                         {"Clearance of at least", Align::kRight},
                                         {"Least at", Align::kRight}};
  if (!nearest.empty()) {
    columns.push_back({"Frames", Align::kRight});
    columns.push_back({"Distance", Align::kRight});
    columns.push_back({"Nearest", Align::kLeft, kWidestName});
  }
  TextTable table(std::move(columns));
  for (std::size_t i = 0; i < least.size() && i < links.size(); ++i) {
    // Rounded down, so that the shown bound holds, too.
    const double shown = std::max(0.0, least[i].metres - 0.5e-4);
    const std::string metres = !std::isfinite(least[i].metres) ? "nothing to touch"
                               : least[i].metres > 0.0         ? fmt::format("{:.4f} m", shown)
                                                               : "touches";
    std::vector<std::string> cells{links[i], metres, fmt::format("{:.4f} s", least[i].seconds)};
    if (!nearest.empty()) {
      const NearestThing& thing = nearest[i];
      const bool apart = thing.metres && least[i].metres > 0.0;
      cells.push_back(span_cell(least[i].frames));
      cells.push_back(apart ? fmt::format("{:.4f} m", *thing.metres) : std::string());
      cells.push_back(thing.name);
    }
    table.add(std::move(cells));
  }
  return table.text();
}

}  // namespace tocsin::app
