#include "app/watch/watch_lines.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "app/cli/words.h"
#include "base/json_text.h"
#include "io/report/json_line.h"
#include "io/report/option_names.h"
#include "view/watched/watched_words.h"

namespace tocsin::app {
namespace {

using io::JsonLine;

std::string line_of(const std::string& session, std::string_view words) {
  return base::printable(fmt::format("{}  {}", session, words)) + "\n";
}

double seconds_at(const TrackReport& report, double t) {
  return t >= 1.0
             ? report.to.capture_time
             : report.from.capture_time + t * (report.to.capture_time - report.from.capture_time);
}

std::array<double, 2> seconds_of(const TrackReport& report, const Contact& contact) {
  return {seconds_at(report, contact.toc[0]), seconds_at(report, contact.toc[1])};
}

void put_stamp(JsonLine& json, std::string_view key, const FrameStamp& stamp) {
  json.key(key).open('{').key("id").value(stamp.id);
  json.key("capture_time").value(stamp.capture_time).close('}');
}

void put_ranges(JsonLine& json, std::string_view key, const std::vector<IdRange>& ranges) {
  json.key(key).open('[');
  for (const IdRange& range : ranges) {
    json.array(std::array<std::uint64_t, 2>{range.first, range.last});
  }
  json.close(']');
}

void put_contact(JsonLine& json, const TrackReport& report, const Contact& contact,
                 const ContactNames& names) {
  json.open('{').key("link").value(names.link);
  if (contact.room() != nullptr) {
    json.key("object").value(names.object).key("triangle");
    json.value(std::uint64_t{contact.room()->triangle});
  } else {
    json.key("other").open('{').key("link").value(names.other_link);
    json.key("label").value(names.other_label).close('}');
  }
  json.key("status").value(io::name_of(contact.status)).key("toc").array(contact.toc);
  json.key("seconds").array(seconds_of(report, contact));
  json.key("point").array(contact.point).close('}');
}

std::string json_of(const WatchedStep& step) {
  const TrackReport& report = step.report;
  std::string out;
  JsonLine json(out);
  json.open('{').key("event").value(std::string_view("step")).key("session").value(step.session);
  json.key("step").value(report.result.step);
  put_stamp(json, "from", report.from);
  put_stamp(json, "to", report.to);
  json.key("safe_until").value(report.result.safe_until);
  json.key("contacts").open('[');
  for (std::size_t i = 0; i < report.result.contacts.size() && i < report.names.size(); ++i) {
    put_contact(json, report, report.result.contacts[i], report.names[i]);
  }
  json.close(']');
  put_ranges(json, "skipped", report.skipped);
  put_ranges(json, "bad", report.bad);
  json.key("stale_frames").value(report.stale_frames);
  json.key("duplicate_frames").value(report.duplicate_frames);
  json.key("bad_frames").value(report.bad_frames);
  json.key("complete").value(report.result.complete);
  json.key("checked_until").value(report.result.checked_until);
  if (report.room) {
    json.key("room").array(std::array<std::uint64_t, 2>{report.room->from, report.room->to});
  }
  json.key("checked_us").value(report.timing.checked);
  json.close('}');
  return out + "\n";
}

std::string json_of(const WatchedSession& session) {
  std::string out;
  JsonLine json(out);
  json.open('{')
      .key("event")
      .value(std::string_view("session"))
      .key("session")
      .value(session.session);
  json.key("principal").value(session.principal).key("label").value(session.label);
  json.key("room").value(session.environment.name);
  json.key("revision").value(session.environment.revision);
  json.key("version").value(session.environment.version);
  json.key("backend").value(session.environment.backend);
  json.key("avatar").value(session.avatar.name());
  json.key("joints").value(session.avatar.skeleton().size()).key("links").open('[');
  for (const Link& link : session.avatar.links()) json.value(link.name);
  json.close(']').key("margin").value(session.margin);
  json.key("attached").value(session.attached).close('}');
  return out + "\n";
}

std::string json_of(const WatchedEnd& end) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("event").value(std::string_view("ended")).key("session").value(end.session);
  if (end.totals) {
    json.key("steps").value(end.totals->steps).key("contacts").value(end.totals->contacts);
    json.key("skipped_frames").value(end.totals->skipped_frames);
    json.key("stale_frames").value(end.totals->stale_frames);
    json.key("duplicate_frames").value(end.totals->duplicate_frames);
    json.key("bad_frames").value(end.totals->bad_frames);
  }
  json.key("reported").value(end.reported).key("cause").value(end.cause).close('}');
  return out + "\n";
}

void add_words(std::string& out, const std::string& words) {
  if (words.empty()) return;
  out += (out.empty() ? "" : "; ") + words;
}

std::string count_words(std::uint64_t before, std::uint64_t now, std::string_view what) {
  if (now <= before) return {};
  return count_of(static_cast<std::int64_t>(now - before), fmt::format("{} frame", what));
}

}  // namespace

std::string WatchLines::session(const WatchedSession& session) {
  counts_.erase(session.session);
  if (json_) return json_of(session);
  const std::string label = session.label.empty() ? "" : fmt::format(" \"{}\"", session.label);
  return line_of(
      session.session,
      fmt::format("{}{} in {}, checked by {}: {} of {}{}", session.principal, label,
                  session.environment.name, session.environment.backend,
                  count_of(static_cast<std::int64_t>(session.avatar.links().size()), "link"),
                  session.avatar.name(), session.attached ? "" : "; it has no stream"));
}

std::string WatchLines::words_of(const TrackReport& report,
                                 const std::optional<Counts>& before) const {
  std::string out;
  for (std::size_t i = 0; i < report.result.contacts.size() && i < report.names.size(); ++i) {
    const Contact& contact = report.result.contacts[i];
    add_words(
        out, fmt::format("{} {} {} ({})", moment(seconds_of(report, contact)), report.names[i].link,
                         view::other_text(report.names[i]), io::name_of(contact.status)));
  }
  if (!report.result.complete) {
    add_words(out, fmt::format("checked until {} of the step", report.result.checked_until));
  }
  if (!report.skipped.empty())
    add_words(out, "skipped: frames " + view::frames_text(report.skipped));
  if (!report.bad.empty()) add_words(out, "bad: frames " + view::frames_text(report.bad));
  if (before) {
    add_words(out, count_words(before->stale, report.stale_frames, "late"));
    add_words(out, count_words(before->duplicate, report.duplicate_frames, "duplicate"));
  } else if (report.stale_frames + report.duplicate_frames > 0) {
    add_words(out, fmt::format("until now {} late, {} duplicate", report.stale_frames,
                               report.duplicate_frames));
  }
  if (out.empty() && all_) out = "free";
  return out;
}

std::string WatchLines::step(const WatchedStep& step) {
  const TrackReport& report = step.report;
  const auto known = counts_.find(step.session);
  // Counts are of the whole session: those of its first step are of that step.
  const std::optional<Counts> before = known != counts_.end()    ? std::optional(known->second)
                                       : report.result.step == 0 ? std::optional(Counts{})
                                                                 : std::nullopt;
  counts_[step.session] = {report.stale_frames, report.duplicate_frames, report.bad_frames};
  const std::string words = words_of(report, before);
  if (words.empty()) return {};
  if (json_) return json_of(step);
  return line_of(step.session, fmt::format("frame {} at {} s: {}", report.to.id,
                                           fixed(report.to.capture_time, 3), words));
}

std::string WatchLines::stream(const WatchedStream& stream) const {
  if (!json_) {
    return line_of(stream.session, stream.attached ? "has a stream again" : "has lost its stream");
  }
  std::string out;
  JsonLine json(out);
  json.open('{')
      .key("event")
      .value(std::string_view("stream"))
      .key("session")
      .value(stream.session);
  json.key("attached").value(stream.attached).close('}');
  return out + "\n";
}

std::string WatchLines::ended(const WatchedEnd& end) {
  counts_.erase(end.session);
  if (json_) return json_of(end);
  std::string words = "ended";
  if (!end.cause.empty()) words += ": " + end.cause;
  if (!end.totals) return line_of(end.session, words + "; when was among what was missed");
  const TrackEnded& all = *end.totals;
  return line_of(
      end.session,
      fmt::format("{}; {}, {}, {} skipped, {} late, {} duplicate, {} bad", words,
                  count_of(static_cast<std::int64_t>(all.steps), "step"),
                  count_of(static_cast<std::int64_t>(all.contacts), "contact"), all.skipped_frames,
                  all.stale_frames, all.duplicate_frames, all.bad_frames));
}

std::string WatchLines::skipped(std::uint64_t events) const {
  if (!json_) {
    return fmt::format("{} missed: this end is too slow\n",
                       count_of(static_cast<std::int64_t>(events), "event"));
  }
  return fmt::format("{{\"event\":\"skipped\",\"events\":{}}}\n", events);
}

}  // namespace tocsin::app
