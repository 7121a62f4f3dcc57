#include "service/log/event_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "io/report/json_line.h"

namespace tocsin::service {
namespace {

constexpr const char* kOthers = "(others)";

void add_field(io::JsonLine& line, std::string_view name, std::string_view value) {
  if (!value.empty()) line.key(name).value(value);
}

}  // namespace

std::string json_line(const LogEvent& event, std::chrono::system_clock::time_point now) {
  using std::chrono::milliseconds;
  const auto whole = std::chrono::floor<std::chrono::seconds>(now);
  const auto rest = std::chrono::floor<milliseconds>(now - whole).count();
  std::string out;
  io::JsonLine line(out);
  line.open('{').key("time").value(
      fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                  fmt::gmtime(std::chrono::system_clock::to_time_t(whole)), rest));
  add_field(line, "event", event.event);
  add_field(line, "peer", event.peer);
  add_field(line, "principal", event.principal);
  add_field(line, "session", event.session);
  add_field(line, "cause", event.cause);
  if (event.left_out > 0) line.key("left_out").value(event.left_out);
  line.close('}');
  return out;
}

/// May change `name`: if there are too many, it is one of the others.
EventLog::Peer& EventLog::peer_of(std::string& name, Time now) {
  if (peers_.size() >= kMostPeers && peers_.count(name) == 0) {
    std::erase_if(peers_, [now](const auto& entry) {
      return entry.second.left_out == 0 && entry.second.written.count(now) <= 0.0;
    });
    if (peers_.size() >= kMostPeers) name = kOthers;
  }
  return peers_[name];
}

bool EventLog::admit(LogEvent& event, Time now) {
  const std::scoped_lock lock(mutex_);
  Peer& own = peer_of(event.peer, now);
  if (!own.written.take(kAtOnce, now) || !all_.take(kAllAtOnce, now)) {
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
    for (auto& [name, peer] : peers_) {
      if (peer.left_out == 0 || !peer.written.take(kAtOnce, now)) continue;
      due.push_back({.event = "left_out", .peer = name, .left_out = peer.left_out});
      peer.left_out = 0;
    }
  } catch (const std::bad_alloc&) {
  }
  for (const LogEvent& event : due) write_(event);
}

}  // namespace tocsin::service
