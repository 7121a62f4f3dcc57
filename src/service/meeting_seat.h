// A session's place in its room's meeting.
#pragma once

#include <memory>
#include <utility>

#include "service/member_card.h"
#include "tocsin/track.h"

namespace tocsin::service {

class Meeting;
class Session;

/// Taken by Meeting::take_seat(), given up when it goes. Movable; not thread-safe.
class MeetingSeat {
 public:
  MeetingSeat() = default;
  MeetingSeat(std::shared_ptr<Meeting> meeting, std::shared_ptr<const MemberCard> card, double rate)
      : meeting_(std::move(meeting)), card_(std::move(card)), rate_(rate) {}
  MeetingSeat(MeetingSeat&& other) noexcept = default;
  MeetingSeat& operator=(MeetingSeat&& other) noexcept {
    std::swap(meeting_, other.meeting_);
    std::swap(card_, other.card_);
    std::swap(rate_, other.rate_);
    return *this;
  }
  MeetingSeat(const MeetingSeat&) = delete;
  MeetingSeat& operator=(const MeetingSeat&) = delete;
  ~MeetingSeat() { release(); }

  /// From now on ticks ask the session.
  void sit_down(const std::shared_ptr<Session>& session) const;
  void release();
  /// Of a seat that was taken.
  [[nodiscard]] MeetingInfo info() const;

 private:
  std::shared_ptr<Meeting> meeting_;  ///< null: none, or given up
  std::shared_ptr<const MemberCard> card_;
  double rate_ = 0.0;
};

}  // namespace tocsin::service
