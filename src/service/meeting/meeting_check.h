// Checks the members of a meeting together, in bounded time.
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

struct Room;

/// Asks the room's device, if there is one that answers in time, and else a detector like each
/// session's own.
///
/// One thread at a time may call check(). Any thread may call watch(), stop() and stopped(). A lock
/// guards what they share with a check. It is not held while members are checked.
class MeetingCheck {
 public:
  using Time = std::chrono::steady_clock::time_point;

  MeetingCheck(const Room& room, const MeetingLimits& limits);

  /// Returns a report for each member, in order. A check that takes more than `allowed` seconds is
  /// cancelled. Then some reports have the error kCancelled (was_given_up()).
  std::vector<StepReport> check(std::span<const Member> members, std::span<const Step> steps,
                                double allowed);
  /// Seconds that a check may usually take. It is MeetingLimits::check_seconds, or more after a
  /// check with more time took longer although no member was too costly.
  [[nodiscard]] double allowed() const { return allowed_; }

  /// Cancels the current check if it takes too long.
  void watch(Time now);
  /// Cancels the current check and all later ones.
  void stop();
  [[nodiscard]] bool stopped() const;

 private:
  std::vector<StepReport> ask(const Detector& detector, std::span<const Member> members,
                              std::span<const Step> steps, double allowed);
  /// Empty: the device has no answer.
  std::vector<StepReport> ask_device(std::span<const Member> members, std::span<const Step> steps,
                                     double allowed);

  const MeetingLimits limits_;
  const Detector detector_;  ///< of an empty room
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
