#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/check/distance/frame_distances.h"
#include "app/check/take_words.h"
#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "app/send/send_report.h"

namespace tocsin::app {
namespace {

std::int64_t signed_count(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::string milliseconds(double microseconds) { return fixed(microseconds / 1e3, 3); }

std::string server_lines(const SendReport& report) {
  const TrackOpened& opened = report.outcome.opened;
  const EnvironmentInfo& room = opened.environment;
  std::string out =
      fact("Server", fmt::format("{}: Tocsin {}, {} ({})", report.options.connection.target,
                                 opened.version, opened.backend, opened.device));
  out += fact("Room",
              fmt::format("{}: {}, {}", room.name, count_of(signed_count(room.objects), "object"),
                          count_of(signed_count(room.triangles), "triangle")));
  const auto links = static_cast<std::int64_t>(opened.links.size());
  std::string avatar = fmt::format("{}, {}", opened.avatar, count_of(links, "link"));
  if (const double factor = report.radius_factor(); factor != 1.0) {
    avatar += fmt::format(", radii times {}", brief(factor));
  }
  return out + fact("Avatar", avatar);
}

std::string take_line(const SendReport& report) {
  const Motion& motion = report.plan.playback.motion();
  return fact("Take",
              fmt::format("{}: {} at {} Hz, {}", report.options.check.takes.front().motion,
                          count_of(motion.frame_count(), "frame"), brief(1.0 / motion.frame_time()),
                          count_of(motion.skeleton().size(), "joint")));
}

/// Which frames are sent, and how far they are apart in the take; empty: all of them.
std::string range_line(const SendReport& report) {
  const Playback& playback = report.plan.playback;
  if (playback.whole()) return {};
  const FrameRange& range = playback.range();
  std::string out =
      fmt::format("{}: {}", frames_text(range), count_of(signed_count(playback.once()), "frame"));
  if (const auto apart = report.seconds_apart()) {
    const std::string least = brief((*apart)[0]);
    const std::string most = brief((*apart)[1]);
    out += least == most ? fmt::format(", {} s apart in the take", most)
                         : fmt::format(", {} to {} s apart in the take", least, most);
  }
  return fact("Frames", out);
}

std::string sent_lines(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  const double rate = report.wanted_rate();
  const std::string pace = rate > 0.0 ? fmt::format("at {} Hz", brief(rate)) : "without a pace";
  std::string out =
      fact("Sent",
           fmt::format("{} in {} s: {} {} over {}", count_of(signed_count(o.frames.sent), "frame"),
                       fixed(o.seconds, 2), count_of(signed_count(o.sessions), "session"), pace,
                       count_of(o.connections, "connection")));
  out += fact(
      "", fmt::format("{} lost, {} overtaken, {} sent twice", grouped(signed_count(o.frames.lost)),
                      grouped(signed_count(o.frames.overtaken)),
                      grouped(signed_count(o.frames.again))));
  if (o.frames.unsent > 0) {
    out += fact("", fmt::format("{} not sent: the stream was down or took no more",
                                count_of(signed_count(o.frames.unsent), "frame")));
  }
  if (o.frames.resumed > 0) {
    out += fact("", fmt::format("streams resumed {} times; {} sent again",
                                grouped(signed_count(o.frames.resumed)),
                                count_of(signed_count(o.sent_again), "report")));
  }
  return out;
}

std::string covered_lines(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  const double wanted = report.wanted_rate() * static_cast<double>(o.sessions);
  std::string rate = fmt::format("{} a second", grouped(std::llround(report.steps_per_second())));
  if (wanted > 0.0) {
    rate += fmt::format(" of {} wanted", grouped(std::llround(wanted)));
  }
  std::string out =
      fact("Covered", fmt::format("{}, {}", count_of(signed_count(o.steps), "step"), rate));
  out += fact("", fmt::format("{} skipped, {} stale, {} twice: frames at the server",
                              grouped(signed_count(o.skipped_frames)),
                              grouped(signed_count(o.stale_frames)),
                              grouped(signed_count(o.duplicate_frames))));
  if (o.bad_frames > 0) {
    out += fact("", fmt::format("{} bad, and passed over. The first: {}",
                                grouped(signed_count(o.bad_frames)), o.first_bad_frame));
  }
  if (o.held > 0) {
    out += fact("", fmt::format("{} of these frames missing, and held",
                                count_of(signed_count(o.held), "joint")));
  }
  return out;
}

/// What a server that shut down said of the sessions that no other went on with.
std::string closed_lines(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  if (!o.closed) return {};
  std::string last = "no frame";
  if (o.closed->to) {
    last = fmt::format("up to frame {}{}", o.closed->to->id,
                       o.closing > 1 ? " in the first session" : "");
  }
  return fact("Closed", fmt::format("the server shut down: it had covered {}, {}; {} unchecked",
                                    count_of(signed_count(o.closed->steps), "step"), last,
                                    count_of(signed_count(o.closed->unchecked_frames), "frame")));
}

/// What a lookahead foresaw of what then began.
std::string ahead_lines(const SendReport& report) {
  const double lookahead = report.plan.track.lookahead;
  if (!(lookahead > 0.0)) return {};
  const SendForesight& seen = report.outcome.foresight;
  std::string out =
      fact("Ahead", fmt::format("{} s: {} of {} that began {} foreseen{}", brief(lookahead),
                                grouped(signed_count(seen.foreseen())),
                                count_of(signed_count(seen.begun()), "contact"),
                                seen.foreseen() == 1 ? "was" : "were",
                                report.outcome.sessions > 1 ? ", in the first session" : ""));
  if (const auto lead = seen.lead()) {
    out += fact("", fmt::format("half of these {} s before, or earlier", fixed(*lead, 3)));
  }
  return out;
}

std::string contact_lines(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  std::string out = fact("Contacts", fmt::format("{} ({} hit, {} graze, {} overlap)",
                                                 grouped(o.tally.contacts), grouped(o.tally.hit),
                                                 grouped(o.tally.graze), grouped(o.tally.overlap)));
  if (o.opened.meeting) {
    out += fact(
        "", fmt::format("{} with other sessions, at {} ticks a second",
                        grouped(static_cast<std::int64_t>(o.met)), brief(o.opened.meeting->rate)));
  }
  const std::string of = o.sessions == 1 ? ""
                         : o.all_equal   ? fmt::format(", equal in all {} sessions", o.sessions)
                                         : ", of the first session; not all are equal";
  out += fact("", fmt::format("{}{}", count_of(signed_count(o.episodes), "episode"), of));
  if (!o.first_contact.empty()) out += fact("First", o.first_contact);
  out += ahead_lines(report);
  return out + fact("Hash", o.hash);
}

void add_times(TextTable& table, std::string_view name, const SendHistogram& times) {
  std::vector<std::string> cells{std::string(name)};
  for (const double share : {0.5, 0.9, 0.99, 0.999}) {
    cells.push_back(milliseconds(times.percentile(share)));
  }
  cells.push_back(milliseconds(times.most()));
  table.add(std::move(cells));
}

std::string clearance_rows(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  if (o.clearances.empty()) return {};
  std::string out = render_clearances(o.opened.links, o.clearances);
  if (o.sessions > 1) out += "Clearances are those of the first session.\n";
  return out + '\n';
}

std::string distance_rows(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  const double within = report.plan.track.nearest;
  if (!(within > 0.0) || o.steps == 0) return {};
  std::vector<DistanceRow> rows;
  for (const SentDistance& one : o.distances) {
    rows.push_back({one.metres, one.frame, one.seconds, o.link_name(one.link), one.object});
  }
  std::string out = render_distances(rows, within, "frame", "--out has them");
  if (o.more_distances > 0) {
    out += fmt::format("{} left out: a report tells {}.\n",
                       count_of(signed_count(o.more_distances), "distance"),
                       grouped(signed_count(report.plan.track.most_distances)));
  }
  if (o.sessions > 1) out += "Distances are those of the first session.\n";
  return out + '\n';
}

std::string time_rows(const SendReport& report) {
  TextTable table({{"Milliseconds", Align::kLeft},
                   {"p50", Align::kRight},
                   {"p90", Align::kRight},
                   {"p99", Align::kRight},
                   {"p99.9", Align::kRight},
                   {"most", Align::kRight}});
  add_times(table, "from sending to report", report.times.round_trip);
  add_times(table, "of these at the server", report.times.total);
  add_times(table, "  waiting", report.times.waited);
  add_times(table, "  being checked", report.times.checked);
  if (report.plan.playback.paced()) {
    add_times(table, "sent behind schedule", report.times.sent_late);
  }
  return table.text();
}

std::string result_sentence(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  if (o.gaps > 0) {
    return fmt::format("{}. The first: {}.\n", count_of(signed_count(o.gaps), "GAP"), o.first_gap);
  }
  if (o.steps == 0) return "Nothing was covered.\n";
  if (o.ended == o.sessions) return "No gap: every report begins where the one before ended.\n";
  const std::int64_t astray = signed_count(o.sessions - o.ended);
  return fmt::format(
      "No gap between reports, but {} of {} did not end as {} should: nothing covers what came "
      "after {} last report.\n",
      grouped(astray), count_of(signed_count(o.sessions), "session"), astray == 1 ? "it" : "they",
      astray == 1 ? "its" : "their");
}

}  // namespace

double SendReport::wanted_rate() const {
  const double period = plan.playback.period();
  return plan.playback.paced() && period > 0.0 ? 1.0 / period : 0.0;
}

std::optional<std::array<double, 2>> SendReport::seconds_apart() const {
  const Playback& playback = plan.playback;
  std::optional<std::array<double, 2>> out;
  for (std::uint64_t k = 1; k < playback.once(); ++k) {
    const double apart = playback.motion().seconds(playback.frame_at(k)) -
                         playback.motion().seconds(playback.frame_at(k - 1));
    out = out ? std::array{std::min((*out)[0], apart), std::max((*out)[1], apart)}
              : std::array{apart, apart};
  }
  return out;
}

double SendReport::radius_factor() const {
  return plan.bound_factor.value_or(outcome.opened.radius_factor);
}

double SendReport::steps_per_second() const {
  return outcome.seconds > 0.0 ? static_cast<double>(outcome.steps) / outcome.seconds : 0.0;
}

double SendReport::cpu_percent() const {
  return outcome.seconds > 0.0 ? 100.0 * outcome.cpu_seconds / outcome.seconds : 0.0;
}

bool SendReport::too_slow() const {
  return plan.playback.paced() && times.sent_late.percentile(0.99) > plan.playback.period() * 1e6;
}

std::string render_send_table(const SendReport& report) {
  std::string out = server_lines(report) + take_line(report) + range_line(report) +
                    sent_lines(report) + covered_lines(report) + closed_lines(report) +
                    contact_lines(report);
  out += fact("Client",
              fmt::format("{} s of CPU, {} % of a core", fixed(report.outcome.cpu_seconds, 2),
                          fixed(report.cpu_percent(), 0)));
  out += '\n' + clearance_rows(report) + distance_rows(report) + time_rows(report) + '\n';
  return out + result_sentence(report);
}

}  // namespace tocsin::app
