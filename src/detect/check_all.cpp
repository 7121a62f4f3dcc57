// How many steps are checked at once: by threads, and by the device if there is one.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <new>
#include <vector>

#include "detect/detector_core.h"

namespace tocsin::detail {

namespace {

/// Steps that one thread takes at a time: those that follow each other share a pose, and enough of
/// them make handing them out cheap; few enough to spread the dear ones over the cores.
constexpr std::size_t kCheckStretch = 16;

}  // namespace

Error pairs_need_certify() {
  return {ErrorCode::kUsage, "image space knows no pairs of links: they need certify"};
}

void DetectorCore::check_on_cpu(const Avatar& avatar, std::span<const Step> steps,
                                const Asked& asked, const std::stop_token& stop,
                                std::span<const detect::KeptClusters> kept,
                                std::span<StepReport> reports) const {
  // Without coherence: a search for an empty box would have to serve more steps than a stretch has.
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, steps.size(), kCheckStretch), [&](const auto& range) {
        thread_local OwnWorkspace own;
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          if (stop.stop_requested()) return;
          const Known known{nullptr, kept.empty() ? nullptr : &kept[i], nullptr};
          reports[i] = check(avatar, steps[i], asked, {own.links, own.scratch}, known);
        }
      });
}

Status DetectorCore::check_on_device(const Avatar& avatar, std::span<const Step> steps,
                                     const Asked& asked, const std::stop_token& stop,
                                     std::span<StepReport> reports) const {
  if (!options_.certify) {
    for (std::size_t i = 0; i < steps.size(); ++i) reports[i] = report_of(steps[i], std::nullopt);
    return gl_->estimate(avatar, steps, asked.active, stop, reports);
  }
  std::vector<detect::KeptClusters> kept;
  if (Status culled = gl_->cull(avatar, steps, asked.active, stop, kept); !culled) return culled;
  check_on_cpu(avatar, steps, asked, stop, kept, reports);
  return Nothing{};
}

StepReport DetectorCore::check_one(const Avatar& avatar, const Step& step,
                                   const Asked& asked) const {
  if (uses_device()) {
    StepReport report;
    check_all(avatar, {&step, 1}, asked, {}, {&report, 1});
    return report;
  }
  thread_local OwnWorkspace own;
  return check(avatar, step, asked, {own.links, own.scratch}, {});
}

void DetectorCore::check_all(const Avatar& avatar, std::span<const Step> steps, const Asked& asked,
                             const std::stop_token& stop, std::span<StepReport> reports) const {
  if (!options_.certify && !asked.self.none()) {
    for (std::size_t i = 0; i < steps.size(); ++i)
      reports[i] = report_of(steps[i], pairs_need_certify());
    return;
  }
  if (uses_cuda()) {
    check_all_on_cuda(avatar, steps, asked, stop, reports);
    return;
  }
  std::optional<Error> problem = gl_ ? gl_->failure() : std::nullopt;
  if (gl_ && !problem) {
    try {
      const Status checked = check_on_device(avatar, steps, asked, stop, reports);
      if (checked || checked.error().code == ErrorCode::kCancelled) return;
      problem = checked.error();
      gl_->give_up(*problem);
    } catch (const std::bad_alloc&) {  // no fault of the device: the next question may succeed
      problem = Error{ErrorCode::kResource, "out of memory while checking steps"};
    }
  }
  if (!gl_ || may_fall_back()) {
    check_on_cpu(avatar, steps, asked, stop, {}, reports);
    return;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) reports[i] = report_of(steps[i], problem);
}

}  // namespace tocsin::detail
