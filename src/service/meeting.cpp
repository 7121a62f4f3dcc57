#include "service/meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "service/meeting_cost.h"
#include "service/met_contacts.h"
#include "service/session.h"
#include "service/times.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

/// How much longer than the longest of late a check may take that nobody was to blame for.
constexpr double kPatience = 2.0;

/// The room is each session's own affair: here is nothing but the members.
Detector nothing() {
  DetectorOptions options;
  options.backend = Backend::kCpu;
  return Detector(Environment(), options);
}

std::optional<Detector> nothing_on(const std::shared_ptr<RoomDevice>& device) {
  if (!device || !device->works()) return std::nullopt;
  Detector out(Environment(), device->options());
  if (out.error()) return std::nullopt;
  return out;
}

Problem too_many(const char* what, std::size_t most) {
  return {Refusal::kOverloaded,
          fmt::format("the sessions that meet in this room have {} {} already, as many as may be",
                      most, what)};
}

bool all_checked(std::span<const StepReport> reports) {
  return std::none_of(reports.begin(), reports.end(),
                      [](const StepReport& report) { return report.error.has_value(); });
}

bool was_given_up(std::span<const StepReport> reports) {
  return std::any_of(reports.begin(), reports.end(), [](const StepReport& report) {
    return report.error && report.error->code == ErrorCode::kCancelled;
  });
}

Met ended(Problem problem) {
  Met out;
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

void MeetingSeat::sit_down(const std::shared_ptr<Session>& session) const {
  meeting_->sit_down(card_->number, session);
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
      detector_(nothing()),
      tally_(std::move(tally)),
      allowed_seconds_(limits.check_seconds),
      device_(nothing_on(room_->device)) {}

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

void Meeting::sit_down(std::uint32_t number, const std::shared_ptr<Session>& session) {
  const std::lock_guard lock(mutex_);
  seats_.at(number).session = session;
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

std::size_t Meeting::tick(std::uint64_t number) {
  const Time start = Clock::now();
  MeetingCounts done;
  Present present;
  try {
    begin_turns({last_tick_.value_or(number), number}, present);
    if (!present.sessions.empty()) {
      seat_members(present);
      std::vector<StepReport> reports = check(present);
      done.turns = present.sessions.size();
      for (const StepReport& report : reports) done.contacts += report.contacts.size();
      end_turns(present, std::move(reports));
    }
  } catch (const std::bad_alloc&) {
    for (const auto& session : present.sessions) {
      session->end_turn(ended(out_of_memory()));
    }
  }
  learn(std::chrono::duration<double>(Clock::now() - start).count());
  done.ticks = done.turns > 0 ? 1 : 0;
  tally_->add(done);
  ticking_ = false;
  return done.turns;
}

/// Whoever has his first pose takes no part yet.
void Meeting::begin_turns(const TickNumbers& tick, Present& out) {
  const std::vector<Seated> all = seated();
  out.sessions.reserve(all.size());
  out.cards.reserve(all.size());
  out.steps.reserve(all.size());
  for (const Seated& seat : all) {
    const std::shared_ptr<Session> session = seat.session.lock();
    if (!session) continue;
    Step step;
    const TurnKind kind = session->begin_turn(tick, step);
    if (kind == TurnKind::kAway) continue;
    last_tick_ = tick.now;
    if (kind == TurnKind::kBegins) {
      session->end_turn({});
      continue;
    }
    out.sessions.push_back(session);
    out.cards.push_back(seat.card);
    out.steps.push_back(std::move(step));
  }
}

void Meeting::end_turns(Present& present, std::vector<StepReport> reports) {
  std::vector<Met> met = told_to_each(members_, present.steps, present.cards, std::move(reports));
  for (std::size_t i = met.size(); i-- > 0;) {
    present.sessions[i]->end_turn(std::move(met[i]));
    present.sessions.pop_back();
  }
}

/// Mostly they are those of the tick before.
void Meeting::seat_members(const Present& present) {
  const auto same = [](const auto& card, std::uint32_t number) { return card->number == number; };
  if (std::equal(present.cards.begin(), present.cards.end(), numbers_.begin(), numbers_.end(),
                 same)) {
    return;
  }
  numbers_.clear();
  members_.clear();
  for (std::size_t i = 0; i < present.sessions.size(); ++i) {
    members_.push_back({present.sessions[i]->thick()});
    numbers_.push_back(present.cards[i]->number);
  }
}

std::vector<StepReport> Meeting::ask(const Detector& detector, const Present& present,
                                     double allowed) {
  const Time start = Clock::now();
  BatchOptions options{.meet = true, .threads = 1};
  {
    const std::lock_guard lock(check_mutex_);
    give_up_ = std::stop_source();
    check_until_ =
        start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(allowed));
    options.stop = give_up_.get_token();
    if (stopped_ || !(allowed > 0.0)) give_up_.request_stop();
  }
  std::vector<StepReport> reports = detector.check_batch(members_, present.steps, options);
  const std::lock_guard lock(check_mutex_);
  check_until_.reset();
  return reports;
}

/// Nobody is to blame for what a device cannot do: the CPU is asked then, with its own time.
std::vector<StepReport> Meeting::ask_device(const Present& present, double allowed) {
  if (!device_ || !room_->device->works()) return {};
  if (rest_ticks_ > 0) {
    --rest_ticks_;
    return {};
  }
  std::vector<StepReport> reports = ask(*device_, present, allowed);
  room_->device->look(*device_);
  if (all_checked(reports)) return reports;
  rest_ticks_ = limits_.rest_ticks;
  return {};
}

std::vector<StepReport> Meeting::check_once(const Present& present, double allowed) {
  if (std::vector<StepReport> found = ask_device(present, allowed); !found.empty()) return found;
  const Time start = Clock::now();
  std::vector<StepReport> reports = ask(detector_, present, allowed);
  const double taken = std::chrono::duration<double>(Clock::now() - start).count();
  if (allowed > allowed_seconds_ && !was_given_up(reports)) {
    allowed_seconds_ = std::clamp(kPatience * taken, limits_.check_seconds,
                                  std::max(limits_.check_seconds, limits_.most_check_seconds));
  }
  return reports;
}

void Meeting::watch(Time now) {
  const std::lock_guard lock(check_mutex_);
  if (check_until_ && now > *check_until_) give_up_.request_stop();
}

void Meeting::stop() {
  const std::lock_guard lock(check_mutex_);
  stopped_ = true;
  give_up_.request_stop();
}

std::vector<StepReport> Meeting::check(Present& present) {
  double allowed = allowed_seconds_;
  bool again = false;    // nobody was to blame
  std::size_t most = 1;  // that end then
  while (!present.sessions.empty()) {
    std::vector<StepReport> reports = check_once(present, allowed);
    if (!was_given_up(reports)) return reports;
    {
      const std::lock_guard lock(check_mutex_);
      if (stopped_) break;
    }
    tally_->add({.given_up = 1});
    std::vector<std::size_t> culprits = most_costly(members_, present.steps, limits_.blamed_joints);
    if (culprits.empty() && !again) {
      // The machine is slow, or the meeting large.
      again = true;
      allowed = std::max(allowed, limits_.most_check_seconds);
      continue;
    }
    if (culprits.empty()) {
      culprits = costliest(members_, present.steps, most);
      most *= 2;
    }
    send_away(present, culprits, allowed);
  }
  send_away_all(present);
  return {};
}

void Meeting::send_away(Present& present, std::span<const std::size_t> culprits, double allowed) {
  for (auto i = culprits.rbegin(); i != culprits.rend(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(*i);
    present.sessions[*i]->end_turn(ended(
        {Refusal::kOverloaded,
         fmt::format("a tick of the meeting took more than {} s: the avatar has too many or too "
                     "thick links, or too many joints, for those around it, or moves too far at "
                     "once",
                     allowed)}));
    present.sessions.erase(present.sessions.begin() + at);
    present.cards.erase(present.cards.begin() + at);
    present.steps.erase(present.steps.begin() + at);
  }
  seat_members(present);
}

/// Where the service closes.
void Meeting::send_away_all(Present& present) {
  while (!present.sessions.empty()) {
    present.sessions.back()->end_turn(ended({Refusal::kClosing, "the server is shutting down"}));
    present.sessions.pop_back();
  }
  present.cards.clear();
  present.steps.clear();
  seat_members(present);
}

void Meeting::learn(double seconds) {
  expected_seconds_ = std::max(seconds, kFading * expected_seconds_);
}

}  // namespace tocsin::service
