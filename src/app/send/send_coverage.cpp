#include "app/send/send_coverage.h"

#include <fmt/format.h>

#include <utility>

namespace tocsin::app {

void SendCoverage::found(std::string gap) {
  if (gaps_++ == 0) first_gap_ = std::move(gap);
}

std::uint64_t SendCoverage::count(const TrackReport& report, const std::vector<IdRange>& ranges,
                                  std::string_view verb) {
  std::uint64_t out = 0;
  std::uint64_t after = report.from.id;
  for (const IdRange& range : ranges) {
    const bool in_order =
        range.first > after && range.last >= range.first && range.last < report.to.id;
    if (!in_order) {
      found(fmt::format("step {} {} frames {} to {}, which do not lie where they must",
                        report.result.step, verb, range.first, range.last));
      return 0;
    }
    out += range.last - range.first + 1;
    after = range.last;
  }
  return out;
}

bool SendCoverage::take(const TrackReport& report) {
  const auto step = static_cast<std::uint64_t>(report.result.step);
  if (step < next_) {
    ++again_;
    return false;
  }
  if (step > next_) {
    found(fmt::format("step {} came after {} steps", step, next_));
  } else if (last_ && report.from != *last_) {
    found(fmt::format("step {} begins at frame {}, and the one before ended at frame {}", step,
                      report.from.id, last_->id));
  } else if (report.to.id <= report.from.id && !(report.tick && report.to == report.from)) {
    found(
        fmt::format("step {} goes from frame {} to frame {}", step, report.from.id, report.to.id));
  }
  skipped_ += count(report, report.skipped, "skips");
  (void)count(report, report.bad, "passes over");
  next_ = step + 1;
  last_ = report.to;
  return true;
}

void SendCoverage::end(std::uint64_t steps) {
  if (steps == next_) return;
  found(fmt::format("the server counted {} steps, and {} were reported", steps, next_));
}

}  // namespace tocsin::app
