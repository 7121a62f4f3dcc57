// The sessions of one room that see each other, and the ticks at which they do.
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
#include <stop_token>
#include <string>
#include <vector>

#include "service/meeting_seat.h"
#include "service/problem.h"
#include "service/turn.h"
#include "tocsin/detector.h"

namespace tocsin::service {

struct Room;
class Session;

/// docs/service.md, "Meeting others", says why these.
struct MeetingLimits {
  std::size_t members = 256;
  /// Of all members together: with SessionSetup::kMostMeetingLinks a report has no more contacts
  /// with others than SessionSetup::kMostPairs.
  std::size_t links = 4096;
  /// Seconds. A tick whose check takes longer is given up, and begun again without those who are to
  /// blame: they end. 0: every one is. Smaller: a machine that stalls is looked at more often, in
  /// vain; larger: a hostile member holds up the others for so long once.
  double check_seconds = 0.05;
  /// Seconds. Where nobody is to blame the check is begun again, once, and may take so long; after
  /// that the costliest member ends, then the two costliest, then four, until it can be done.
  /// Smaller: who is honest ends when the machine stalls; larger: many who are each a little costly
  /// hold up the others for so long.
  double most_check_seconds = 0.5;
  /// What a member bears (meeting_cost.h) with one other from which on it may be to blame: some
  /// 0.02 s of work. Two bodies of 60 links with all fingers, chains of 20 joints, that stand in
  /// one another have less.
  std::uint64_t blamed_joints = std::uint64_t{1} << 16U;
  /// Ticks that the CPU has to itself after the room's device took longer than a check may.
  /// Smaller: a device that is too slow for the meeting holds it up more often; larger: one that
  /// was slow once is asked again later.
  std::uint64_t rest_ticks = 1000;
};

struct MeetingCounts {
  std::uint64_t ticks = 0;        ///< at which anybody took part
  std::uint64_t passed_over = 0;  ///< the tick before was not done
  std::uint64_t turns = 0;        ///< steps that were checked together
  std::uint64_t contacts = 0;     ///< between members, each counted once
  std::uint64_t given_up = 0;     ///< checks that took too long
};

/// Counts what meetings do; they may share one. Thread-safe.
class MeetingTally {
 public:
  void add(const MeetingCounts& more);
  [[nodiscard]] MeetingCounts so_far() const;

 private:
  mutable std::mutex mutex_;
  MeetingCounts counts_;
};

/// At a tick every member that can goes on to its newest frame, or stands still, all at the same
/// local time; all pairs of their links are checked together (Detector::check_batch, `meet`), with
/// the tolerance that is the default, each radius grown by its session's margin. What each member
/// meets goes to its session, which adds the room and the avatar itself, and reports.
///
/// Thread-safe; one tick at a time. Holds none of its sessions, and calls them without its lock.
class Meeting {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// `rate`: ticks a second.
  Meeting(std::shared_ptr<const Room> room, double rate, const MeetingLimits& limits,
          std::shared_ptr<MeetingTally> tally = std::make_shared<MeetingTally>());

  /// A place for an avatar with these links. `number`: not given before; greater than 0. None:
  /// `problem` (kOverloaded) says which limit.
  static std::optional<MeetingSeat> take_seat(const std::shared_ptr<Meeting>& meeting,
                                              std::uint32_t number, const std::string& label,
                                              std::span<const Link> links, Problem& problem);

  /// A tick, by one thread at a time; numbers increase. Returns how many took part. Without memory
  /// nothing happens at it, or the sessions that it was for end.
  std::size_t tick(std::uint64_t number);

  /// For who has ticks run by others. False: the one before is not done, and this is counted; else
  /// it counts as begun, and tick() must follow.
  bool begin_tick();
  /// In place of tick(): nobody could be had to run it.
  void skip_tick();
  /// Gives up the check that takes too long, so that it can be seen why.
  void watch(Time now);
  /// Gives up whatever is being checked, and all that would be: the service closes.
  void stop();
  /// How long the next tick may take, seconds: a maximum over those before that fades slowly.
  [[nodiscard]] double expected_seconds() const { return expected_seconds_.load(); }

  [[nodiscard]] const std::shared_ptr<const Room>& room() const { return room_; }
  [[nodiscard]] double rate() const { return rate_; }
  [[nodiscard]] double tick_seconds() const { return 1.0 / rate_; }
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] MeetingCounts counts() const { return tally_->so_far(); }

 private:
  friend class MeetingSeat;
  struct Seated {
    std::shared_ptr<const MemberCard> card;
    std::weak_ptr<Session> session;
  };
  /// Those that have a step at this tick, in order of number; members_ has their avatars.
  struct Present {
    std::vector<std::shared_ptr<Session>> sessions;
    std::vector<std::shared_ptr<const MemberCard>> cards;
    std::vector<Step> steps;
  };

  void sit_down(std::uint32_t number, const std::shared_ptr<Session>& session);
  void leave(std::uint32_t number);
  [[nodiscard]] std::vector<Seated> seated() const;
  void begin_turns(const TickNumbers& tick, Present& out);
  void end_turns(Present& present, std::vector<StepReport> reports);
  void seat_members(const Present& present);
  /// All reports; members that are to blame for too much work have left `present`.
  std::vector<StepReport> check(Present& present);
  /// Remembers how long it took if it was given more time than usual, and done.
  std::vector<StepReport> check_once(const Present& present, double allowed);
  std::vector<StepReport> ask(const Detector& detector, const Present& present, double allowed);
  /// The room's device, if it does it in time; empty: ask the CPU.
  std::vector<StepReport> ask_device(const Present& present, double allowed);
  void send_away(Present& present, std::span<const std::size_t> culprits, double allowed);
  void send_away_all(Present& present);
  void learn(double seconds);

  const std::shared_ptr<const Room> room_;
  const double rate_;
  const MeetingLimits limits_;
  const Detector detector_;  ///< of a room without anything; the CPU's
  const std::shared_ptr<MeetingTally> tally_;

  mutable std::mutex mutex_;
  std::map<std::uint32_t, Seated> seats_;
  std::size_t links_ = 0;

  // Whoever runs a tick.
  std::optional<std::uint64_t> last_tick_;
  std::vector<std::uint32_t> numbers_;  ///< of members_
  std::vector<Member> members_;
  double allowed_seconds_;
  std::optional<Detector> device_;  ///< detector_ on the room's device, if it has one
  std::uint64_t rest_ticks_ = 0;    ///< before it is asked again

  std::atomic<bool> ticking_{false};
  std::atomic<double> expected_seconds_{0.0};
  std::mutex check_mutex_;  ///< of these three
  bool stopped_ = false;
  std::optional<Time> check_until_;
  std::stop_source give_up_;
};

}  // namespace tocsin::service
