// What a Detector keeps between calls: the CPU, and a device that is asked first. The one place
// that picks a backend, and falls back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "detect/backends/cpu_backend.h"
#include "detect/backends/room_backend.h"
#include "detect/step/exact_step.h"
#include "tocsin/detector.h"

namespace tocsin::detail {

/// The fault of options that no backend accepts; none if they are valid.
std::optional<Error> problem_with_backend(const DetectorOptions& options);

/// How a device is asked, and why that one is.
struct Asking {
  std::size_t least_batch = 0;  ///< fewer steps at once the CPU answers
  std::string why = {};         ///< why this backend; empty: it was named
};

/// Immutable after construction and safe to share between threads.
class DetectorCore {
 public:
  using Made = Result<std::shared_ptr<const DetectorCore>>;

  /// `device`: null: the CPU answers. Throws std::bad_alloc only.
  DetectorCore(std::shared_ptr<const detect::ExactStep> exact,
               std::shared_ptr<const detect::DeviceBackend> device,
               std::vector<std::string> warnings, Asking asking = {});

  /// Builds the tree and opens the device that the options, or variables of the environment, ask
  /// for. Errors: the device's, where the CPU may not stand in for it. Throws std::bad_alloc.
  static Made open(const Environment& environment, const DetectorOptions& options);
  /// The same for moved vertices. Errors: kUsage: other triangles; as open().
  [[nodiscard]] Made with_environment(const Environment& environment) const;
  /// The same room with other options. Errors: as open().
  [[nodiscard]] Made with_options(const DetectorOptions& options) const;
  /// The same room and tree on the backend that the options name. Errors: as open().
  [[nodiscard]] Made with_backend(const DetectorOptions& options) const;

  /// Checks one step (Detector::check).
  [[nodiscard]] StepReport check_one(const Member& member, const Step& step) const;
  /// Checks steps with all that there is: threads of the current arena, and the device. reports[i]
  /// is that of steps[i]; some are left as they are if `stop` asks for it.
  void check_all(const Member& member, std::span<const Step> steps, const std::stop_token& stop,
                 std::span<StepReport> reports) const;

  /// True if the device answers so many steps, asked at once, or has failed and the CPU must not
  /// replace it.
  [[nodiscard]] bool asks_ahead(std::size_t steps) const;
  /// Asks the device only: reports[i] is that of questions[i], an error where the CPU may not stand
  /// in. Returns per instant, numbered from 0, 1 if the CPU has to be asked. Some reports are left
  /// as they are once `how.stop` asks for it.
  [[nodiscard]] std::vector<std::uint8_t> ask_ahead(std::span<const detect::Question> questions,
                                                    std::size_t instants,
                                                    const detect::QuestionOptions& how,
                                                    std::span<StepReport> reports) const;
  /// True if ask_ahead() tells contacts between avatars that meet; but not how near they come.
  [[nodiscard]] bool answers_meetings() const;

  /// How many steps to ask about at once.
  [[nodiscard]] detect::BatchSize batch_size() const;
  /// Of the backend that it was built with.
  [[nodiscard]] std::string backend_name() const { return backend().name(); }
  [[nodiscard]] std::string device_name() const { return backend().device(); }
  /// Why the CPU answers in place of the device, or empty.
  [[nodiscard]] std::string fallback() const;
  /// Why kAuto took this backend; empty: it was named.
  [[nodiscard]] const std::string& backend_reason() const { return asking_.why; }
  /// Null: the CPU answers.
  [[nodiscard]] const detect::DeviceBackend* device() const { return device_.get(); }
  [[nodiscard]] const detect::ExactStep& exact() const { return *exact_; }
  [[nodiscard]] const DetectorOptions& options() const { return exact_->options(); }
  [[nodiscard]] std::span<const std::string> warnings() const { return warnings_; }

 private:
  /// Opens the device that the options of `exact` ask for. Errors: as open().
  static Made on_backend(std::shared_ptr<const detect::ExactStep> exact,
                         std::vector<std::string> warnings);
  [[nodiscard]] const detect::RoomBackend& backend() const;
  /// True if the CPU may answer in place of a device: the contacts are the same, and
  /// OpenGL was not named.
  [[nodiscard]] bool may_fall_back() const;
  [[nodiscard]] StepReport check_on_cpu(const Member& member, const Step& step) const;
  /// The core of another room or question. `device`: what answers it first, null: none; if it is an
  /// error, the CPU answers where it may, and a warning that begins with `fallback` says so.
  [[nodiscard]] Made derived(std::shared_ptr<const detect::ExactStep> exact,
                             detect::DeviceBackend::Made device, std::string_view fallback) const;
  void answer(std::span<const detect::Question> questions, const std::stop_token& stop,
              std::span<StepReport> reports) const;

  std::shared_ptr<const detect::ExactStep> exact_;
  detect::CpuBackend cpu_;
  std::shared_ptr<const detect::DeviceBackend> device_;
  std::vector<std::string> warnings_;
  Asking asking_;
};

}  // namespace tocsin::detail
