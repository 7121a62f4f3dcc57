#include "devices/gl/gl_backend.h"

#include <new>
#include <string_view>
#include <utility>
#include <vector>

#include "detect/backends/cpu_backend.h"
#include "detect/backends/device_component.h"
#include "detect/backends/device_options.h"
#include "devices/gl/image_search.h"
#include "gpu/gl/context/context.h"

namespace tocsin::devices {

// What the engine says of options is what this device means by them.
static_assert(gl::kLeastTile == detect::kLeastView && gl::kMostTile == detect::kMostView);
static_assert(std::string_view(gl::kDeviceVariable) == detect::kGlDeviceVariable);

GlBackend::Made GlBackend::open(std::shared_ptr<const detect::ExactStep> exact) {
  auto room = GlRoom::create(std::move(exact));
  if (!room) return room.error();
  return std::shared_ptr<const DeviceBackend>(
      std::make_shared<const GlBackend>(std::move(room).value()));
}

GlBackend::Made GlBackend::with_environment(std::shared_ptr<const detect::ExactStep> exact) const {
  if (std::optional<Error> failed = failure()) return *std::move(failed);
  auto room = room_->with_environment(std::move(exact));
  if (!room) return room.error();
  return std::shared_ptr<const DeviceBackend>(
      std::make_shared<const GlBackend>(std::move(room).value()));
}

detect::Unanswered GlBackend::check(std::span<const detect::Question> questions,
                                    std::size_t instants, const detect::QuestionOptions& how,
                                    std::span<StepReport> reports) const {
  std::optional<Error> why = failure();
  if (!why) {
    try {
      const Status checked = ask(questions, how, reports);
      if (checked || checked.error().code == ErrorCode::kCancelled) {
        return {std::vector<std::uint8_t>(instants, 0), {}};
      }
      why = checked.error();
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = why;
    } catch (const std::bad_alloc&) {  // no fault of the device: the next question may succeed
      why = Error{ErrorCode::kResource, "out of memory while checking steps"};
    }
  }
  return {std::vector<std::uint8_t>(instants, 1), std::move(why)};
}

Status GlBackend::ask(std::span<const detect::Question> questions,
                      const detect::QuestionOptions& how, std::span<StepReport> reports) const {
  if (!room_->options().experiments.certify) return estimate(questions, how.stop, reports);
  std::vector<detect::KeptClusters> kept;
  if (Status culled = room_->cull(questions, how.stop, kept); !culled) return culled;
  detect::check_steps(room_->exact(), questions, kept, how, reports);
  return Nothing{};
}

Status GlBackend::estimate(std::span<const detect::Question> questions, const std::stop_token& stop,
                           std::span<StepReport> reports) const {
  for (std::size_t i = 0; i < questions.size(); ++i) {
    reports[i] = detect::report_of(*questions[i].step, std::nullopt);
    reports[i].avatar = questions[i].avatar;
  }
  for (std::size_t i = 0; i < questions.size();) {
    const std::size_t count = GlRoom::round_of(questions.subspan(i), ImageSearch::kSlabsALink);
    Status searched =
        ImageSearch(*room_, questions.subspan(i, count), reports.subspan(i, count)).run(stop);
    if (!searched) return searched;
    i += count;
  }
  return Nothing{};
}

std::optional<Error> GlBackend::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::string GlBackend::fallback() const {
  const std::optional<Error> failed = failure();
  return failed ? failed->message : std::string();
}

}  // namespace tocsin::devices

const tocsin::detect::DeviceComponent* tocsin_gl_component() {
  static const tocsin::detect::DeviceComponent component{tocsin::devices::GlBackend::open,
                                                         tocsin::gl::list_gl_devices};
  return &component;
}
