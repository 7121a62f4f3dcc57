#include "service/log/event_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/json_text.h"

namespace tocsin::service {
namespace {

constexpr const char* kOthers = "(others)";

void append_field(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out += fmt::format(",\"{}\":", name);
  base::append_json(out, value);
}

}  // namespace

std::string json_line(const LogEvent& event, std::chrono::system_clock::time_point now) {
  using std::chrono::milliseconds;
  const auto whole = std::chrono::floor<std::chrono::seconds>(now);
  const auto rest = std::chrono::floor<milliseconds>(now - whole).count();
  std::string out = fmt::format("{{\"time\":\"{:%Y-%m-%dT%H:%M:%S}.{:03}Z\"",
                                fmt::gmtime(std::chrono::system_clock::to_time_t(whole)), rest);
  append_field(out, "event", event.event);
  append_field(out, "peer", event.peer);
  append_field(out, "principal", event.principal);
  append_field(out, "session", event.session);
  append_field(out, "cause", event.cause);
  if (event.left_out > 0) out += fmt::format(",\"left_out\":{}", event.left_out);
  return out + "}";
}

bool EventLog::take(Bucket& bucket, double most, double rate, Time now) {
  const double seconds = std::max(std::chrono::duration<double>(now - bucket.last).count(), 0.0);
  bucket.used = std::max(bucket.used - seconds * rate, 0.0);
  bucket.last = std::max(bucket.last, now);
  if (bucket.used + 1.0 > most) return false;
  bucket.used += 1.0;
  return true;
}

/// May change `peer`: if there are too many, it is one of the others.
EventLog::Bucket& EventLog::bucket_of(std::string& peer, Time now) {
  if (peers_.size() >= kMostPeers && peers_.count(peer) == 0) {
    std::erase_if(peers_, [now](const auto& entry) {
      const std::chrono::duration<double> since = now - entry.second.last;
      return entry.second.left_out == 0 && since.count() * kPerSecond >= kAtOnce;
    });
    if (peers_.size() >= kMostPeers) peer = kOthers;
  }
  return peers_.try_emplace(peer, Bucket{0.0, now, 0}).first->second;
}

bool EventLog::admit(LogEvent& event, Time now) {
  const std::scoped_lock lock(mutex_);
  Bucket& own = bucket_of(event.peer, now);
  if (!take(own, kAtOnce, kPerSecond, now) || !take(all_, kAllAtOnce, kAllPerSecond, now)) {
    ++own.left_out;
    return false;
  }
  event.left_out = std::exchange(own.left_out, 0);
  return true;
}

void EventLog::say(LogEvent event, Time now) {
  try {
    if (event.peer.empty() || admit(event, now)) write_(event);
  } catch (const std::bad_alloc&) {  // there are more urgent matters
  }
}

void EventLog::flush(Time now) {
  std::vector<LogEvent> due;
  try {
    const std::scoped_lock lock(mutex_);
    for (auto& [peer, bucket] : peers_) {
      if (bucket.left_out == 0 || !take(bucket, kAtOnce, kPerSecond, now)) continue;
      due.push_back({.event = "left_out", .peer = peer, .left_out = bucket.left_out});
      bucket.left_out = 0;
    }
  } catch (const std::bad_alloc&) {
  }
  for (const LogEvent& event : due) write_(event);
}

}  // namespace tocsin::service
