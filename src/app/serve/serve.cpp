#include "app/serve/serve.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <tbb/global_control.h>
#include <tbb/info.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "app/cli/stopwatch.h"
#include "app/cli/words.h"
#include "app/serve/heap.h"
#include "app/serve/serve_http.h"
#include "app/serve/serve_live.h"
#include "app/serve/serve_log.h"
#include "app/serve/serve_watch.h"
#include "base/output_file.h"
#include "service/access/access.h"
#include "service/access/credentials.h"
#include "service/rooms/environments.h"
#include "service/rpc/descriptors.h"
#include "service/rpc/listen_address.h"

namespace tocsin::app {
namespace {

/// After --grace, time to finish records and free memory before the process is ended.
constexpr std::chrono::seconds kEndTime{10};
/// A quarter of the cores builds the tree of a room that a client loads while others are being
/// checked. More: their steps wait. Fewer: a room of millions of triangles takes minutes.
constexpr int kLoadingShare = 4;
/// Rooms that the first line names.
constexpr std::size_t kMostNamedRooms = 5;

/// Raises the usual limit, 1,024, as far as it may. @return the limit
std::size_t allow_many_files() {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 1024;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_NOFILE, &limit);
  (void)::getrlimit(RLIMIT_NOFILE, &limit);
  return static_cast<std::size_t>(limit.rlim_cur);
}

/// Of a session: poses, lines, and to sync the poses.
std::size_t record_files(const service::EngineOptions& engine) {
  if (engine.record.empty()) return 0;
  return engine.record_rules.sync ? 3 : 2;
}

/// Sessions and connections for which there are descriptors.
Status fit_descriptors(ServeOptions& options, const ServeLog& said) {
  const std::size_t http =
      options.http.empty() ? 0 : service::HttpServer::descriptors(service::HttpLimits());
  const std::size_t others = http + options.live.size() + 1;
  const auto plan =
      service::plan_descriptors(allow_many_files(), options.engine.most_sessions,
                                options.sessions_given, record_files(options.engine), others);
  if (!plan) return plan.error();
  if (plan->sessions < options.engine.most_sessions && !options.quiet) {
    said.note(fmt::format("{} at most, as the limit of open files allows no more (ulimit -n)",
                          count_of(static_cast<std::int64_t>(plan->sessions), "session")));
  }
  options.engine.most_sessions = plan->sessions;
  options.server.connections = plan->connections;
  return Nothing{};
}

Status check_folder(const char* option, const std::filesystem::path& folder) {
  std::error_code error;
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return Nothing{};
  return Error{ErrorCode::kInput,
               fmt::format("{}: {} is not a folder{}", option, folder.string(),
                           error ? fmt::format(" ({})", error.message()) : std::string())};
}

/// Finds errors now, not when the first session is over.
Status make_record_folder(const std::filesystem::path& folder) {
  if (folder.empty()) return Nothing{};
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    return Error{ErrorCode::kResource,
                 fmt::format("--record: {} cannot be made: {}", folder.string(), error.message())};
  }
  base::OutputFile probe;
  const std::string name = (folder / ".tocsin-probe").string();  // never finished: nothing is left
  const Status opened = probe.open(name);
  if (opened) return Nothing{};
  return Error{ErrorCode::kResource, "--record: " + opened.error().message};
}

Result<std::shared_ptr<service::Access>> make_access(const ServeOptions& options) {
  service::Limits limits;
  // Without tokens there is one principal, "anyone", which may use all of the server.
  if (options.tokens.empty()) {
    limits.sessions = static_cast<std::uint32_t>(options.engine.most_sessions);
    limits.environments = static_cast<std::uint32_t>(options.policy.most_rooms);
    return std::make_shared<service::Access>(limits);
  }
  return service::Access::load(options.tokens, limits);
}

Status load_rooms(const ServeOptions& options, service::Environments& rooms,
                  const std::stop_token& stop, const ServeLog& said) {
  for (const ServedRoom& room : options.rooms) {
    Stopwatch watch;
    std::vector<std::string> warnings;
    const auto loaded = rooms.load(room.name, room.files, options.reading, warnings);
    if (!loaded.ok()) return loaded.error();
    said.warn_all(warnings);
    if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "interrupted"};
    if (options.quiet) continue;
    const std::string why = rooms.choice(loaded->name);
    said.note(
        fmt::format("room {}: {}, {}, ready in {} s{}", loaded->name,
                    count_of(static_cast<std::int64_t>(loaded->triangles), "triangle"),
                    count_of(static_cast<std::int64_t>(loaded->objects), "object"),
                    brief(watch.milliseconds() / 1000.0),
                    why.empty() ? why : fmt::format("; {} checks: {}", loaded->backend, why)));
  }
  return Nothing{};
}

/// ", checked by cuda (emulated on 2 threads)"; empty: the CPU, or what is measured. Errors: a
/// missing device, which is found now, not when a room is loaded.
Result<std::string> device_text(const service::RoomPolicy& policy) {
  if (!policy.batches || policy.batches->backend == Backend::kAuto) return std::string();
  const auto probe = Detector::make(Environment{}, *policy.batches);
  if (!probe) return probe.error();
  return fmt::format(", checked by {} ({})", probe->backend_name(), probe->device_name());
}

/// The same where it was measured: of the rooms of which it is not the CPU.
std::string chosen_text(const std::vector<EnvironmentInfo>& rooms) {
  const auto on_device = [](const EnvironmentInfo& room) { return room.backend != "cpu"; };
  const auto first = std::find_if(rooms.begin(), rooms.end(), on_device);
  if (first == rooms.end()) return {};
  return fmt::format(", {} checked by {} ({})",
                     count_of(std::count_if(first, rooms.end(), on_device), "room"), first->backend,
                     first->device);
}

/// The same after rooms were loaded: the device may have failed meanwhile.
std::string checked_by(const std::string& device, const std::vector<EnvironmentInfo>& rooms) {
  if (device.empty()) return chosen_text(rooms);
  const auto failed = std::count_if(rooms.begin(), rooms.end(),
                                    [](const auto& room) { return !room.fallback.empty(); });
  if (failed == 0) return device;
  if (static_cast<std::size_t>(failed) == rooms.size()) {
    return ", checked by the CPU, as the device failed";
  }
  return fmt::format("{}, but {} by the CPU, as the device failed", device,
                     count_of(failed, "room"));
}

/// "1 room (small_house: 156,000 triangles)".
std::string rooms_text(const std::vector<EnvironmentInfo>& all) {
  if (all.empty()) return "no room yet";
  std::string names;
  for (std::size_t i = 0; i < std::min(all.size(), kMostNamedRooms); ++i) {
    names += fmt::format("{}{}: {}", i == 0 ? "" : ", ", all[i].name,
                         count_of(static_cast<std::int64_t>(all[i].triangles), "triangle"));
  }
  if (all.size() > kMostNamedRooms) names += ", ...";
  return fmt::format("{} ({})", count_of(static_cast<std::int64_t>(all.size()), "room"), names);
}

/// ", vmc 127.0.0.1:39539" of every source of motion capture.
std::string sources_text(const service::LiveSources& live) {
  std::string out;
  for (const std::string& name : live.names()) out += ", " + name;
  return out;
}

/// gRPC bounds neither headers nor resets of streams.
void warn_of_others(const ServeOptions& options, const ServeLog& said) {
  if (options.quiet) return;
  if (!options.http.empty() && !is_local(options.http)) {
    said.note(
        "--http: other machines can read health and metrics, without a token; events are for "
        "this machine");
  }
  const auto address = service::parse_listen_address(options.server.listen);
  if (!address.ok() || address->loopback) return;
  said.note(
      "other machines reach this address: on a network that you do not trust, put "
      "deploy/haproxy.cfg before it, which bounds headers, connections and resets "
      "(docs/operations.md)");
}

std::shared_ptr<service::Monitor> monitor_of(const ServeOptions& options,
                                             const std::shared_ptr<service::Engine>& engine,
                                             const service::Server& server,
                                             const service::OscOut* osc) {
  service::MonitorOptions shown;
  if (osc != nullptr) shown.osc = osc->counts();
  shown.record = options.engine.record;
  shown.local = options.server.insecure || is_local(options.http);
  shown.by_names = options.tokens.empty() && !options.server.client_ca.empty();
  return std::make_shared<service::Monitor>(engine, server, std::move(shown));
}

/// Finds errors before rooms are loaded, which may take a minute.
Status check_first(const ServeOptions& options) {
  const auto address = service::parse_listen_address(options.server.listen);
  if (!address.ok()) return address.error();
  const Status listening = service::check_listening(options.server, !options.tokens.empty());
  if (!listening) {
    return Error{listening.error().code,
                 fmt::format("{} (--tls-cert, --tls-key; --tokens or --client-ca; --insecure)",
                             listening.error().message)};
  }
  if (const auto read = service::load_credentials(options.server); !read) return read.error();
  Status folder = check_folder("--environments", options.policy.folder);
  if (!folder) return folder;
  return make_record_folder(options.engine.record);
}

}  // namespace

ExitStatus run_serve(const ServeOptions& asked, InterruptWatch& interrupt) {
  ServeOptions options = asked;
  const ServeLog said(options.log_json);
  keep_large_blocks_apart();
  if (const Status fitted = fit_descriptors(options, said); !fitted)
    return said.fail(fitted.error());
  if (const Status sound = check_first(options); !sound) return said.fail(sound.error());
  // From here on SIGHUP is no end, if there is something to be read again: whoever sees the line
  // that says where it listens may send one.
  if (!options.tokens.empty() || !options.server.certificate.empty()) interrupt.count_hangups();
  warn_of_others(options, said);
  const service::Log log = [&said](const std::string& line) { said.warn(line); };
  service::RoomPolicy policy = options.policy;
  policy.log = log;
  const Result<std::string> device = device_text(policy);
  if (!device.ok()) return said.fail(device.error());
  const auto access = make_access(options);
  if (!access.ok()) return said.fail(access.error());
  const auto sources = load_live(options);
  if (!sources.ok()) return said.fail(sources.error());
  const auto osc = open_osc_out(options);
  if (!osc.ok()) return said.fail(osc.error());

  auto monitor = open_monitor(options.http, log);
  if (!monitor.ok()) return said.fail(monitor.error());
  ControlSocket bound(control_path(options.control, options.engine.record),
                      !options.control.empty(), log);
  if (const Status opened = bound.open(); !opened) return said.fail(opened.error());

  const auto rooms = std::make_shared<service::Environments>(std::move(policy));
  if (const Status loaded = load_rooms(options, *rooms, interrupt.token(), said); !loaded) {
    return said.fail(loaded.error());
  }
  const tbb::global_control share(
      tbb::global_control::max_allowed_parallelism,
      static_cast<std::size_t>(std::max(1, tbb::info::default_concurrency() / kLoadingShare)));
  interrupt.set_grace(options.lame_duck + options.grace + kEndTime,
                      "tocsin serve: ended at once; streams were cut\n");
  service::EngineOptions engine_options = options.engine;
  engine_options.log = log;
  engine_options.steps = osc.value();
  const auto engine = std::make_shared<service::Engine>(std::move(engine_options), rooms);
  options.server.log = log;
  options.server.events = said.events();
  auto server = service::Server::start(options.server, engine, access.value());
  if (!server.ok()) return said.fail(server.error());
  const auto live = start_live(*sources, *engine, *access.value(), said, options.quiet);
  if (!live.ok()) return said.fail(live.error());
  const auto http = std::move(monitor).value();  // ends before what it shows
  if (http) start_monitor(*http, monitor_of(options, engine, *server.value(), osc->get()));

  ControlSocket control = std::move(bound);  // the same
  control.start(engine, *server.value(),
                {.record = options.engine.record,
                 .http = http ? monitor_address(options.http, *http) : std::string(),
                 .log = log});

  const std::vector<EnvironmentInfo> served = rooms->list();
  const Status told = base::write_to_standard_output(
      fmt::format("listening on {}, {}{}{}{}\n", server.value()->address(), rooms_text(served),
                  checked_by(device.value(), served),
                  http ? ", http on " + monitor_address(options.http, *http) : "",
                  sources_text(*live.value())));
  if (!told) said.warn(told.error().message);  // serve nevertheless
  ServeWatch watch(options, *engine, *server.value(), *access.value(), interrupt, said,
                   [&control, &osc] {
                     control.try_again();
                     if (osc.value()) osc.value()->sweep(std::chrono::steady_clock::now());
                   });
  watch.until_signal();

  if (options.lame_duck.count() > 0) {
    server.value()->leave();
    if (!options.quiet) {
      said.note(fmt::format("not ready any more; ending in {} s", options.lame_duck.count()));
    }
    watch.go_on_for(options.lame_duck);
  }
  const service::EngineCounts before = engine->counts();
  if (!options.quiet) {
    said.note(fmt::format("ending: {} to be told, steps in flight finish",
                          count_of(static_cast<std::int64_t>(before.attached), "stream")));
  }
  live.value()->stop();  // its sessions end as if their senders had said so
  const std::uint64_t unchecked = server.value()->stop(options.grace);
  if (osc.value()) osc.value()->finish(std::chrono::steady_clock::now());
  const service::EngineCounts counts = engine->counts();
  // An hour later every peer may write again: so what was left out of it is said now.
  said.events()->flush(std::chrono::steady_clock::now() + std::chrono::hours(1));
  said.note(fmt::format("ended: {} in all, {}; {} left unchecked",
                        count_of(static_cast<std::int64_t>(counts.opened), "session"),
                        counts_text(counts),
                        count_of(static_cast<std::int64_t>(unchecked), "frame")));
  return kDone;
}

}  // namespace tocsin::app
