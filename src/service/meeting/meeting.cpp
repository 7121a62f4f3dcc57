#include "service/meeting/meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "service/meeting/meeting_contacts.h"
#include "service/meeting/meeting_cost.h"
#include "service/meeting/turn_taker.h"
#include "service/rooms/room.h"
#include "service/schedule/times.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

Problem too_many(const char* what, std::size_t most) {
  return {Refusal::kOverloaded,
          fmt::format("the sessions that meet in this room have {} {} already, as many as may be",
                      most, what)};
}

TickResult ended(Problem problem) {
  TickResult out;
  out.problem = std::move(problem);
  return out;
}

}  // namespace

void MeetingTally::add(const MeetingCounts& more) {
  const std::lock_guard lock(mutex_);
  counts_.ticks += more.ticks;
  counts_.passed_over += more.passed_over;
  counts_.turns += more.turns;
  counts_.contacts += more.contacts;
  counts_.given_up += more.given_up;
}

MeetingCounts MeetingTally::so_far() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

// ---- Seats ----

void MeetingSeat::set_member(const std::shared_ptr<TurnTaker>& member) const {
  meeting_->set_member(card_->number, member);
}

void MeetingSeat::release() {
  if (meeting_) std::exchange(meeting_, nullptr)->leave(card_->number);
}

MeetingInfo MeetingSeat::info() const { return {rate_, card_->number}; }

Meeting::Meeting(std::shared_ptr<const Room> room, double rate, const MeetingLimits& limits,
                 std::shared_ptr<MeetingTally> tally)
    : room_(std::move(room)),
      rate_(rate),
      limits_(limits),
      tally_(std::move(tally)),
      check_(*room_, limits) {}

std::optional<MeetingSeat> Meeting::take_seat(const std::shared_ptr<Meeting>& meeting,
                                              std::uint32_t number, const std::string& label,
                                              std::span<const Link> links, Problem& problem) {
  auto card = std::make_shared<MemberCard>();
  card->number = number;
  card->label = label;
  for (const Link& link : links) card->links.push_back(link.name);
  const std::lock_guard lock(meeting->mutex_);
  if (meeting->seats_.size() >= meeting->limits_.members) {
    problem = too_many("members", meeting->limits_.members);
    return std::nullopt;
  }
  if (meeting->links_ + links.size() > meeting->limits_.links) {
    problem = too_many("links", meeting->limits_.links);
    return std::nullopt;
  }
  meeting->seats_.emplace(number, Seated{card, {}});
  meeting->links_ += links.size();
  return MeetingSeat(meeting, std::move(card), meeting->rate_);
}

void Meeting::set_member(std::uint32_t number, const std::shared_ptr<TurnTaker>& member) {
  const std::lock_guard lock(mutex_);
  seats_.at(number).member = member;
}

void Meeting::leave(std::uint32_t number) {
  const std::lock_guard lock(mutex_);
  const auto seat = seats_.find(number);
  links_ -= seat->second.card->links.size();
  seats_.erase(seat);
}

std::vector<Meeting::Seated> Meeting::seated() const {
  std::vector<Seated> out;
  const std::lock_guard lock(mutex_);
  out.reserve(seats_.size());
  for (const auto& [number, seat] : seats_) out.push_back(seat);
  return out;
}

std::size_t Meeting::size() const {
  const std::lock_guard lock(mutex_);
  return seats_.size();
}

// ---- Ticks ----

bool Meeting::begin_tick() {
  if (!ticking_.exchange(true)) return true;
  tally_->add({.passed_over = 1});
  return false;
}

void Meeting::skip_tick() {
  tally_->add({.passed_over = 1});
  ticking_ = false;
}

void Meeting::go_on_from(std::uint64_t tick) {
  std::uint64_t known = went_before_;
  while (known < tick && !went_before_.compare_exchange_weak(known, tick)) {
  }
}

/// Without one before, a meeting begins; or it is one that goes on.
std::uint64_t Meeting::tick_before(std::uint64_t number) const {
  if (last_tick_) return *last_tick_;
  const std::uint64_t past = went_before_;
  return past > 0 && past < number ? past : number;
}

std::size_t Meeting::tick(std::uint64_t number) {
  const Time start = Clock::now();
  MeetingCounts done;
  Present present;
  try {
    begin_turns({tick_before(number), number}, present);
    if (!present.members.empty()) {
      list_members(present);
      std::vector<StepReport> reports = check(present);
      done.turns = present.members.size();
      for (const StepReport& report : reports) done.contacts += report.contacts.size();
      end_turns(present, std::move(reports));
    }
  } catch (const std::bad_alloc&) {
    for (const auto& member : present.members) {
      member->end_turn(ended(out_of_memory()));
    }
  }
  const std::chrono::duration<double> taken = Clock::now() - start;
  expected_seconds_ = std::max(taken.count(), kFading * expected_seconds_);
  done.ticks = done.turns > 0 ? 1 : 0;
  tally_->add(done);
  ticking_ = false;
  return done.turns;
}

/// A member with its first pose takes no part yet.
void Meeting::begin_turns(const TickNumbers& tick, Present& out) {
  const std::vector<Seated> all = seated();
  // All go to one version of the room.
  std::unique_lock<std::mutex> one_version;
  if (room_->scene) one_version = room_->scene->hold();
  out.members.reserve(all.size());
  out.cards.reserve(all.size());
  out.steps.reserve(all.size());
  for (const Seated& seat : all) {
    const std::shared_ptr<TurnTaker> member = seat.member.lock();
    if (!member) continue;
    Step step;
    const TurnKind kind = member->begin_turn(tick, step);
    if (kind == TurnKind::kAway) continue;
    last_tick_ = tick.now;
    if (kind == TurnKind::kBegins) {
      member->end_turn({});
      continue;
    }
    out.members.push_back(member);
    out.cards.push_back(seat.card);
    out.steps.push_back(std::move(step));
  }
}

void Meeting::end_turns(Present& present, std::vector<StepReport> reports) {
  std::vector<TickResult> results =
      contacts_of_each(members_, present.steps, present.cards, std::move(reports));
  for (std::size_t i = results.size(); i-- > 0;) {
    present.members[i]->end_turn(std::move(results[i]));
    present.members.pop_back();
  }
}

/// Mostly the members are those of the tick before.
void Meeting::list_members(const Present& present) {
  const auto same = [](const auto& card, std::uint32_t number) { return card->number == number; };
  if (std::equal(present.cards.begin(), present.cards.end(), numbers_.begin(), numbers_.end(),
                 same)) {
    return;
  }
  numbers_.clear();
  members_.clear();
  for (std::size_t i = 0; i < present.members.size(); ++i) {
    members_.push_back({present.members[i]->thick()});
    numbers_.push_back(present.cards[i]->number);
  }
}

std::vector<StepReport> Meeting::check(Present& present) {
  double allowed = check_.allowed();
  bool again = false;    // no member was too expensive
  std::size_t most = 1;  // members that end then
  while (!present.members.empty()) {
    std::vector<StepReport> reports = check_.check(members_, present.steps, allowed);
    if (!was_given_up(reports)) return reports;
    if (check_.stopped()) break;
    tally_->add({.given_up = 1});
    std::vector<std::size_t> too_costly =
        most_costly(members_, present.steps, limits_.too_costly_joints);
    if (too_costly.empty() && !again) {
      // The machine may be slow, or the meeting large.
      again = true;
      allowed = std::max(allowed, limits_.most_check_seconds);
      continue;
    }
    if (too_costly.empty()) {
      too_costly = costliest(members_, present.steps, most);
      most *= 2;
    }
    remove_members(present, too_costly, allowed);
  }
  remove_all(present);
  return {};
}

void Meeting::remove_members(Present& present, std::span<const std::size_t> too_costly,
                             double allowed) {
  for (auto i = too_costly.rbegin(); i != too_costly.rend(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(*i);
    present.members[*i]->end_turn(ended(
        {Refusal::kOverloaded,
         fmt::format("a tick of the meeting took more than {} s: the avatar has too many or too "
                     "thick links, or too many joints, for those around it, or moves too far at "
                     "once",
                     allowed)}));
    present.members.erase(present.members.begin() + at);
    present.cards.erase(present.cards.begin() + at);
    present.steps.erase(present.steps.begin() + at);
  }
  list_members(present);
}

/// The service closes.
void Meeting::remove_all(Present& present) {
  while (!present.members.empty()) {
    present.members.back()->end_turn(ended({Refusal::kClosing, "the server is shutting down"}));
    present.members.pop_back();
  }
  present.cards.clear();
  present.steps.clear();
  list_members(present);
}

}  // namespace tocsin::service
