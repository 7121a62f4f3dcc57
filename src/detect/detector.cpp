#include "tocsin/detector.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
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
constexpr std::size_t kFirstDeviceBatch = 32;
constexpr std::size_t kLeastBatch = 16;
constexpr std::size_t kLargestBatch = 65536;
constexpr std::chrono::duration<double> kBatchTime{0.1};   // seconds
constexpr std::chrono::duration<double> kLeastTime{1e-6};  // a clock may stand still

/// Metres: as far as coordinates may lie from the origin. Beyond it boxes would overflow.
constexpr double kMostMargin = 1e6;

std::optional<Error> problem_with(const DetectorOptions& o) {
  if (!(o.margin >= 0.0 && o.margin <= kMostMargin)) {
    return Error{ErrorCode::kUsage, "the margin must be between 0 and 1e6 metres"};
  }
  if (!(o.tolerance > 0.0) || !(o.tolerance <= 1.0)) {
    return Error{ErrorCode::kUsage, "the tolerance must be above 0 and at most 1 step"};
  }
  if (o.backend == Backend::kCuda) {
    return Error{ErrorCode::kUnavailable,
                 "the cuda backend is not part of this version of Tocsin; use cpu, gl or auto"};
  }
  const auto sound = [](int pixels) { return pixels >= gl::kLeastTile && pixels <= gl::kMostTile; };
  if (!sound(o.gl.width) || !sound(o.gl.height)) {
    return Error{ErrorCode::kUsage, "a view of OpenGL must be 8 to 8192 pixels wide and high"};
  }
  if (!o.certify && o.backend == Backend::kCpu) {
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
                                                         std::move(gl), std::move(warnings));
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
  return core_->gl() != nullptr ? "gl" : core_->tree().backend();
}
std::string Detector::device_name() const {
  if (!core_) return "none";
  return core_->gl() != nullptr ? core_->gl()->device() : core_->tree().device();
}
std::string Detector::fallback() const { return core_ ? core_->fallback() : std::string(); }

StepReport Detector::check(const Avatar& avatar, const Step& step,
                           const ActivePairs& active) const {
  if (error_) return detail::report_of(step, error_);
  return core_->check_one(avatar, step, active);
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
  // More threads than cores were asked for: someone wants to see that the answer stays the same.
  std::optional<tbb::global_control> more;
  if (run.threads > tbb::this_task_arena::max_concurrency()) {
    more.emplace(tbb::global_control::max_allowed_parallelism,
                 static_cast<std::size_t>(run.threads));
  }
  tbb::task_arena arena(run.threads > 0 ? run.threads : tbb::task_arena::automatic);
  std::vector<StepReport> reports;
  std::size_t batch = core_->gl() != nullptr ? kFirstDeviceBatch : kFirstBatch;
  for (std::size_t begin = 0; begin < steps.size();) {
    const std::size_t count = std::min(batch, steps.size() - begin);
    const auto clock = std::chrono::steady_clock::now();
    reports.clear();
    reports.resize(count);
    arena.execute([&] {
      core_->check_all(avatar, steps.subspan(begin, count), run.active, run.stop, reports);
    });
    if (run.stop.stop_requested()) return {ErrorCode::kCancelled, "stopped before the last step"};
    for (const StepReport& report : reports) {
      if (report.error) return *report.error;
      if (!sink(report)) return {ErrorCode::kCancelled, "stopped by the receiver of the reports"};
    }
    begin += count;
    const std::size_t most = core_->uses_device() ? 4 * count : kLargestBatch;
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - clock;
    batch = static_cast<std::size_t>(
        std::clamp(static_cast<double>(count) * (kBatchTime / std::max(taken, kLeastTime)),
                   static_cast<double>(kLeastBatch), static_cast<double>(kLargestBatch)));
    batch = std::min(batch, most);
  }
  return Nothing{};
}

}  // namespace tocsin
