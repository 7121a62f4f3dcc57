#include "tocsin/detector.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "detect/detector_core.h"
#include "detect/tree_cache.h"

namespace tocsin {

namespace {

/// Steps that are checked before their reports are handed on: a few first, to see how long they
/// take, then as many as take kBatchTime. Threads wait for each other at the end of a batch, and
/// progress is seen once a batch.
constexpr std::size_t kFirstBatch = 256;
constexpr std::size_t kLeastBatch = 16;
constexpr std::size_t kLargestBatch = 65536;
constexpr std::chrono::duration<double> kBatchTime{0.1};   // seconds
constexpr std::chrono::duration<double> kLeastTime{1e-6};  // a clock may stand still

/// Steps that one thread takes at a time: those that follow each other share a pose, and enough of
/// them make handing them out cheap; few enough to spread the dear ones over the cores.
constexpr std::size_t kStretch = 16;

/// Metres: as far as coordinates may lie from the origin. Beyond it boxes would overflow.
constexpr double kMostMargin = 1e6;

std::optional<Error> problem_with(const DetectorOptions& o) {
  if (!(o.margin >= 0.0 && o.margin <= kMostMargin)) {
    return Error{ErrorCode::kUsage, "the margin must be between 0 and 1e6 metres"};
  }
  if (!(o.tolerance > 0.0) || !(o.tolerance <= 1.0)) {
    return Error{ErrorCode::kUsage, "the tolerance must be above 0 and at most 1 step"};
  }
  if (o.backend == Backend::kGl || o.backend == Backend::kCuda) {
    return Error{ErrorCode::kUnavailable,
                 std::string("the ") + (o.backend == Backend::kGl ? "gl" : "cuda") +
                     " backend is not part of this version of Tocsin; use cpu or auto"};
  }
  return std::nullopt;
}

/// Checks steps that follow each other. Without coherence: a search for an empty box would have to
/// serve more steps than a stretch has.
void check_stretch(const detail::DetectorCore& core, const Avatar& avatar,
                   std::span<const Step> steps, const RunOptions& run,
                   std::span<StepReport> reports) {
  thread_local detail::Workspace work;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (run.stop.stop_requested()) return;
    reports[i] = core.check(avatar, steps[i], run.active, work, nullptr);
  }
}

}  // namespace

Detector::Detector(Environment environment, const DetectorOptions& options)
    : environment_(std::move(environment)), options_(options), error_(problem_with(options)) {
  build();
}

void Detector::build() {
  if (error_) return;
  try {
    std::vector<std::string> warnings;
    auto tree = detect::load_or_build_culler(options_.tree_cache, environment_, {}, warnings);
    core_ = std::make_shared<const detail::DetectorCore>(environment_, options_, std::move(tree),
                                                         std::move(warnings));
  } catch (const std::bad_alloc&) {
    error_ = Error{ErrorCode::kResource, "out of memory while building the environment's tree"};
  }
}

Detector::Detector(const Result<Environment>& environment, const DetectorOptions& options)
    : environment_(environment), options_(options), error_(problem_with(options)) {
  if (!environment.ok()) error_ = environment.error();
  build();
}

std::string Detector::backend_name() const { return core_ ? core_->culler().backend() : "none"; }
std::string Detector::device_name() const { return core_ ? core_->culler().device() : "none"; }

StepReport Detector::check(const Avatar& avatar, const Step& step,
                           const ActivePairs& active) const {
  if (error_) return detail::report_of(step, error_);
  thread_local detail::Workspace work;
  return core_->check(avatar, step, active, work, nullptr);
}

std::span<const std::string> Detector::warnings() const {
  return core_ ? core_->warnings() : std::span<const std::string>();
}

Detector Detector::moved(const Result<Environment>& environment) const {
  if (environment.ok()) return moved(Environment(environment));
  Detector out;
  out.options_ = options_;
  out.error_ = environment.error();
  return out;
}

Detector Detector::moved(Environment environment) const {
  Detector out;
  out.options_ = options_;
  out.error_ = error_;
  if (!error_) {
    try {
      out.core_ = core_->moved(environment);
      if (!out.core_) {
        out.error_ =
            Error{ErrorCode::kUsage,
                  "the environment is not another version of the detector's: its objects or "
                  "triangles are others"};
      }
    } catch (const std::bad_alloc&) {
      out.error_ =
          Error{ErrorCode::kResource, "out of memory while fitting the environment's tree"};
    }
  }
  out.environment_ = std::move(environment);
  return out;
}

Status Detector::run(const Avatar& avatar, std::span<const Step> steps, const RunOptions& run,
                     const std::function<bool(const StepReport&)>& sink) const {
  if (error_) return *error_;
  // More threads than cores were asked for: someone wants to see that the answer stays the same.
  std::optional<tbb::global_control> more;
  if (run.threads > tbb::this_task_arena::max_concurrency()) {
    more.emplace(tbb::global_control::max_allowed_parallelism,
                 static_cast<std::size_t>(run.threads));
  }
  tbb::task_arena arena(run.threads > 0 ? run.threads : tbb::task_arena::automatic);
  std::vector<StepReport> reports;
  std::size_t batch = kFirstBatch;
  for (std::size_t begin = 0; begin < steps.size();) {
    const std::size_t count = std::min(batch, steps.size() - begin);
    const auto clock = std::chrono::steady_clock::now();
    reports.clear();
    reports.resize(count);
    arena.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, kStretch), [&](const auto& r) {
        check_stretch(*core_, avatar, steps.subspan(begin + r.begin(), r.size()), run,
                      std::span(reports).subspan(r.begin(), r.size()));
      });
    });
    if (run.stop.stop_requested()) return {ErrorCode::kCancelled, "stopped before the last step"};
    for (const StepReport& report : reports) {
      if (report.error) return *report.error;
      if (!sink(report)) return {ErrorCode::kCancelled, "stopped by the receiver of the reports"};
    }
    begin += count;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - clock;
    batch = static_cast<std::size_t>(
        std::clamp(static_cast<double>(count) * (kBatchTime / std::max(taken, kLeastTime)),
                   static_cast<double>(kLeastBatch), static_cast<double>(kLargestBatch)));
  }
  return Nothing{};
}

}  // namespace tocsin
