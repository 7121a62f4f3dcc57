// The meetings of all rooms.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "service/meeting/meeting.h"

namespace tocsin::service {

/// One meeting for each room (each revision of it) and circle of principals, made on first use and
/// destroyed with the last of its members. Thread-safe.
class Meetings {
 public:
  Meetings(double rate, const MeetingLimits& limits) : rate_(rate), limits_(limits) {}

  [[nodiscard]] double rate() const { return rate_; }
  /// `circle`: Principal::circle(). Others are not met.
  std::shared_ptr<Meeting> of(const std::shared_ptr<const Room>& room, const std::string& circle);

  /// Calls `submit` for every meeting. `submit` must get Meeting::tick(number) called, soon and by
  /// another thread. Meetings whose tick before is not done are left out and counted. False: there
  /// is no meeting.
  bool tick(const std::function<void(const std::shared_ptr<Meeting>&)>& submit);

  /// Gives up all present and later checks (Meeting::stop).
  void stop();

  /// Present number of members of all meetings.
  [[nodiscard]] std::size_t members() const;
  [[nodiscard]] MeetingCounts counts() const { return tally_->so_far(); }

 private:
  [[nodiscard]] std::vector<std::shared_ptr<Meeting>> all() const;

  const double rate_;
  const MeetingLimits limits_;
  const std::shared_ptr<MeetingTally> tally_ = std::make_shared<MeetingTally>();
  mutable std::mutex mutex_;
  bool stopped_ = false;
  /// Owned by their members. A meeting owns its room, so that no other room gets the same address.
  std::map<std::pair<const Room*, std::string>, std::weak_ptr<Meeting>> meetings_;
};

}  // namespace tocsin::service
