#include "devices/cuda/cuda_backend.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <new>
#include <utility>
#include <vector>

#include "detect/backends/device_component.h"
#include "devices/cuda/cuda_batch.h"
#include "devices/cuda/cuda_devices.h"

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
  wanted.index = options.cuda.device;
  wanted.emulate = options.experiments.emulate;
  wanted.memory = options.cuda.memory;
  wanted.threads = tbb::this_task_arena::max_concurrency();
  auto device = cuda::Device::open(wanted);
  if (!device) {
    const ErrorCode code = device.error().code;
    return Error{code == ErrorCode::kUsage ? code : ErrorCode::kUnavailable,
                 device.error().message};
  }
  return on(std::move(device).value(), std::move(exact));
}

CudaBackend::CudaBackend(std::shared_ptr<cuda::Device> device,
                         std::shared_ptr<const detect::ExactStep> exact, MadeChecker checker)
    : device_(std::move(device)), exact_(std::move(exact)) {
  if (checker) {
    checker_ = std::move(checker).value();
  } else {
    failure_ = checker.error();
  }
}

CudaBackend::Made CudaBackend::with(std::shared_ptr<cuda::Device> device,
                                    std::shared_ptr<const detect::ExactStep> exact,
                                    MadeChecker checker) {
  return std::shared_ptr<const DeviceBackend>(
      new CudaBackend(std::move(device), std::move(exact), std::move(checker)));
}

CudaBackend::Made CudaBackend::on(std::shared_ptr<cuda::Device> device,
                                  std::shared_ptr<const detect::ExactStep> exact) {
  auto checker =
      cuda::BatchChecker::create(device, exact->environment(), checker_options(exact->options()));
  return with(std::move(device), std::move(exact), std::move(checker));
}

CudaBackend::Made CudaBackend::with_environment(
    std::shared_ptr<const detect::ExactStep> exact) const {
  if (failure()) return on(device_, std::move(exact));
  auto checker = checker_->with_environment(exact->environment());
  return with(device_, std::move(exact), std::move(checker));
}

CudaBackend::Made CudaBackend::with_options(std::shared_ptr<const detect::ExactStep> exact) const {
  if (failure()) return on(device_, std::move(exact));
  auto checker = checker_->with_options(checker_options(exact->options()));
  return with(device_, std::move(exact), std::move(checker));
}

detect::Unanswered CudaBackend::check(std::span<const detect::Question> questions,
                                      std::size_t instants, const detect::QuestionOptions& how,
                                      std::span<StepReport> reports) const {
  detect::Unanswered left{std::vector<std::uint8_t>(instants, 0), {}};
  try {
    CudaBatch batch(questions, how, reports);
    batch.prepare(exact_->environment());
    ask(batch.items(), how, batch.answers(), batch.done());
    batch.find_left(left.instants);
    batch.take_answers(exact_->options(), left.instants);
    batch.finish(*exact_, left.instants);
  } catch (const std::bad_alloc&) {  // the CPU asks for less at once
    left.instants.assign(instants, 1);
  }
  return left;
}

void CudaBackend::ask(std::span<const cuda::BatchItem> items, const detect::QuestionOptions& how,
                      std::span<cuda::BatchAnswer> answers, std::size_t& done) const {
  done = 0;
  if (failure()) return;
  // What the checker runs in parallel it waits for with the device in its hands: it must not take
  // up another of the caller's tasks meanwhile, which may want the device.
  Status checked = Nothing{};
  tbb::this_task_arena::isolate(
      [&] { checked = checker_->check(items, how.meet, how.stop, answers, done); });
  note(answers.first(done), checked);
}

void CudaBackend::note(std::span<const cuda::BatchAnswer> answers, const Status& checked) const {
  const std::lock_guard lock(mutex_);
  for (const cuda::BatchAnswer& answer : answers) {
    if (!answer.too_large) continue;
    ++too_many_;
    if (!too_large_) too_large_ = answer.too_large;
  }
  if (checked || checked.error().code == ErrorCode::kCancelled) return;
  if (!failure_) failure_ = checked.error();
}

std::optional<Error> CudaBackend::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::string CudaBackend::fallback() const {
  const std::lock_guard lock(mutex_);
  if (failure_) return failure_->message;
  if (!too_large_) return {};
  return fmt::format("the device has no memory for {} of the steps: {}", too_many_,
                     too_large_->message);
}

}  // namespace tocsin::devices

const tocsin::detect::DeviceComponent* tocsin_cuda_component() {
  static const tocsin::detect::DeviceComponent component{tocsin::devices::CudaBackend::open,
                                                         tocsin::devices::list_cuda_devices};
  return &component;
}
