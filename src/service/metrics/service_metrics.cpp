#include "service/metrics/service_metrics.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "service/metrics/exposition.h"
#include "tocsin/version.h"

namespace tocsin::service {
namespace {

constexpr double kNanoseconds = 1e9;  // a second

constexpr std::array<std::string_view, kRefusalCauses> kCauses{
    "authentication", "invalid",    "limit",   "forbidden", "not_found",
    "out_of_range",   "taken_over", "closing", "deadline",  "failed"};
constexpr std::array<std::string_view, kAuthenticationFaults> kFaults{
    "no_token", "wrong_token", "several_tokens", "certificate"};

void add_sessions(Exposition& out, const EngineCounts& now, const Engine& engine) {
  const Metrics& metrics = engine.metrics();
  out.gauge("tocsin_sessions", "Sessions now, with a stream or waiting to be resumed.");
  out.sample({{"state", "streaming"}}, now.attached);
  out.sample({{"state", "detached"}}, now.sessions - now.attached);
  out.gauge("tocsin_sessions_limit", "Sessions that the server takes at once.",
            std::uint64_t{engine.most_sessions()});
  out.counter("tocsin_sessions_opened_total", "Sessions opened.", metrics.opened.value());
  out.counter("tocsin_sessions_resumed_total", "Sessions resumed by another stream.",
              metrics.resumed.value());
  out.counter("tocsin_sessions_taken_over_total", "Sessions gone on with from their records.",
              metrics.taken_over.value());
  out.counter("tocsin_sessions_expired_total", "Sessions that nobody resumed in time.",
              metrics.expired.value());
}

void add_steps(Exposition& out, const Metrics& metrics) {
  out.counter("tocsin_frames_total", "Frames received, by what became of them.");
  out.sample({{"fate", "covered"}}, metrics.covered_frames.value());
  out.sample({{"fate", "skipped"}}, metrics.skipped_frames.value());
  out.sample({{"fate", "stale"}}, metrics.stale_frames.value());
  out.sample({{"fate", "duplicate"}}, metrics.duplicate_frames.value());
  out.sample({{"fate", "bad"}}, metrics.bad_frames.value());
  out.sample({{"fate", "refused"}}, metrics.refused_frames.value());
  out.sample({{"fate", "ignored"}}, metrics.ignored_frames.value());
  out.counter("tocsin_steps_total", "Steps checked.", metrics.steps.value());
  out.counter("tocsin_parted_steps_total", "Steps that took more than one step budget.",
              metrics.parted_steps.value());
  out.counter("tocsin_partial_reports_total", "Reports of what is proved at the end of a budget.",
              metrics.partial_reports.value());
  out.counter("tocsin_contacts_total", "Contacts found.", metrics.contacts.value());
  out.histogram("tocsin_step_seconds", "Time of a step, by stage, from its frame's arrival.");
  out.sample({{"stage", "waited"}}, metrics.waited, kNanoseconds);
  out.sample({{"stage", "checked"}}, metrics.checked, kNanoseconds);
  out.sample({{"stage", "total"}}, metrics.total, kNanoseconds);
  out.histogram("tocsin_batch_steps", "Steps, and ends of sessions, handed out together.");
  out.sample({}, metrics.batches, 1.0);
}

void add_queues(Exposition& out, const EngineCounts& now, const ServerCounts& server) {
  out.gauge("tocsin_pending_frames", "Frames that wait for their step, of all sessions.",
            now.pending_frames);
  out.gauge("tocsin_unsent_reports", "Reports that no stream has taken, of all sessions.",
            now.unsent_reports);
  out.gauge("tocsin_queue_length", "Tasks that wait.");
  out.sample({{"queue", "steps"}}, now.waiting_steps);
  out.sample({{"queue", "slow_steps"}}, now.waiting_slow_steps);
  out.sample({{"queue", "device"}}, now.batches.waiting);
  out.sample({{"queue", "openings"}}, std::uint64_t{server.waiting_openings});
  out.sample({{"queue", "chores"}}, std::uint64_t{server.waiting_chores});
}

void add_refusals(Exposition& out, const Metrics& metrics, const ServerCounts& server) {
  out.counter("tocsin_refusals_total", "Calls and streams that the server ended, by cause.");
  for (std::size_t i = 0; i < kRefusalCauses; ++i) {
    out.sample({{"cause", kCauses[i]}}, metrics.refusals[i].value());
  }
  out.counter("tocsin_authentication_failures_total", "Clients that were not admitted.");
  for (std::size_t i = 0; i < kAuthenticationFaults; ++i) {
    out.sample({{"reason", kFaults[i]}}, metrics.authentication_faults[i].value());
  }
  out.counter("tocsin_memory_refusals_total", "Requests for which the memory budget had no room.",
              server.memory_refusals);
  out.counter("tocsin_connections_accepted_total", "Connections accepted.",
              server.accepted_connections);
  out.counter("tocsin_connections_refused_total", "Connections closed because there were too many.",
              server.refused_connections);
}

void add_devices(Exposition& out, const EngineCounts& now) {
  out.counter("tocsin_device_batches_total",
              "Batches that devices checked, or that were given up.");
  out.sample({{"result", "answered"}}, now.batches.batches - now.batches.given_up);
  out.sample({{"result", "given_up"}}, now.batches.given_up);
  out.counter("tocsin_device_steps_total", "Steps that devices checked.", now.batches.steps);
}

void add_meetings(Exposition& out, const EngineCounts& now) {
  out.gauge("tocsin_meeting_members", "Sessions that meet others now.", now.meeting_members);
  out.counter("tocsin_meeting_ticks_total", "Ticks of meetings.");
  out.sample({{"result", "checked"}}, now.meeting.ticks);
  out.sample({{"result", "passed_over"}}, now.meeting.passed_over);
  out.counter("tocsin_meeting_contacts_total", "Contacts between members, each counted once.",
              now.meeting.contacts);
  out.counter("tocsin_meeting_given_up_total", "Common checks that took too long.",
              now.meeting.given_up);
}

void add_events(Exposition& out, const EventHub& events, const WatchHub& watch) {
  out.gauge("tocsin_event_listeners", "Listeners of /v1/events.",
            std::uint64_t{events.listeners()});
  out.counter("tocsin_events_dropped_total", "Events that a listener was too slow for.",
              events.dropped());
  out.gauge("tocsin_watchers", "Clients that follow sessions.", std::uint64_t{watch.watchers()});
  out.counter("tocsin_watch_dropped_total", "Messages that a watcher was too slow for.",
              watch.dropped());
}

/// Of the operator's rooms: the names of others are not for all to see.
void add_rooms(Exposition& out, const Environments& rooms) {
  const std::vector<EnvironmentInfo> own = rooms.list(Principal());
  out.gauge("tocsin_room_info", "The operator's rooms, and what checks them.");
  for (const EnvironmentInfo& room : own) {
    out.sample({{"room", room.name}, {"backend", room.backend}, {"device", room.device}},
               std::uint64_t{1});
  }
  out.gauge("tocsin_room_sessions", "Sessions in each of the operator's rooms.");
  for (const EnvironmentInfo& room : own) {
    out.sample({{"room", room.name}}, std::uint64_t{room.sessions});
  }
  out.gauge("tocsin_room_device_failed", "1 if the CPU checks because the room's device failed.");
  for (const EnvironmentInfo& room : own) {
    out.sample({{"room", room.name}}, std::uint64_t{room.fallback.empty() ? 0U : 1U});
  }
  const std::size_t all = rooms.list().size();
  out.gauge("tocsin_client_rooms", "Rooms that clients loaded.",
            std::uint64_t{all > own.size() ? all - own.size() : 0});
}

void add_changes(Exposition& out, const Metrics& metrics) {
  out.counter("tocsin_room_changes_total", "Changes of rooms that took effect.",
              metrics.room_changes.value());
  out.counter("tocsin_room_edits_total", "Edits in these changes.", metrics.room_edits.value());
}

void add_records(Exposition& out, const Engine& engine) {
  const RecordStore* const records = engine.records();
  if (records == nullptr) return;
  const RecordCounts& counts = records->counts();
  out.gauge("tocsin_record_bytes", "Bytes of the folder of records.", records->bytes());
  out.counter("tocsin_records_ended_total", "Records that could not be written any more.",
              engine.metrics().ended_records.value());
  out.counter("tocsin_unrecorded_steps_total", "Steps of sessions whose record has ended.",
              engine.metrics().unrecorded_steps.value());
  out.counter("tocsin_records_deleted_total", "Finished records deleted, by age or quota.",
              counts.deleted_records.value());
  out.counter("tocsin_record_rooms_deleted_total", "Clients' rooms deleted that no record needs.",
              counts.deleted_rooms.value());
  out.counter("tocsin_record_deleted_bytes_total", "Bytes of what was deleted.",
              counts.deleted_bytes.value());
}

void add_process(Exposition& out, const ServerCounts& server, const SurroundingFigures& around) {
  const ProcessFigures& process = around.process;
  out.gauge("tocsin_memory_budget_bytes", "Memory that the process may use (0: no limit).",
            server.memory_budget);
  if (around.free_disk) {
    out.gauge("tocsin_record_free_bytes", "Bytes free for records.", *around.free_disk);
  }
  out.gauge("process_resident_memory_bytes", "Resident memory.", process.resident);
  out.gauge("process_virtual_memory_bytes", "Address space.", process.reserved);
  out.gauge("process_open_fds", "Open descriptors.", process.open_files);
  out.gauge("process_max_fds", "The limit of open descriptors.", process.most_files);
  out.counter("process_cpu_seconds_total", "Processor time, user and system.", process.cpu_seconds);
}

/// One sample a protocol, for each name of `fates`.
struct LiveFate {
  std::string_view name;
  Count LiveMetrics::*count;
};

void add_live(Exposition& out, const Metrics& metrics) {
  constexpr std::array<LiveFate, 4> kDatagrams{{{"received", &LiveMetrics::datagrams},
                                                {"malformed", &LiveMetrics::malformed},
                                                {"unlisted", &LiveMetrics::unlisted},
                                                {"dropped", &LiveMetrics::dropped}}};
  constexpr std::array<LiveFate, 6> kFrames{{{"decoded", &LiveMetrics::frames},
                                             {"missed", &LiveMetrics::missed},
                                             {"late", &LiveMetrics::late},
                                             {"incomplete", &LiveMetrics::incomplete},
                                             {"untimed", &LiveMetrics::untimed},
                                             {"ignored", &LiveMetrics::ignored}}};
  const auto add = [&](std::span<const LiveFate> fates) {
    for (const LiveFate& fate : fates) {
      for (std::size_t i = 0; i < kLiveProtocols; ++i) {
        out.sample({{"protocol", kLiveNames[i]}, {"fate", fate.name}},
                   (metrics.live[i].*fate.count).value());
      }
    }
  };
  const auto add_one = [&](Count LiveMetrics::*count) {
    for (std::size_t i = 0; i < kLiveProtocols; ++i) {
      out.sample({{"protocol", kLiveNames[i]}}, (metrics.live[i].*count).value());
    }
  };
  out.counter("tocsin_capture_datagrams_total",
              "Datagrams of motion capture, by what became of them.");
  add(kDatagrams);
  out.counter("tocsin_capture_frames_total", "Frames of motion capture, by what became of them.");
  add(kFrames);
  out.counter("tocsin_capture_held_joints_total",
              "Joints that a frame lacked: they kept their place.");
  add_one(&LiveMetrics::held);
  out.counter("tocsin_capture_unknown_total",
              "Messages, bones and segments that say nothing about a pose.");
  add_one(&LiveMetrics::unknown);
}

void add_osc(Exposition& out, const OscCounts& osc) {
  out.counter("tocsin_osc_messages_total", "Messages of --osc-out, by what became of them.");
  out.sample({{"fate", "sent"}}, osc.sent.value());
  out.sample({{"fate", "left_out"}}, osc.left_out.value());
  out.sample({{"fate", "failed"}}, osc.failed.value());
}

}  // namespace

std::string metrics_text(Engine& engine, const ServerCounts& server,
                         const SurroundingFigures& around) {
  const EngineCounts now = engine.counts();
  const Metrics& metrics = engine.metrics();
  Exposition out;
  out.gauge("tocsin_build_info", "The version.");
  out.sample({{"version", kVersion}}, std::uint64_t{1});
  out.gauge("tocsin_start_time_seconds", "When the service began, since 1970.", around.start);
  out.gauge("tocsin_ready", "1 if /readyz says so.", std::uint64_t{around.ready ? 1U : 0U});
  add_sessions(out, now, engine);
  add_steps(out, metrics);
  add_queues(out, now, server);
  add_refusals(out, metrics, server);
  add_devices(out, now);
  add_meetings(out, now);
  add_events(out, engine.events(), engine.watch());
  add_rooms(out, engine.rooms());
  add_changes(out, metrics);
  add_live(out, metrics);
  if (around.osc) add_osc(out, *around.osc);
  add_records(out, engine);
  add_process(out, server, around);
  return out.take();
}

}  // namespace tocsin::service
