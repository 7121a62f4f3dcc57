// The CUDA backend: a room on a device that finds the contacts of whole batches of steps by itself.
// docs/cuda.md.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "detect/backends/room_backend.h"
#include "detect/step/exact_step.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/stages/batch_checker.h"

namespace tocsin::devices {

/// Callers wait for each other at the device. Once it has failed it is asked no more.
class CudaBackend final : public detect::DeviceBackend {
 public:
  /// Opens the device and takes the room there. A device that does not work, or is too small for
  /// the room, gives a backend that has failed. Errors: kUnavailable: there is no such device (the
  /// message names --emulate); kUsage: it is named in a way that makes no sense. Throws
  /// std::bad_alloc.
  static Made open(std::shared_ptr<const detect::ExactStep> exact);
  /// Both on the same device. One that has failed tries again.
  [[nodiscard]] Made with_environment(
      std::shared_ptr<const detect::ExactStep> exact) const override;
  [[nodiscard]] Made with_options(std::shared_ptr<const detect::ExactStep> exact) const override;

  [[nodiscard]] detect::Unanswered check(std::span<const detect::Question> questions,
                                         std::size_t instants, const detect::QuestionOptions& how,
                                         std::span<StepReport> reports) const override;

  [[nodiscard]] std::string name() const override { return "cuda"; }
  [[nodiscard]] std::string device() const override { return device_->name(); }
  [[nodiscard]] detect::Pace pace() const override { return detect::Pace::kDevice; }
  [[nodiscard]] bool answers_meetings() const override { return true; }
  [[nodiscard]] std::optional<Error> failure() const override;
  [[nodiscard]] std::string fallback() const override;

 private:
  using MadeChecker = Result<std::shared_ptr<cuda::BatchChecker>>;
  CudaBackend(std::shared_ptr<cuda::Device> device, std::shared_ptr<const detect::ExactStep> exact,
              MadeChecker checker);
  static Made with(std::shared_ptr<cuda::Device> device,
                   std::shared_ptr<const detect::ExactStep> exact, MadeChecker checker);
  static Made on(std::shared_ptr<cuda::Device> device,
                 std::shared_ptr<const detect::ExactStep> exact);

  /// cuda::BatchChecker::check. After an error of the device, which is remembered: answers below
  /// `done` are good. Throws std::bad_alloc.
  void ask(std::span<const cuda::BatchItem> items, const detect::QuestionOptions& how,
           std::span<cuda::BatchAnswer> answers, std::size_t& done) const;
  void note(std::span<const cuda::BatchAnswer> answers, const Status& checked) const;

  std::shared_ptr<cuda::Device> device_;
  std::shared_ptr<const detect::ExactStep> exact_;
  std::shared_ptr<cuda::BatchChecker> checker_;  ///< null: failed from the start
  mutable std::mutex mutex_;
  mutable std::optional<Error> failure_;
  mutable std::optional<Error> too_large_;  ///< of the first step that did not fit
  mutable std::size_t too_many_ = 0;        ///< steps that did not fit
};

}  // namespace tocsin::devices
