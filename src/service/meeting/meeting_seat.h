// A session's place in its room's meeting.
#pragma once

#include <memory>
#include <utility>

#include "service/meeting/member_card.h"
#include "tocsin/track.h"

namespace tocsin::service {

class Meeting;
class TurnTaker;

/// Made by Meeting::take_seat(); its destruction frees the seat. Movable; not thread-safe.
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

  /// From now on ticks ask this member.
  void set_member(const std::shared_ptr<TurnTaker>& member) const;
  void release();
  /// Precondition: the seat was taken.
  [[nodiscard]] MeetingInfo info() const;

 private:
  std::shared_ptr<Meeting> meeting_;  ///< null: no seat, or released
  std::shared_ptr<const MemberCard> card_;
  double rate_ = 0.0;
};

}  // namespace tocsin::service
