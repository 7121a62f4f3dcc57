// A meeting: the sessions of one room that are checked against each other at ticks.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "service/meeting/meeting_check.h"
#include "service/meeting/meeting_limits.h"
#include "service/meeting/meeting_seat.h"
#include "service/meeting/turn.h"
#include "service/session/problem.h"
#include "tocsin/detector.h"

namespace tocsin::service {

struct Room;
class TurnTaker;

struct MeetingCounts {
  std::uint64_t ticks = 0;        ///< with at least one participant
  std::uint64_t passed_over = 0;  ///< because the tick before was not done
  std::uint64_t turns = 0;        ///< steps that were checked together
  std::uint64_t contacts = 0;     ///< between members, each counted once
  std::uint64_t given_up = 0;     ///< checks that took too long
};

/// Counters of meetings, which may share one. Thread-safe.
class MeetingTally {
 public:
  void add(const MeetingCounts& more);
  [[nodiscard]] MeetingCounts so_far() const;

 private:
  mutable std::mutex mutex_;
  MeetingCounts counts_;
};

/// At a tick every member moves to its newest frame, or stands still, all at the same local time.
/// All pairs of their links are checked together (Detector::check_batch, `meet`), with the default
/// tolerance, each radius grown by its session's margin. Each member's contacts go to its session,
/// which adds the contacts with the room and with itself, and reports.
///
/// Thread-safe; one tick at a time. Holds none of its members, and calls them without its lock.
class Meeting {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `rate`: ticks a second.
  Meeting(std::shared_ptr<const Room> room, double rate, const MeetingLimits& limits,
          std::shared_ptr<MeetingTally> tally = std::make_shared<MeetingTally>());

  /// Reserves a seat for an avatar with these links. `number`: unique, greater than 0. None: a
  /// limit was reached, which `problem` (kOverloaded) names.
  static std::optional<MeetingSeat> take_seat(const std::shared_ptr<Meeting>& meeting,
                                              std::uint32_t number, const std::string& label,
                                              std::span<const Link> links, Problem& problem);

  /// Runs a tick, by one thread at a time; numbers increase. Returns the number of participants.
  /// Without memory the tick does nothing, or its sessions end.
  std::size_t tick(std::uint64_t number);

  /// A member comes whose last tick, of another server, had this number: the first tick goes on
  /// from it. Later numbers must be greater.
  void go_on_from(std::uint64_t tick);
  /// For callers that submit ticks to other threads. False: the tick before is not done, and this
  /// one is counted as passed over. True: tick() must follow.
  bool begin_tick();
  /// Instead of tick(), if it could not be submitted.
  void skip_tick();
  /// Cancels the current check if it takes too long. tick() then finds out why.
  void watch(Time now) { check_.watch(now); }
  /// Cancels the current check and all later ones: the service closes.
  void stop() { check_.stop(); }
  /// Seconds that the next tick may take: a slowly decaying maximum over earlier ticks.
  [[nodiscard]] double expected_seconds() const { return expected_seconds_.load(); }

  [[nodiscard]] double tick_seconds() const { return 1.0 / rate_; }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] MeetingCounts counts() const { return tally_->so_far(); }

 private:
  friend class MeetingSeat;
  struct Seated {
    std::shared_ptr<const MemberCard> card;
    std::weak_ptr<TurnTaker> member;
  };
  /// The members with a step at this tick, in order of number; members_ has their avatars.
  struct Present {
    std::vector<std::shared_ptr<TurnTaker>> members;
    std::vector<std::shared_ptr<const MemberCard>> cards;
    std::vector<Step> steps;
  };

  void set_member(std::uint32_t number, const std::shared_ptr<TurnTaker>& member);
  void leave(std::uint32_t number);
  [[nodiscard]] std::vector<Seated> seated() const;
  [[nodiscard]] std::uint64_t tick_before(std::uint64_t number) const;
  void begin_turns(const TickNumbers& tick, Present& out);
  void end_turns(Present& present, std::vector<StepReport> reports);
  void list_members(const Present& present);
  /// All reports. Members that were too expensive are removed from `present`.
  std::vector<StepReport> check(Present& present);
  void remove_members(Present& present, std::span<const std::size_t> too_costly, double allowed);
  void remove_all(Present& present);

  const std::shared_ptr<const Room> room_;
  const double rate_;
  const MeetingLimits limits_;
  const std::shared_ptr<MeetingTally> tally_;

  mutable std::mutex mutex_;
  std::map<std::uint32_t, Seated> seats_;
  std::size_t links_ = 0;

  // Used by the thread that runs a tick.
  std::optional<std::uint64_t> last_tick_;
  std::vector<std::uint32_t> numbers_;  ///< of members_
  std::vector<Member> members_;
  MeetingCheck check_;

  std::atomic<std::uint64_t> went_before_{0};  ///< go_on_from(), the greatest
  std::atomic<bool> ticking_{false};
  std::atomic<double> expected_seconds_{0.0};
};

}  // namespace tocsin::service
