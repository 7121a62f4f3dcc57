// What comes in: events of a watch.
#include "view/watched/watched_story.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/motion/told_step.h"
#include "view/watched/session_clock.h"
#include "view/watched/watched_words.h"

namespace tocsin::view {
namespace {

constexpr std::size_t kMostMarks = 10'000;  // of a session

std::uint64_t frames_in(const std::vector<IdRange>& ranges) {
  std::uint64_t out = 0;
  for (const IdRange& range : ranges) out += range.last - range.first + 1;
  return out;
}

RoomKey key_of(const EnvironmentInfo& info) { return {info.name, info.revision}; }

}  // namespace

WatchedStory::WatchedStory(std::string server, const KeptLimits& limits)
    : server_(std::move(server)), limits_(limits) {}

void WatchedStory::connected() {
  connected_ = true;
  ++counts_.connections;
  ++changes_;
}

void WatchedStory::lost() {
  if (!connected_) return;
  connected_ = false;
  ++counts_.losses;
  ++changes_;
  for (auto& [key, session] : sessions_) {
    if (session.over || !session.last) continue;
    mark(session, MarkKind::kNoStream, {*session.last, *session.last},
         "the connection to the server was lost");
  }
}

void WatchedStory::forget_absent() {
  for (auto& [key, session] : sessions_) {
    if (session.over || session.told_in == counts_.connections) continue;
    over(session, "it was over when the connection was there again");
  }
  choose_room();
}

std::string WatchedStory::name_for(const WatchedSession& told) const {
  if (told.label.empty()) return told.session;
  for (const auto& [key, other] : sessions_) {
    if (key != told.session && other.told.label == told.label) {
      return fmt::format("{} ({})", told.label, told.session.substr(0, 6));
    }
  }
  return told.label;
}

void WatchedStory::session(const WatchedSession& told) {
  const auto [entry, is_new] = sessions_.try_emplace(told.session);
  Session& session = entry->second;
  const bool was_over = session.over;
  if (is_new) {
    session.index = next_index_++;
    session.name = name_for(told);
    ++counts_.sessions;
  }
  if (is_new || was_over) session.next_step.reset();
  session.told = told;
  session.room = key_of(told.environment);
  session.skeleton = std::make_shared<const Skeleton>(told.avatar.skeleton());
  session.over = false;
  session.cause.clear();
  session.told_in = counts_.connections;
  choose_room();
  ++changes_;
}

/// Stays with the room that is shown while a session runs in it.
void WatchedStory::choose_room() {
  std::erase_if(sessions_, [](const auto& entry) {
    const Session& session = entry.second;
    return session.over && session.steps.empty() && session.contacts.empty();
  });
  const Session* other = nullptr;
  for (const auto& [key, session] : sessions_) {
    if (session.over) continue;
    if (is_shown(session)) {
      count_running();
      return;
    }
    if (other == nullptr || session.index > other->index) other = &session;
  }
  if (other != nullptr) show(*other);
  count_running();
}

void WatchedStory::show(const Session& session) {
  shown_ = session.room;
  wanted_version_ = session.told.environment.version;
  wanted_from_ = newest_;
}

void WatchedStory::count_running() {
  counts_.running = counts_.elsewhere = 0;
  for (const auto& [key, session] : sessions_) {
    if (session.over) continue;
    ++(is_shown(session) ? counts_.running : counts_.elsewhere);
  }
}

void WatchedStory::stream(const WatchedStream& told) {
  const auto found = sessions_.find(told.session);
  if (found == sessions_.end()) return;
  Session& session = found->second;
  session.told.attached = told.attached;
  ++changes_;
  if (!told.attached && session.last) {
    mark(session, MarkKind::kNoStream, {*session.last, *session.last}, "has lost its stream");
  }
}

void WatchedStory::ended(const WatchedEnd& told) {
  const auto found = sessions_.find(told.session);
  if (found == sessions_.end()) return;
  over(found->second, told.cause);
  choose_room();
}

void WatchedStory::over(Session& session, std::string cause) {
  if (session.over) return;
  session.over = true;
  session.cause = std::move(cause);
  ++counts_.ended;
  ++changes_;
  if (session.last) {
    mark(session, MarkKind::kEnded, {*session.last, *session.last},
         session.cause.empty() ? "ended" : "ended: " + session.cause);
  }
}

void WatchedStory::mark(Session& session, MarkKind kind, const std::array<double, 2>& seconds,
                        std::string text) {
  session.marks.push_back({session.index, kind, seconds, std::move(text)});
  if (session.marks.size() > kMostMarks) session.marks.pop_front();
}

std::array<double, 2> WatchedStory::place(Session& session, const TrackReport& report, double now) {
  std::array<double, 2> own{report.from.capture_time, report.to.capture_time};
  std::optional<double>* offset = &session.offset;
  if (report.tick && session.told.meeting && session.told.meeting->rate > 0.0) {
    const double rate = session.told.meeting->rate;
    own = {static_cast<double>(report.tick->from) / rate,
           static_cast<double>(report.tick->to) / rate};
    offset = &meetings_[session.room.revision];
  }
  if (report.result.complete) {
    return place_step(own, now, newest_, {*offset, session.last});
  }
  std::optional<double> last = session.last;  // the whole step follows
  return place_step(own, now, newest_, {*offset, last});
}

void WatchedStory::step(const WatchedStep& told, double now) {
  const auto found = sessions_.find(told.session);
  if (found == sessions_.end() || !is_shown(found->second)) return;
  Session& session = found->second;
  const TrackReport& report = told.report;
  const std::int64_t number = report.result.step;
  const std::optional<double> before = session.last;
  const std::array<double, 2> seconds = place(session, report, now);
  if (session.next_step && number > *session.next_step && before) {
    mark(session, MarkKind::kMissed, {*before, seconds[0]},
         fmt::format("steps {} to {} did not come here", *session.next_step, number - 1));
  }
  if (report.result.complete) {
    ++counts_.steps;
    session.next_step = number + 1;
    add_step(session, told, seconds);
    add_marks(session, report, seconds);
    newest_ = std::max(newest_, seconds[1]);
  }
  add_contacts(session, report, seconds);
  see_room(session, report, seconds[0]);
  limit();
  ++changes_;
}

void WatchedStory::add_step(Session& session, const WatchedStep& told,
                            const std::array<double, 2>& seconds) {
  auto step = scene::told_step(session.skeleton, told.from_pose, told.to_pose,
                               {told.report.result.step, seconds, session.told.in_between});
  if (!step) {
    problem_ = fmt::format("{}: step {} cannot be drawn: {}", session.name, told.report.result.step,
                           step.error().message);
    return;
  }
  ++counts_.kept_steps;
  kept_bytes_ += kept_bytes_of(*step);
  session.steps.push_back(std::move(step).value());
}

void WatchedStory::add_contacts(Session& session, const TrackReport& report,
                                const std::array<double, 2>& seconds) {
  const StepReport& result = report.result;
  auto& contacts = session.contacts;
  // The complete report tells again what the parts have told.
  while (!contacts.empty() && contacts.back().part &&
         contacts.back().contact.told.step == result.step) {
    contacts.pop_back();
    --kept_contacts_;
    --counts_.contacts;
  }
  for (std::size_t i = 0; i < result.contacts.size() && i < report.names.size(); ++i) {
    const Contact& contact = result.contacts[i];
    const ContactNames& names = report.names[i];
    KeptContact& kept = contacts.emplace_back();
    kept.part = !result.complete;
    kept.contact.span = seconds;
    io::ToldContact& told = kept.contact.told;
    told.pair.avatar = session.index;
    told.pair.link = names.link;
    told.pair.object = names.object;
    if (const OtherLink* const other = contact.other()) {
      told.pair.other_link = names.other_link;
      told.pair.other_avatar = avatar_of(session, other->avatar);
      if (told.pair.other_avatar < 0) {  // of a session that this watcher may not see
        told.pair.object = other_text(names);
        told.pair.other_link.clear();
      }
    } else {
      told.triangle = contact.room()->triangle;
    }
    told.step = result.step;
    told.frames = result.frames;
    told.toc = contact.toc;
    for (std::size_t end = 0; end < 2; ++end) {
      told.seconds.at(end) = seconds[0] + contact.toc.at(end) * (seconds[1] - seconds[0]);
    }
    told.status = contact.status;
    told.point = contact.point;
    told.normal = contact.normal;
    told.depth = contact.depth;
    told.inside = contact.inside;
    told.limited = contact.limited;
    ++kept_contacts_;
    ++counts_.contacts;
  }
}

void WatchedStory::add_marks(Session& session, const TrackReport& report,
                             const std::array<double, 2>& seconds) {
  // A watcher that comes late was not there for what the first report has counted.
  if (!session.frames) {
    session.frames =
        report.result.step == 0
            ? FrameCounts{}
            : FrameCounts{report.stale_frames, report.duplicate_frames, report.bad_frames};
  }
  FrameCounts& seen = *session.frames;
  const auto grown = [](std::uint64_t& before, std::uint64_t is) {
    const std::uint64_t more = is > before ? is - before : 0;
    before = is;
    return more;
  };
  const std::uint64_t late = grown(seen.late, report.stale_frames);
  const std::uint64_t twice = grown(seen.duplicate, report.duplicate_frames);
  counts_.late += late;
  counts_.duplicate += twice;
  counts_.bad += grown(seen.bad, report.bad_frames);
  counts_.skipped += frames_in(report.skipped);
  const auto plural = [](std::uint64_t n) { return n == 1 ? "" : "s"; };
  if (late > 0) {
    mark(session, MarkKind::kLate, seconds, fmt::format("{} late frame{}", late, plural(late)));
  }
  if (twice > 0) {
    mark(session, MarkKind::kDuplicate, seconds,
         fmt::format("{} frame{} came twice", twice, plural(twice)));
  }
  if (!report.skipped.empty()) {
    mark(session, MarkKind::kSkipped, seconds, "skipped: frames " + frames_text(report.skipped));
  }
  if (!report.bad.empty()) {
    mark(session, MarkKind::kBad, seconds, "bad: frames " + frames_text(report.bad));
  }
}

std::int32_t WatchedStory::avatar_of(const Session& session, std::int32_t member) const {
  if (member == 0) return session.index;
  for (const auto& [key, other] : sessions_) {
    if (!other.over && other.room == session.room && other.told.meeting &&
        other.told.meeting->member == static_cast<std::uint32_t>(member)) {
      return other.index;
    }
  }
  return -1;
}

}  // namespace tocsin::view
