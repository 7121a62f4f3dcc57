// Which backend a detector gets: options, variables of the environment, and what there is.
#include <cstdlib>
#include <utility>

#include "cpu/tree/make_tree_culler.h"
#include "detect/backends/detector_core.h"
#include "detect/backends/device_component.h"
#include "detect/backends/device_options.h"
#include "detect/cache/tree_cache.h"
#include "detect/choice/choose_device.h"

namespace tocsin::detail {

namespace {

using detect::DeviceBackend;

/// A device is named, here or for the whole process: then "auto" means that one.
bool names_device(const DetectorOptions& o) {
  const char* const named = std::getenv(detect::kGlDeviceVariable);
  return o.gl.device || (named != nullptr && *named != '\0');
}

/// True if what is fastest decides.
bool is_open_choice(const DetectorOptions& o) {
  return o.backend == Backend::kAuto && o.experiments.certify && !names_device(o);
}

/// The device that is asked first, where there is no open choice; kCpu: none.
Backend device_of(const DetectorOptions& o) {
  return o.backend == Backend::kAuto ? Backend::kGl : o.backend;
}

DeviceBackend::Made open_device(Backend backend, std::shared_ptr<const detect::ExactStep> exact) {
  const detect::DeviceComponent* const component = detect::find_component(backend);
  if (component == nullptr) return detect::not_linked(backend);
  return component->open(std::move(exact));
}

}  // namespace

std::optional<Error> problem_with_backend(const DetectorOptions& o) {
  const auto sound = [](int pixels) {
    return pixels >= detect::kLeastView && pixels <= detect::kMostView;
  };
  if (!sound(o.gl.width) || !sound(o.gl.height)) {
    return Error{ErrorCode::kUsage, "a view of OpenGL must be 8 to 8192 pixels wide and high"};
  }
  if (!o.experiments.certify && (o.backend == Backend::kCpu || o.backend == Backend::kCuda)) {
    return Error{ErrorCode::kUsage,
                 "an answer without certify is one of image space: it needs the gl backend"};
  }
  if (!o.experiments.certify && o.clearance) {
    return Error{ErrorCode::kUsage, "clearances are proved: they cannot be had without certify"};
  }
  if (o.experiments.surface == GlSurface::kPaper && o.gl.method == GlMethod::kQuery) {
    return Error{ErrorCode::kUsage,
                 "the paper's surface is looked at from six directions: by flags, not by queries"};
  }
  if (o.experiments.certify && o.experiments.surface == GlSurface::kPaper) {
    return Error{ErrorCode::kUsage,
                 "the paper's surface misses contacts: it can only be looked at without certify"};
  }
  return std::nullopt;
}

DetectorCore::Made DetectorCore::open(const Environment& environment,
                                      const DetectorOptions& options) {
  std::vector<std::string> warnings;
  auto exact = std::make_shared<const detect::ExactStep>(
      environment, options,
      cpu::make_tree_culler(detect::load_or_build(options.tree_cache, environment, {}, warnings)));
  return on_backend(std::move(exact), std::move(warnings));
}

DetectorCore::Made DetectorCore::with_backend(const DetectorOptions& options) const {
  return on_backend(std::make_shared<const detect::ExactStep>(exact_->environment(), options,
                                                              exact_->shared_tree()),
                    {});
}

DetectorCore::Made DetectorCore::on_backend(std::shared_ptr<const detect::ExactStep> exact,
                                            std::vector<std::string> warnings) {
  const DetectorOptions& options = exact->options();
  std::shared_ptr<const DeviceBackend> device;
  Asking asking;
  if (is_open_choice(options)) {
    auto choice = detect::choose_device(exact);
    if (!choice) return choice.error();
    device = std::move(choice->device);
    asking = {choice->least_batch, std::move(choice->why)};
    warnings.insert(warnings.end(), choice->warnings.begin(), choice->warnings.end());
  } else if (const Backend wanted = device_of(options); wanted != Backend::kCpu) {
    auto opened = open_device(wanted, exact);
    if (opened) {
      device = std::move(opened).value();
    } else if (options.backend != Backend::kAuto || !options.experiments.certify ||
               opened.error().code == ErrorCode::kUsage) {
      // A name of a device that makes no sense is the user's to mend, whatever the backend.
      return opened.error();
    } else {
      warnings.push_back("the CPU checks, as the OpenGL device that was named does not work: " +
                         opened.error().message);
    }
  }
  using Core = std::shared_ptr<const DetectorCore>;
  return Core(std::make_shared<const DetectorCore>(std::move(exact), std::move(device),
                                                   std::move(warnings), std::move(asking)));
}

}  // namespace tocsin::detail
