#include "tocsin/detector.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "detect/batch_size.h"
#include "detect/detector_core.h"
#include "detect/threads.h"
#include "detect/tree_cache.h"

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
  const auto sound = [](int pixels) { return pixels >= gl::kLeastTile && pixels <= gl::kMostTile; };
  if (!sound(o.gl.width) || !sound(o.gl.height)) {
    return Error{ErrorCode::kUsage, "a view of OpenGL must be 8 to 8192 pixels wide and high"};
  }
  if (!o.certify && (o.backend == Backend::kCpu || o.backend == Backend::kCuda)) {
    return Error{ErrorCode::kUsage,
                 "an answer without certify is one of image space: it needs the gl backend"};
  }
  if (!o.certify && o.clearance) {
    return Error{ErrorCode::kUsage, "clearances are proved: they cannot be had without certify"};
  }
  if (o.gl.surface == GlSurface::kPaper && o.gl.method == GlMethod::kQuery) {
    return Error{ErrorCode::kUsage,
                 "the paper's surface is looked at from six directions: by flags, not by queries"};
  }
  if (o.certify && o.gl.surface == GlSurface::kPaper) {
    return Error{ErrorCode::kUsage,
                 "the paper's surface misses contacts: it can only be looked at without certify"};
  }
  return std::nullopt;
}

/// A device is named, here or for the whole process: then "auto" means that one.
bool names_device(const DetectorOptions& o) {
  const char* const named = std::getenv(gl::kDeviceVariable);
  return o.gl.device || (named != nullptr && *named != '\0');
}

bool wants_gl(const DetectorOptions& o) {
  return o.backend == Backend::kGl ||
         (o.backend == Backend::kAuto && (!o.certify || names_device(o)));
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
    std::shared_ptr<const cpu::TreeCuller> tree =
        detect::load_or_build_culler(options_.tree_cache, environment_, {}, warnings);
    std::shared_ptr<const detect::CudaStage> cuda;
    if (options_.backend == Backend::kCuda) {
      auto stage = detect::CudaStage::create(environment_, options_);
      if (!stage) {
        error_ = stage.error();
        return;
      }
      cuda = std::move(stage).value();
    }
    std::shared_ptr<const detect::GlStage> gl;
    if (wants_gl(options_)) {
      auto stage = detect::GlStage::create(environment_, tree, options_);
      // A name of a device that makes no sense is the user's to mend, whatever the backend.
      const bool needed = options_.backend == Backend::kGl || !options_.certify ||
                          stage.error().code == ErrorCode::kUsage;
      if (!stage && needed) {
        error_ = stage.error();
        return;
      }
      if (!stage) {
        warnings.push_back("the CPU checks, as the OpenGL device that was named does not work: " +
                           stage.error().message);
      }
      gl = std::move(stage).value();
    }
    core_ = std::make_shared<const detail::DetectorCore>(environment_, options_, std::move(tree),
                                                         std::move(gl), std::move(warnings),
                                                         std::move(cuda));
  } catch (const std::bad_alloc&) {
    error_ = Error{ErrorCode::kResource, "out of memory while building the environment's tree"};
  }
}

Detector::Detector(const Result<Environment>& environment, const DetectorOptions& options)
    : environment_(environment), options_(options), error_(problem_with(options)) {
  if (!environment.ok()) error_ = environment.error();
  build();
}

std::string Detector::backend_name() const {
  if (!core_) return "none";
  if (core_->cuda() != nullptr) return "cuda";
  return core_->gl() != nullptr ? "gl" : core_->tree().backend();
}
std::string Detector::device_name() const {
  if (!core_) return "none";
  if (core_->cuda() != nullptr) return core_->cuda()->device();
  return core_->gl() != nullptr ? core_->gl()->device() : core_->tree().device();
}
std::string Detector::fallback() const { return core_ ? core_->fallback() : std::string(); }

StepReport Detector::check(const Avatar& avatar, const Step& step, const ActivePairs& active,
                           const LinkPairs& self) const {
  if (error_) return detail::report_of(step, error_);
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
    if (!core) out.error_ = core.error();
    out.core_ = std::move(core).value();
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
      if (!core) out.error_ = core.error();
      out.core_ = std::move(core).value();
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
  detect::BatchSize batch(core_->checker());
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
    batch.adapt(count, clock, core_->uses_device());
  }
  return Nothing{};
}

}  // namespace tocsin
