#include "devices/cuda/cuda_backend.h"

#include <tbb/task_arena.h>

#include <new>

#include "detect/backends/device_component.h"
#include "devices/cuda/cuda_batch.h"
#include "devices/cuda/cuda_devices.h"
#include "gpu/cuda/device/device.h"

namespace tocsin::devices {

namespace {

cuda::CheckerOptions checker_options(const DetectorOptions& options) {
  cuda::CheckerOptions out;
  out.margin = options.margin;
  out.tolerance = options.tolerance;
  return out;
}

}  // namespace

CudaBackend::Made CudaBackend::open(std::shared_ptr<const detect::ExactStep> exact) {
  const DetectorOptions& options = exact->options();
  cuda::DeviceOptions wanted;
  wanted.emulate = options.experiments.emulate;
  wanted.memory = options.cuda.memory;
  wanted.threads = tbb::this_task_arena::max_concurrency();
  const auto devices = cuda::Device::open_all(wanted, options.cuda.devices);
  if (!devices) {
    const ErrorCode code = devices.error().code;
    return Error{code == ErrorCode::kUsage ? code : ErrorCode::kUnavailable,
                 devices.error().message};
  }
  return with(
      std::make_shared<DeviceGroup>(*devices, exact->environment(), checker_options(options)),
      exact);
}

CudaBackend::Made CudaBackend::with(std::shared_ptr<DeviceGroup> devices,
                                    std::shared_ptr<const detect::ExactStep> exact) {
  return std::shared_ptr<const DeviceBackend>(
      new CudaBackend(std::move(devices), std::move(exact)));
}

CudaBackend::Made CudaBackend::with_environment(
    std::shared_ptr<const detect::ExactStep> exact) const {
  return with(devices_->with_environment(exact->environment(), checker_options(exact->options())),
              exact);
}

CudaBackend::Made CudaBackend::with_options(std::shared_ptr<const detect::ExactStep> exact) const {
  return with(devices_->with_options(exact->environment(), checker_options(exact->options())),
              exact);
}

detect::Unanswered CudaBackend::check(std::span<const detect::Question> questions,
                                      std::size_t instants, const detect::QuestionOptions& how,
                                      std::span<StepReport> reports) const {
  detect::Unanswered left{std::vector<std::uint8_t>(instants, 0), {}};
  try {
    CudaBatch batch(questions, how, reports);
    batch.prepare(exact_->environment());
    devices_->check({batch.items(), how.meet, how.stop, batch.answers(), batch.answered()});
    batch.find_left(left.instants);
    batch.take_answers(exact_->options(), left.instants);
    batch.finish(*exact_, left.instants);
  } catch (const std::bad_alloc&) {  // the CPU asks for less at once
    left.instants.assign(instants, 1);
  }
  return left;
}

std::string CudaBackend::fallback() const { return devices_->fallback(); }

}  // namespace tocsin::devices

const tocsin::detect::DeviceComponent* tocsin_cuda_component() {
  static const tocsin::detect::DeviceComponent component{tocsin::devices::CudaBackend::open,
                                                         tocsin::devices::list_cuda_devices};
  return &component;
}
