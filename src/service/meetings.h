// The meetings of all rooms.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "service/meeting.h"

namespace tocsin::service {

/// One meeting for each room (each revision of it), made when first asked for and gone with the
/// last of its members. Thread-safe.
class Meetings {
 public:
  Meetings(double rate, const MeetingLimits& limits) : rate_(rate), limits_(limits) {}

  [[nodiscard]] double rate() const { return rate_; }
  std::shared_ptr<Meeting> of(const std::shared_ptr<const Room>& room);

  /// Hands out every meeting's tick by `submit`, which must have Meeting::tick(number) called, soon
  /// and by another thread; not of those whose tick before is not done, which is counted. False:
  /// there is no meeting.
  bool tick(const std::function<void(const std::shared_ptr<Meeting>&)>& submit);

  /// Gives up what all are checking, for good (Meeting::stop).
  void stop();

  /// Members of all, now.
  [[nodiscard]] std::size_t members() const;
  [[nodiscard]] MeetingCounts counts() const { return tally_->so_far(); }

 private:
  [[nodiscard]] std::vector<std::shared_ptr<Meeting>> all() const;

  const double rate_;
  const MeetingLimits limits_;
  const std::shared_ptr<MeetingTally> tally_ = std::make_shared<MeetingTally>();
  mutable std::mutex mutex_;
  bool stopped_ = false;
  /// Held by their members; a meeting holds its room, so that no other one comes to lie there.
  std::map<const Room*, std::weak_ptr<Meeting>> meetings_;
};

}  // namespace tocsin::service
