#include "tocsin/detector.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "detect/backends/detector_core.h"
#include "detect/crowd/batch_size.h"
#include "detect/step/step_in_parts.h"
#include "detect/step/step_problem.h"
#include "detect/step/threads.h"

namespace tocsin {

namespace {

std::optional<Error> problem_with(const DetectorOptions& o) {
  if (auto problem = detect::problem_with(o.margin, o.tolerance)) return problem;
  return detail::problem_with_backend(o);
}

Error scene_cannot(const std::string& what) {
  return {ErrorCode::kUsage, "a scene's detector cannot be " + what + ": take a snapshot"};
}

}  // namespace

Detector::Detector(Environment environment, const DetectorOptions& options,
                   std::shared_ptr<const detail::DetectorCore> core)
    : environment_(std::move(environment)), options_(options), core_(std::move(core)) {}

Result<Detector> Detector::make(Environment environment, const DetectorOptions& options) {
  if (std::optional<Error> problem = problem_with(options)) return *std::move(problem);
  try {
    auto core = detect::on_threads(
        options.threads, [&] { return detail::DetectorCore::open(environment, options); });
    if (!core) return core.error();
    return Detector(std::move(environment), options, std::move(core).value());
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory while building the environment's tree"};
  }
}

Result<Detector> Detector::with_options(const DetectorOptions& options) const {
  DetectorOptions now = options_;
  now.contacts = options.contacts;
  now.margin = options.margin;
  now.tolerance = options.tolerance;
  now.clearance = options.clearance;
  now.surfaces = options.surfaces;
  if (std::optional<Error> problem = problem_with(now)) return *std::move(problem);
  // What asks the same shares the core: a crowd's workers find it in their caches.
  const bool asks_the_same = now.contacts == options_.contacts && now.margin == options_.margin &&
                             now.tolerance == options_.tolerance &&
                             now.clearance == options_.clearance &&
                             now.surfaces == options_.surfaces;
  if (asks_the_same && core_->device() == nullptr) return *this;
  if (core_->exact().scene() != nullptr && now.surfaces != options_.surfaces) {
    return {ErrorCode::kUsage, "which objects of a scene are surfaces is said when it is made"};
  }
  try {
    auto core = detect::on_threads(now.threads, [&] { return core_->with_options(now); });
    if (!core) return core.error();
    return Detector(environment_, now, std::move(core).value());
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory while preparing a detector"};
  }
}

Result<Detector> Detector::with_backend(const DetectorOptions& options) const {
  if (std::optional<Error> problem = problem_with(options)) return *std::move(problem);
  if (core_->exact().scene() != nullptr) return scene_cannot("put on another backend");
  try {
    auto core = detect::on_threads(options.threads, [&] { return core_->with_backend(options); });
    if (!core) return core.error();
    return Detector(environment_, options, std::move(core).value());
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory while preparing a detector"};
  }
}

Result<Detector> Detector::with_environment(Environment environment) const {
  if (core_->exact().scene() != nullptr) return scene_cannot("given another environment");
  try {
    auto core =
        detect::on_threads(options_.threads, [&] { return core_->with_environment(environment); });
    if (!core) return core.error();
    return Detector(std::move(environment), options_, std::move(core).value());
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory while fitting the environment's tree"};
  }
}

std::string Detector::backend_name() const { return core_->backend_name(); }
std::string Detector::device_name() const { return core_->device_name(); }
std::string Detector::backend_reason() const { return core_->backend_reason(); }
std::string Detector::fallback() const { return core_->fallback(); }
std::span<const std::string> Detector::warnings() const { return core_->warnings(); }

Result<Depth> Detector::depth(const Avatar& avatar, const Step& step, double time,
                              std::int32_t link, std::uint32_t object) const {
  if (auto problem = detect::problem_with(avatar, step)) return *std::move(problem);
  if (link < 0 || static_cast<std::size_t>(link) >= avatar.links().size()) {
    return {ErrorCode::kUsage, "there is no such link"};
  }
  const std::span<const Object> objects = environment_.objects();
  if (object >= objects.size() || objects[object].triangle_count == 0) {
    return {ErrorCode::kUsage, "there is no such object, or it has no triangles"};
  }
  if (const detect::SceneView* const scene = core_->exact().scene()) {
    if (!scene->stands(object)) {
      return {ErrorCode::kUsage, "the object is not there, or it moves"};
    }
  }
  if (!(time >= 0.0 && time <= 1.0)) {
    return {ErrorCode::kUsage, "a step's time must be between 0 and 1"};
  }
  return core_->exact().depth(avatar, step, time, link, object);
}

StepReport Detector::check(const Member& member, const Step& step) const {
  return core_->check_one(member, step);
}

StepReport Detector::check_within(const Member& member, const Step& step,
                                  const StepBudget& budget) const {
  if (core_->asks_ahead(1)) return check(member, step);
  thread_local detect::OwnWorkspace own;
  thread_local detect::StepInParts parts;
  return detect::check_in_parts(core_->exact(), {member, own.links, own.scratch}, step, budget,
                                parts);
}

Status Detector::run(const Member& member, std::span<const Step> steps, const RunOptions& options,
                     const std::function<bool(const StepReport&)>& sink) const {
  detect::Threads threads(options.threads);
  std::vector<StepReport> reports;
  detect::BatchSize batch = core_->batch_size();
  for (std::size_t begin = 0; begin < steps.size();) {
    const std::size_t count = std::min(batch.size(), steps.size() - begin);
    const auto clock = std::chrono::steady_clock::now();
    reports.clear();
    reports.resize(count);
    threads.execute(
        [&] { core_->check_all(member, steps.subspan(begin, count), options.stop, reports); });
    if (options.stop.stop_requested()) {
      return {ErrorCode::kCancelled, "stopped before the last step"};
    }
    for (const StepReport& report : reports) {
      if (report.error) return *report.error;
      if (!sink(report)) return {ErrorCode::kCancelled, "stopped by the receiver of the reports"};
    }
    begin += count;
    batch.adapt(count, clock, core_->asks_ahead(count));
  }
  return Nothing{};
}

}  // namespace tocsin
