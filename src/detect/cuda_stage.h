// The CUDA half of a check: a room on a device that finds the contacts of whole batches of steps by
// itself. docs/cuda.md.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "gpu/cuda/batch_checker.h"
#include "gpu/cuda/device.h"
#include "tocsin/detector.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin::detect {

/// Immutable but for what it remembers of a failure; safe to share between threads, which wait for
/// each other at the device. Once it has failed the CPU has to be asked instead, which finds the
/// same contacts: that is no error.
class CudaStage {
 public:
  /// Opens the device and takes the room there. Errors: kUnavailable: there is no such device (the
  /// message names --emulate); kUsage: it is named in a way that makes no sense. Throws
  /// std::bad_alloc.
  static Result<std::shared_ptr<const CudaStage>> create(const Environment& environment,
                                                         const DetectorOptions& options);
  /// A room on a device that is open. One that does not work, or is too small for the room, gives a
  /// stage that has failed. Throws std::bad_alloc.
  static std::shared_ptr<const CudaStage> on(std::shared_ptr<cuda::Device> device,
                                             const Environment& environment,
                                             const DetectorOptions& options);
  /// The same room with other vertices, and `environment`, the room, asked with other margin and
  /// tolerance; both on the same device, and as on() says. One that has failed tries again.
  [[nodiscard]] std::shared_ptr<const CudaStage> moved(const Environment& environment) const;
  [[nodiscard]] std::shared_ptr<const CudaStage> asked(const Environment& environment,
                                                       const DetectorOptions& options) const;

  /// cuda::BatchChecker::check. After an error of the device: answers below `done` are good, and
  /// the stage has failed. Throws std::bad_alloc.
  Status check(std::span<const cuda::BatchItem> items, bool meet, const std::stop_token& stop,
               std::span<cuda::BatchAnswer> answers, std::size_t& done) const;

  [[nodiscard]] const std::string& device() const { return device_->name(); }

  /// Why the device is asked no more; none while it is.
  [[nodiscard]] std::optional<Error> failure() const;
  /// Why the CPU has answered in place of the device: always since then, or for single steps that
  /// the device has no memory for. Empty: it has not.
  [[nodiscard]] std::string fallback() const;

 private:
  using MadeChecker = Result<std::shared_ptr<cuda::BatchChecker>>;
  CudaStage(std::shared_ptr<cuda::Device> device, const DetectorOptions& options,
            MadeChecker checker);
  void note(std::span<const cuda::BatchAnswer> answers, const Status& checked) const;

  std::shared_ptr<cuda::Device> device_;
  DetectorOptions options_;
  std::shared_ptr<cuda::BatchChecker> checker_;  ///< null: failed from the start
  mutable std::mutex mutex_;
  mutable std::optional<Error> failure_;
  mutable std::optional<Error> too_large_;  ///< of the first step that did not fit
  mutable std::size_t too_many_ = 0;        ///< steps that did not fit
};

}  // namespace tocsin::detect
