#include "app/render/trail.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace tocsin::app {
namespace {

/// A take's pose at an instant of the time line; none: it is not there.
std::optional<view::Pose> pose_at_instant(const JobTake& take, std::int64_t instant,
                                          double margin) {
  for (const Step& step : take.steps) {
    if (step.index() == instant) return view::pose_of_step(take.member.avatar, step, margin, 0.0);
  }
  if (take.steps.empty() || take.steps.back().frames()[1] != instant) return std::nullopt;
  return view::pose_of_step(take.member.avatar, take.steps.back(), margin, 1.0);
}

Status check_range(const FrameRange& range, std::int64_t last, std::int64_t end) {
  constexpr std::int64_t kMostPoses = 1000;  // a megabyte each
  if (last > end || range.first > end) {
    return {ErrorCode::kUsage, fmt::format("--trail: the motion has frames 0 to {}", end)};
  }
  if (range.first > last) {
    return {ErrorCode::kUsage,
            fmt::format("--trail: frame {} comes after frame {}", range.first, last)};
  }
  if ((last - range.first) / range.stride >= kMostPoses) {
    return {ErrorCode::kUsage,
            fmt::format("--trail: more than {} bodies; a larger N has fewer", kMostPoses)};
  }
  return Nothing{};
}

}  // namespace

Status add_trail(DrawnStep& drawn, const Job& job, const FrameRange& range) {
  const std::int64_t end = job.several() ? static_cast<std::int64_t>(job.instants.size()) - 1
                                         : job.only().motion.frame_count() - 1;
  const std::int64_t last = range.last < 0 ? end : range.last;
  if (auto fits = check_range(range, last, end); !fits) return fits;
  const double margin = job.options.spec.margin;
  for (view::Actor& actor : drawn.actors) {
    const JobTake& take = job.takes[static_cast<std::size_t>(actor.report.avatar)];
    for (std::int64_t f = range.first; f <= last; f += std::min(range.stride, last - f + 1)) {
      if (!job.several()) {
        actor.trail.push_back({f, view::pose_of_frame(actor.avatar, take.motion, f, margin)});
      } else if (auto pose = pose_at_instant(take, f, margin)) {
        actor.trail.push_back({f, std::move(*pose)});
      }
    }
  }
  return Nothing{};
}

}  // namespace tocsin::app
