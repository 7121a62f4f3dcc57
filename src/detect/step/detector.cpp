#include "tocsin/detector.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "detect/backends/detector_core.h"
#include "detect/crowd/batch_size.h"
#include "detect/step/threads.h"

namespace tocsin {

namespace {

/// Metres: as far as coordinates may lie from the origin. Beyond it boxes would overflow.
constexpr double kMostMargin = 1e6;

std::optional<Error> problem_with(const DetectorOptions& o) {
  if (!(o.margin >= 0.0 && o.margin <= kMostMargin)) {
    return Error{ErrorCode::kUsage, "the margin must be between 0 and 1e6 metres"};
  }
  if (!(o.tolerance > 0.0) || !(o.tolerance <= 1.0)) {
    return Error{ErrorCode::kUsage, "the tolerance must be above 0 and at most 1 step"};
  }
  return detail::problem_with_backend(o);
}

}  // namespace

Detector::Detector(Environment environment, const DetectorOptions& options)
    : environment_(std::move(environment)), options_(options), error_(problem_with(options)) {
  build();
}

void Detector::build() {
  if (error_) return;
  try {
    auto core = detail::DetectorCore::open(environment_, options_);
    if (core) {
      core_ = std::move(core).value();
    } else {
      error_ = core.error();
    }
  } catch (const std::bad_alloc&) {
    error_ = Error{ErrorCode::kResource, "out of memory while building the environment's tree"};
  }
}

Detector::Detector(const Result<Environment>& environment, const DetectorOptions& options)
    : environment_(environment), options_(options), error_(problem_with(options)) {
  if (!environment.ok()) error_ = environment.error();
  build();
}

std::string Detector::backend_name() const { return core_ ? core_->backend_name() : "none"; }
std::string Detector::device_name() const { return core_ ? core_->device_name() : "none"; }
std::string Detector::fallback() const { return core_ ? core_->fallback() : std::string(); }

StepReport Detector::check(const Avatar& avatar, const Step& step, const ActivePairs& active,
                           const LinkPairs& self) const {
  if (error_) return detect::report_of(step, error_);
  return core_->check_one(avatar, step, {active, self});
}

std::span<const std::string> Detector::warnings() const {
  return core_ ? core_->warnings() : std::span<const std::string>();
}

Detector Detector::asked(const DetectorOptions& options) const {
  Detector out;
  out.environment_ = environment_;
  out.options_ = options_;
  out.options_.contacts = options.contacts;
  out.options_.margin = options.margin;
  out.options_.tolerance = options.tolerance;
  out.options_.clearance = options.clearance;
  out.error_ = error_ ? error_ : problem_with(out.options_);
  if (out.error_) return out;
  try {
    auto core = core_->asked(out.options_);
    if (core) {
      out.core_ = std::move(core).value();
    } else {
      out.error_ = core.error();
    }
  } catch (const std::bad_alloc&) {
    out.error_ = Error{ErrorCode::kResource, "out of memory while preparing a detector"};
  }
  return out;
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
      auto core = core_->moved(environment);
      if (core) {
        out.core_ = std::move(core).value();
      } else {
        out.error_ = core.error();
      }
      if (!out.error_ && !out.core_) {
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
  detect::Threads threads(run.threads);
  std::vector<StepReport> reports;
  detect::BatchSize batch(core_->pace());
  for (std::size_t begin = 0; begin < steps.size();) {
    const std::size_t count = std::min(batch.size(), steps.size() - begin);
    const auto clock = std::chrono::steady_clock::now();
    reports.clear();
    reports.resize(count);
    threads.execute([&] {
      core_->check_all(avatar, steps.subspan(begin, count), {run.active, run.self}, run.stop,
                       reports);
    });
    if (run.stop.stop_requested()) return {ErrorCode::kCancelled, "stopped before the last step"};
    for (const StepReport& report : reports) {
      if (report.error) return *report.error;
      if (!sink(report)) return {ErrorCode::kCancelled, "stopped by the receiver of the reports"};
    }
    begin += count;
    batch.adapt(count, clock, core_->asks_ahead());
  }
  return Nothing{};
}

}  // namespace tocsin
