// What finds out what one session's steps touch.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "service/schedule/room_device.h"
#include "service/session/problem.h"
#include "service/session/step_parts.h"
#include "tocsin/stream.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Takes what a device has left for a step, and else checks it here on the CPU, for so long.
///
/// It belongs to whoever runs a step (SessionControl). Any thread may call watch() and give_up():
/// what these share with a check is atomic, and no lock is held.
class StepChecker {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// A step that takes longer than `most` is given up. `device`: of the session's batches; null:
  /// there are none.
  StepChecker(Stream stream, std::chrono::duration<double> most,
              std::shared_ptr<const RoomDevice> device);

  /// What the device has found of the step, else what check() finds. `device_seconds`: set if the
  /// device was it: how long its batch took.
  Result<StepReport> answer_to(const Step& step, double& device_seconds);
  Result<StepReport> check(const Step& step);
  /// Why a session ends that has a step that could not be checked.
  [[nodiscard]] Problem problem_of(const Error& error) const;

  /// A device's answer to the next step.
  void leave(BatchedAnswer answer) { answer_ = std::move(answer); }
  void drop_answer() { answer_.reset(); }
  /// Seconds: the next step's share of the batch that it was in; 0: it was in none.
  [[nodiscard]] double share() const { return answer_ ? answer_->share : 0.0; }
  /// In the first report after the device was given up.
  void say_fallback(TrackReport& report);

  /// Gives up the step that is being checked if it has taken too long.
  void watch(Time now);
  /// Gives up the step that is being checked, and all after it.
  void give_up() { give_up_.request_stop(); }

 private:
  const std::chrono::duration<double> most_;
  const std::shared_ptr<const RoomDevice> device_;
  Stream stream_;
  std::optional<BatchedAnswer> answer_;
  bool told_ = false;  ///< a report says that the device was given up

  std::stop_source give_up_;
  std::atomic<Time> since_{};  ///< the clock's epoch: nothing is being checked
};

}  // namespace tocsin::service
