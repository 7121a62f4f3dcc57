#include "tocsin/detector.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include "detect/detector_core.h"

namespace tocsin {

namespace {

/// Steps that are checked before their reports are handed on: enough to keep every thread busy,
/// little enough to keep progress smooth and memory small.
constexpr std::size_t kBatch = 512;

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

std::optional<Error> problem_with(const Avatar& avatar, const Step& step) {
  if (avatar.links().empty()) return Error{ErrorCode::kInput, "the avatar has no links"};
  const std::size_t joints = avatar.skeleton().joints().size();
  if (step.pose0().size() != joints || step.pose1().size() != joints) {
    return Error{ErrorCode::kInput, "the step's skeleton has " +
                                        std::to_string(step.pose0().size()) +
                                        " joints, the avatar's has " + std::to_string(joints)};
  }
  return std::nullopt;
}

}  // namespace

Detector::Detector(Environment environment, const DetectorOptions& options)
    : environment_(std::move(environment)), options_(options), error_(problem_with(options)) {
  if (error_) return;
  try {
    core_ = std::make_shared<const detail::DetectorCore>(environment_, options_);
  } catch (const std::bad_alloc&) {
    error_ = Error{ErrorCode::kResource, "out of memory while building the environment's tree"};
  }
}

Detector::Detector(const Result<Environment>& environment, const DetectorOptions& options)
    : Detector(Environment(environment), options) {
  if (environment.ok()) return;
  error_ = environment.error();
  core_.reset();
}

std::string Detector::backend_name() const { return core_ ? core_->culler().backend() : "none"; }
std::string Detector::device_name() const { return core_ ? core_->culler().device() : "none"; }

StepReport Detector::check(const Avatar& avatar, const Step& step,
                           const ActivePairs& active) const {
  StepReport report;
  report.step = step.index();
  report.frames = step.frames();
  report.error = error_ ? error_ : problem_with(avatar, step);
  if (report.error) return report;
  thread_local detail::Workspace work;
  core_->check(avatar, step, active, work, report);
  return report;
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
  for (std::size_t begin = 0; begin < steps.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, steps.size() - begin);
    reports.assign(count, {});
    arena.execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, 8), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          if (run.stop.stop_requested()) return;
          reports[i] = check(avatar, steps[begin + i], run.active);
        }
      });
    });
    if (run.stop.stop_requested()) return {ErrorCode::kCancelled, "stopped before the last step"};
    for (const StepReport& report : reports) {
      if (report.error) return *report.error;
      if (!sink(report)) return {ErrorCode::kCancelled, "stopped by the receiver of the reports"};
    }
  }
  return Nothing{};
}

}  // namespace tocsin
