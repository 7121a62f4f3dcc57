#include "service/metrics/metrics.h"

#include <algorithm>

namespace tocsin::service {

void Metrics::add_step(const TrackTiming& timing, std::size_t found) {
  steps.add();
  if (found > 0) contacts.add(found);
  waited.add(nanoseconds_of(timing.waited));
  checked.add(nanoseconds_of(timing.checked));
}

void Metrics::add_frames(const FrameCounts& before, const FrameCounts& now) {
  const auto add = [](Count& count, std::uint64_t was, std::uint64_t is) {
    if (is > was) count.add(is - was);
  };
  add(covered_frames, before.covered, now.covered);
  add(skipped_frames, before.skipped, now.skipped);
  add(stale_frames, before.stale, now.stale);
  add(duplicate_frames, before.duplicate, now.duplicate);
  add(bad_frames, before.bad, now.bad);
}

std::uint64_t nanoseconds_of(double microseconds) {
  constexpr double kMost = 1e18;  // thirty years
  const double out = microseconds * 1000.0;
  return out > 0.0 ? static_cast<std::uint64_t>(std::min(out, kMost)) : 0;  // not a number: 0
}

}  // namespace tocsin::service
