// How a meeting's members are checked together, in a time that is bounded.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "service/meeting/meeting_limits.h"
#include "service/schedule/room_device.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::service {

/// Asks the room's device, where there is one that does it in time, and else the CPU.
///
/// check() is for one thread at a time; any thread may call watch(), stop() and stopped(). What
/// these share with a check is under a lock, which nobody holds while members are checked.
class MeetingCheck {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `device`: the room's; null: there is none.
  MeetingCheck(std::shared_ptr<RoomDevice> device, const MeetingLimits& limits);

  /// A report for each, in order. If it takes more than `allowed` seconds it is given up, and some
  /// reports have the error kCancelled (was_given_up()).
  std::vector<StepReport> check(std::span<const Member> members, std::span<const Step> steps,
                                double allowed);
  /// Seconds that a check is usually allowed: more than MeetingLimits::check_seconds after one that
  /// was given more time took longer, though nobody was to blame.
  [[nodiscard]] double allowed() const { return allowed_; }

  /// Gives up the check that takes too long.
  void watch(Time now);
  /// Gives up whatever is being checked, and all that would be.
  void stop();
  [[nodiscard]] bool stopped() const;

 private:
  std::vector<StepReport> ask(const Detector& detector, std::span<const Member> members,
                              std::span<const Step> steps, double allowed);
  /// Empty: ask the CPU.
  std::vector<StepReport> ask_device(std::span<const Member> members, std::span<const Step> steps,
                                     double allowed);

  const MeetingLimits limits_;
  const Detector detector_;  ///< of an empty room, on the CPU
  const std::shared_ptr<RoomDevice> room_device_;
  std::optional<Detector> device_;  ///< detector_ on the room's device
  double allowed_;
  std::uint64_t rest_ticks_ = 0;  ///< before the device is asked again

  mutable std::mutex mutex_;  ///< of these three
  bool stopped_ = false;
  std::optional<Time> until_;
  std::stop_source give_up_;
};

/// True if the check took too long.
bool was_given_up(std::span<const StepReport> reports);

}  // namespace tocsin::service
