#include "detect/cuda_stage.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <utility>

namespace tocsin::detect {

namespace {

cuda::CheckerOptions checker_options(const DetectorOptions& options) {
  cuda::CheckerOptions out;
  out.margin = options.margin;
  out.tolerance = options.tolerance;
  return out;
}

}  // namespace

Result<std::shared_ptr<const CudaStage>> CudaStage::create(const Environment& environment,
                                                           const DetectorOptions& options) {
  cuda::DeviceOptions wanted;
  wanted.index = options.cuda.device;
  wanted.emulate = options.cuda.emulate;
  wanted.memory = options.cuda.memory;
  auto device = cuda::Device::open(wanted);
  if (!device) {
    const ErrorCode code = device.error().code;
    return Error{code == ErrorCode::kUsage ? code : ErrorCode::kUnavailable,
                 device.error().message};
  }
  return on(std::move(device).value(), environment, options);
}

CudaStage::CudaStage(std::shared_ptr<cuda::Device> device, const DetectorOptions& options,
                     MadeChecker checker)
    : device_(std::move(device)), options_(options) {
  if (!checker) failure_ = checker.error();
  checker_ = std::move(checker).value();
}

std::shared_ptr<const CudaStage> CudaStage::on(std::shared_ptr<cuda::Device> device,
                                               const Environment& environment,
                                               const DetectorOptions& options) {
  auto checker = cuda::BatchChecker::create(device, environment, checker_options(options));
  return std::shared_ptr<const CudaStage>(
      new CudaStage(std::move(device), options, std::move(checker)));
}

std::shared_ptr<const CudaStage> CudaStage::moved(const Environment& environment) const {
  if (failure()) return on(device_, environment, options_);
  return std::shared_ptr<const CudaStage>(
      new CudaStage(device_, options_, checker_->moved(environment)));
}

std::shared_ptr<const CudaStage> CudaStage::asked(const Environment& environment,
                                                  const DetectorOptions& options) const {
  if (failure()) return on(device_, environment, options);
  return std::shared_ptr<const CudaStage>(
      new CudaStage(device_, options, checker_->asked(checker_options(options))));
}

Status CudaStage::check(std::span<const cuda::BatchItem> items, bool meet,
                        const std::stop_token& stop, std::span<cuda::BatchAnswer> answers,
                        std::size_t& done) const {
  done = 0;
  if (const std::optional<Error> failed = failure()) return *failed;
  // What the checker runs in parallel it waits for with the device in its hands: it must not take
  // up another of the caller's tasks meanwhile, which may want the device.
  Status checked = Nothing{};
  tbb::this_task_arena::isolate(
      [&] { checked = checker_->check(items, meet, stop, answers, done); });
  note(answers.first(done), checked);
  return checked;
}

void CudaStage::note(std::span<const cuda::BatchAnswer> answers, const Status& checked) const {
  const std::lock_guard lock(mutex_);
  for (const cuda::BatchAnswer& answer : answers) {
    if (!answer.too_large) continue;
    ++too_many_;
    if (!too_large_) too_large_ = answer.too_large;
  }
  if (checked || checked.error().code == ErrorCode::kCancelled) return;
  if (!failure_) failure_ = checked.error();
}

std::optional<Error> CudaStage::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::string CudaStage::fallback() const {
  const std::lock_guard lock(mutex_);
  if (failure_) return failure_->message;
  if (!too_large_) return {};
  return fmt::format("the device has no memory for {} of the steps: {}", too_many_,
                     too_large_->message);
}

}  // namespace tocsin::detect
