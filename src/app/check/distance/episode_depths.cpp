#include "app/check/distance/episode_depths.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "app/check/distance/deepest.h"
#include "app/check/distance/pair_run.h"
#include "detect/step/solid_objects.h"
#include "detect/step/threads.h"

namespace tocsin::app {

Status add_depths(const Job& job, const Detector& detector, const std::stop_token& stop,
                  std::span<io::Episode> episodes) {
  const detect::SolidObjects solid(job.environment, detector.options().surfaces);
  std::vector<std::optional<Error>> errors(episodes.size());
  const auto measure = [&](std::size_t i) {
    if (stop.stop_requested()) return;
    const auto deepest = deepest_moment(PairRun(job, detector, solid, episodes[i]));
    if (deepest) {
      episodes[i].deepest = deepest.value();
    } else {
      errors[i] = deepest.error();
    }
  };
  detect::Threads(job.options.threads).execute([&] {
    detect::for_each(true, episodes.size(), measure);
  });
  if (stop.stop_requested()) return {ErrorCode::kCancelled, "stopped before the last episode"};
  for (const std::optional<Error>& error : errors) {
    if (error) return *error;
  }
  return Nothing{};
}

double depth_of(const io::Episode& episode) {
  return episode.deepest ? episode.deepest->depth : -HUGE_VAL;
}

}  // namespace tocsin::app
