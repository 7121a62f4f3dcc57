#include "app/serve/serve_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>

#include "app/cli/words.h"

namespace tocsin::app {
namespace {

/// Time between status lines. Shorter: they fill the log. Longer: a person has to wait for one.
constexpr std::chrono::seconds kStatusTime{10};
/// Time between checks for free memory to return, and for signals.
constexpr std::chrono::milliseconds kLookTime{1'000};

std::string counted(std::uint64_t number, std::string_view word) {
  return count_of(static_cast<std::int64_t>(number), word);
}

service::MeetingCounts since_then(service::MeetingCounts now, const service::MeetingCounts& then) {
  now.ticks -= then.ticks;
  now.passed_over -= then.passed_over;
  now.turns -= then.turns;
  now.contacts -= then.contacts;
  now.given_up -= then.given_up;
  return now;
}

service::BatchCounts since_then(service::BatchCounts now, const service::BatchCounts& then) {
  now.batches -= then.batches;
  now.steps -= then.steps;
  now.given_up -= then.given_up;
  return now;
}

}  // namespace

std::string counts_text(const service::EngineCounts& counts) {
  std::string out =
      fmt::format("{}, {}, {} skipped, {} stale", counted(counts.steps, "step"),
                  counted(counts.contacts, "contact"), counted(counts.skipped_frames, "frame"),
                  counted(counts.stale_frames, "frame"));
  if (counts.bad_frames > 0) out += fmt::format(", {} bad", counted(counts.bad_frames, "frame"));
  const service::BatchCounts& batches = counts.batches;
  if (batches.batches > 0) {
    out += fmt::format("; on the device: {} in {}", counted(batches.steps, "step"),
                       count_of(static_cast<std::int64_t>(batches.batches), "batch", "batches"));
    if (batches.given_up > 0) out += fmt::format(", {} of them given up", batches.given_up);
  }
  const service::MeetingCounts& meeting = counts.meeting;
  if (meeting.ticks == 0 && meeting.passed_over == 0) return out;
  out += fmt::format("; meetings: {}, {} passed over, {} between members",
                     counted(meeting.ticks, "tick"), meeting.passed_over,
                     counted(meeting.contacts, "contact"));
  if (meeting.given_up > 0) out += fmt::format(", {} given up", counted(meeting.given_up, "check"));
  return out;
}

void StatusLines::say(const service::EngineCounts& now, double seconds, const ServeLog& said) {
  const service::EngineCounts was = std::exchange(before_, now);
  const bool changed = now.sessions != was.sessions || now.attached != was.attached ||
                       now.opened != was.opened || now.steps != was.steps ||
                       now.skipped_frames != was.skipped_frames ||
                       now.stale_frames != was.stale_frames || now.bad_frames != was.bad_frames;
  if (!changed) return;
  service::EngineCounts since = now;
  since.steps -= was.steps;
  since.contacts -= was.contacts;
  since.skipped_frames -= was.skipped_frames;
  since.stale_frames -= was.stale_frames;
  since.bad_frames -= was.bad_frames;
  since.meeting = since_then(now.meeting, was.meeting);
  since.batches = since_then(now.batches, was.batches);
  said.note(fmt::format("{} ({} streaming), {} opened, {} expired; in {} s: {} ({} a second)",
                        counted(now.sessions, "session"), now.attached, now.opened - was.opened,
                        now.expired - was.expired, brief(seconds), counts_text(since),
                        brief(static_cast<double>(since.steps) / seconds)));
}

ServeWatch::ServeWatch(const ServeOptions& options, service::Engine& engine,
                       service::Server& server, service::Access& access, InterruptWatch& interrupt,
                       const ServeLog& said, std::function<void()> each_second)
    : options_(options),
      engine_(engine),
      server_(server),
      access_(access),
      interrupt_(interrupt),
      said_(said),
      each_second_(std::move(each_second)),
      lines_(engine.counts()) {}

void ServeWatch::until_signal() {
  const std::stop_token stop = interrupt_.token();
  std::mutex mutex;
  std::condition_variable_any asked;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    asked.wait_for(lock, stop, kLookTime, [] { return false; });
    if (!stop.stop_requested()) do_what_is_due();
  }
}

void ServeWatch::go_on_for(std::chrono::milliseconds time) {
  const Stopwatch watch;
  while (true) {
    const std::chrono::milliseconds left =
        time - std::chrono::milliseconds(static_cast<std::int64_t>(watch.milliseconds()));
    if (left.count() <= 0) return;
    std::this_thread::sleep_for(std::min(left, kLookTime));
    do_what_is_due();
  }
}

void ServeWatch::do_what_is_due() {
  heap_.trim();
  if (const int now = interrupt_.hangups(); now != hangups_) {
    hangups_ = now;
    reload();
  }
  said_.events()->flush();
  each_second_();
  const bool due =
      since_line_.milliseconds() >= kStatusTime / std::chrono::duration<double, std::milli>(1.0);
  if (options_.quiet || !due) return;
  lines_.say(engine_.counts(), since_line_.lap() / 1000.0, said_);
}

void ServeWatch::reload() {
  if (!options_.tokens.empty()) {
    const auto change = access_.reload(options_.tokens);
    if (change.ok()) {
      said_.note(fmt::format("tokens read again: {} ({} new, {} changed, {} gone)",
                             count_of(static_cast<std::int64_t>(change->tokens), "token"),
                             change->added, change->changed, change->gone));
    } else {
      said_.warn("the tokens of before stay: " + change.error().message);
    }
  }
  if (options_.server.certificate.empty()) return;
  if (const Status read = server_.reload_credentials(); !read) {
    said_.warn("the certificates of before stay: " + read.error().message);
  } else {
    said_.note("certificates read again, for connections from now on");
  }
}

}  // namespace tocsin::app
