// The CUDA backend: a room on devices that find the contacts of whole batches of steps by
// themselves.
// docs/cuda.md.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "detect/backends/room_backend.h"
#include "detect/step/exact_step.h"
#include "devices/cuda/device_group.h"

namespace tocsin::devices {

/// Callers wait for each other at each device. One that has failed is asked no more.
class CudaBackend final : public detect::DeviceBackend {
 public:
  /// Opens the devices and takes the room to each. If none works, or is large enough for the room,
  /// the backend has failed. Errors: kUnavailable: there is no such device (the message names
  /// --emulate); kUsage: they are named in a way that makes no sense. Throws std::bad_alloc.
  static Made open(std::shared_ptr<const detect::ExactStep> exact);
  /// Both on the same devices. Those that have failed try again.
  [[nodiscard]] Made with_environment(
      std::shared_ptr<const detect::ExactStep> exact) const override;
  [[nodiscard]] Made with_options(std::shared_ptr<const detect::ExactStep> exact) const override;

  [[nodiscard]] detect::Unanswered check(std::span<const detect::Question> questions,
                                         std::size_t instants, const detect::QuestionOptions& how,
                                         std::span<StepReport> reports) const override;

  [[nodiscard]] std::string name() const override { return "cuda"; }
  [[nodiscard]] std::string device() const override { return devices_->name(); }
  [[nodiscard]] detect::Pace pace() const override { return detect::Pace::kDevice; }
  [[nodiscard]] bool answers_meetings() const override { return true; }
  [[nodiscard]] std::optional<Error> failure() const override { return devices_->failure(); }
  [[nodiscard]] std::string fallback() const override;

 private:
  CudaBackend(std::shared_ptr<DeviceGroup> devices, std::shared_ptr<const detect::ExactStep> exact)
      : devices_(std::move(devices)), exact_(std::move(exact)) {}
  static Made with(std::shared_ptr<DeviceGroup> devices,
                   std::shared_ptr<const detect::ExactStep> exact);

  std::shared_ptr<DeviceGroup> devices_;
  std::shared_ptr<const detect::ExactStep> exact_;
};

}  // namespace tocsin::devices
