// The arguments of `tocsin serve`.
#include <algorithm>
#include <cmath>

#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"
#include "app/cli/settings.h"
#include "app/serve/live_arguments.h"
#include "app/serve/record_arguments.h"
#include "app/serve/serve.h"
#include "base/json_text.h"
#include "base/quoted.h"
#include "service/access/memory_budget.h"
#include "service/rooms/room_files.h"

namespace tocsin::app {
namespace {

constexpr const char* kServeExamples = R"(Examples:
  On this machine, for its own programs, with one room:
    tocsin serve --env house.obj

  Two rooms by name, one of two files, and a folder from which clients load more:
    tocsin serve --env studio=hall.glb --env studio=props.obj --env house.obj \
      --environments /srv/rooms

  From other machines, over TLS, each client with a token of its own:
    tocsin serve --env house.obj --listen 0.0.0.0:50051 \
      --tls-cert server.pem --tls-key server.key --tokens tokens.json

  Sessions that are checked against each other (tocsin send --meet), 90 times a second:
    tocsin serve --env house.obj --meet-rate 90

  A GPU checks the steps of all sessions of a room together; without one, its code on the CPU:
    tocsin serve --env house.obj --backend cuda
    tocsin serve --env house.obj --backend cuda --emulate

  Health and metrics for Prometheus, at http://127.0.0.1:9464/metrics:
    tocsin serve --env house.obj --http 9464

  The options in a file, to be changed there; the command line and the environment come before it:
    tocsin serve --env house.obj --print-config > serve.json
    tocsin serve --config serve.json

  What each session covered is kept, to be checked and proved again:
    tocsin serve --env house.obj --record records
    tocsin verify records/*.jsonl

  How it is, who is there, and the end of one session:
    tocsin serve --env house.obj --control /tmp/tocsin.sock
    tocsin status --control /tmp/tocsin.sock
    tocsin sessions --control /tmp/tocsin.sock --end 5d0c7c2a9b1e

  Poses of a VMC sender, and of Xsens MVN on another machine, as sessions in the room:
    tocsin serve --env house.obj --vmc 39539=house
    tocsin serve --env house.obj --xsens 0.0.0.0:9763=house,from=192.168.1.20

  What is touched as OSC messages, for a haptic suit:
    tocsin serve --env house.obj --vmc 39539=house --osc-out localhost:9000

SIGHUP: tokens, certificates, client CAs and revocations are read again; no stream ends.
Ctrl-C or SIGTERM: clients are told, steps in flight finish, exit. A second one ends it at once (not
within half a second: GNU timeout signals twice).

Exit status: 0 ended by a signal; 2 wrong usage, a backend that is not available, or no access control for an
address that other machines reach; 3 an input was refused (a room, a certificate, the tokens); 4 could not
listen, or could not finish.
)";

constexpr const char* kListening = "Where it listens";
constexpr const char* kRooms = "Rooms";
constexpr const char* kAccess = "Access";
constexpr const char* kLimits = "Limits";
constexpr const char* kConfiguration = "Configuration";
constexpr SettingSources kServeSettings{"tocsin.serve.v1", "TOCSIN_SERVE_"};

constexpr std::int64_t kMostCount = 1'000'000;    // sessions, frames, steps
constexpr double kMostTtl = 7.0 * 24.0 * 3600.0;  // seconds; longer, and memory is never given back
/// Seconds. Smaller values are below normal delays under load.
constexpr double kLeastStepBudget = 0.001;
constexpr double kMostMeetRate = 1000.0;   // no capture is faster, and reports come as often
constexpr double kMostDelay = 1000.0;      // milliseconds
constexpr std::int64_t kMostGrace = 3600;  // seconds
/// MiB. Such a file's reader takes that much times forty of memory.
constexpr std::int64_t kMostUpload = 2048;
/// MiB. A skeleton of 16,384 joints takes 2; every connection may hold one message of that size.
constexpr std::int64_t kMostMessage = 256;
constexpr std::int64_t kMostMemory = std::int64_t{1} << 24;  // MiB: 16 TiB

class ServeParser final : public CommandParser {
 public:
  explicit ServeParser(CLI::App& tocsin)
      : CommandParser(tocsin, "serve", "Check live motion streams, over gRPC", kServeExamples) {
    CLI::App& a = app();
    add_text(a, "--listen", listen_, "HOST:PORT",
             "Where: an address, [IPv6]:PORT or unix:/path; port 0 takes a free one "
             "(127.0.0.1:50051)",
             kListening);
    add_text(a, "--http", http_, "[HOST:]PORT",
             "Health, metrics and events over HTTP, on this machine if no HOST is given: /healthz, "
             "/readyz, /metrics, /v1/events, and a page (none)",
             kListening);
    add_text(a, "--control", control_, "PATH",
             "A socket file for tocsin status and tocsin sessions, for this user only "
             "($RUNTIME_DIRECTORY/control.sock under systemd, else control.sock in --record, else "
             "none)",
             kListening);
    add_rooms(a);
    add_access(a);
    add_limits(a);
    add_running(a);
    records_.add(a);
    live_.add(a);
    add_text(a, "--config", config_, "FILE",
             "Options that are neither here nor in the environment (TOCSIN_SERVE_MAX_SESSIONS for "
             "--max-sessions), as JSON (none)",
             kConfiguration);
    a.add_flag("--print-config", print_config_, "Print all options as such a file, and exit")
        ->group(kConfiguration);
  }

  void complete() override {
    apply_settings(app(), kServeSettings);
    if (print_config_) settings_ = settings_text(app(), kServeSettings);
  }

  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"--listen", "--http", "--control", "--env", "--environments", "--tls-cert",
                         "--tls-key", "--client-ca", "--client-crl", "--tokens", "--record",
                         "--record-quota", "--record-days", "--tree-cache", "--threads",
                         "--cuda-device", "--memory", "--osc-out"});
    ServeOptions o;
    o.rooms = parse_rooms(rooms_);
    o.reading = reading_.options();
    o.policy.folder = folder_;
    o.tokens = tokens_;
    o.quiet = quiet_;
    if (log_ != "text" && log_ != "json") {
      throw UsageError{fmt::format("--log: expected text or json, not {}", base::in_quotes(log_))};
    }
    o.log_json = log_ == "json";
    o.grace = std::chrono::seconds(parse_whole("--grace", grace_, 0, kMostGrace));
    o.lame_duck = std::chrono::seconds(parse_whole("--lame-duck", lame_duck_, 0, kMostGrace));
    resolve_server(o.server);
    o.http = http_address(http_);
    o.control = control_;
    resolve_engine(o.engine);
    o.sessions_given = app().count("--max-sessions") > 0;
    resolve_detectors(o.policy);
    o.policy.standard = default_room(o.rooms);
    o.policy.most_upload = mebibytes("--max-upload", max_upload_, kMostUpload);
    records_.resolve(o.engine, o.policy);
    live_.resolve(o);
    if (print_config_) return ShowText{settings_};
    return o;
  }

 private:
  /// A name that no room of --env has is an error now, not with the first client.
  [[nodiscard]] std::string default_room(const std::vector<ServedRoom>& rooms) const {
    const bool known = default_env_.empty() ||
                       std::any_of(rooms.begin(), rooms.end(), [this](const ServedRoom& room) {
                         return room.name == default_env_;
                       });
    if (known) return default_env_;
    throw UsageError{
        fmt::format("--default-env: no --env is called {}", base::in_quotes(default_env_))};
  }

  /// Each session checks its own steps on the CPU. A device checks those of all sessions in
  /// batches; `auto`: where that is measured to be faster.
  void resolve_detectors(service::RoomPolicy& policy) const {
    const Backend backend = parse_name<Backend>("--backend", backend_);
    if (emulate_ && backend != Backend::kCuda) {
      throw UsageError{"--emulate: needs --backend cuda"};
    }
    if (!cuda_device_.empty() && backend != Backend::kCuda) {
      throw UsageError{"--cuda-device: needs --backend cuda"};
    }
    policy.alone.backend = Backend::kCpu;
    policy.alone.tree_cache = tree_cache_;
    if (backend == Backend::kCpu) return;
    policy.batches = policy.alone;
    policy.batches->backend = backend;
    policy.batches->threads = parse_threads(threads_);
    policy.batches->cuda.devices = parse_cuda_devices(cuda_device_);
    policy.batches->experiments.emulate = emulate_;
  }

  void add_rooms(CLI::App& a) {
    add_texts(
        a, "--env", rooms_, "[NAME=]FILE",
        "A room that is there from the start, called NAME or as its file; repeatable; files of "
        "one NAME are merged",
        kRooms);
    reading_.add(a, kRooms);
    add_text(a, "--default-env", default_env_, "NAME",
             "The room of clients that name none (the only one of --env)", kRooms);
    add_text(a, "--environments", folder_, "DIR",
             "Clients may load rooms from files in this folder; nothing outside is ever opened "
             "(none)",
             kRooms);
    add_text(a, option::kTreeCache, tree_cache_, kRooms);
  }

  void add_access(CLI::App& a) {
    add_text(a, "--tls-cert", certificate_, "FILE", "The server's certificate, PEM: TLS", kAccess);
    add_text(a, "--tls-key", key_, "FILE", "Its private key, PEM", kAccess);
    add_text(a, "--client-ca", client_ca_, "FILE",
             "Clients need a certificate that one of these signed, PEM", kAccess);
    add_text(a, "--client-crl", client_crl_, "FILE",
             "Certificates that these have revoked, PEM; one list for each of them", kAccess);
    add_text(
        a, "--tokens", tokens_, "FILE",
        "Clients need a token of this file, which also says their limits (docs/reference/serve.md)",
        kAccess);
    a.add_flag(
         "--insecure", insecure_,
         "Listen to other machines without TLS, tokens or client certificates: any program that "
         "reaches the port can connect and read the traffic")
        ->group(kAccess);
  }

  void add_limits(CLI::App& a) {
    add_text(a, "--max-sessions", max_sessions_, "N", "Sessions at once (10000)", kLimits);
    add_text(a, "--max-pending", max_pending_, "FRAMES",
             "Pending frames of a session; beyond that, the older ones are skipped (16)", kLimits);
    add_text(a, "--session-ttl", ttl_, "S",
             "Seconds that a session outlives its stream, to be resumed (60)", kLimits);
    add_text(a, "--step-budget", step_budget_, "S",
             "Seconds after which a step's client is told what is proved so far; the step goes on "
             "in its next turn (2)",
             kLimits);
    add_text(a, "--max-upload", max_upload_, "MIB", "Size of a room that is uploaded (256)",
             kLimits);
    add_text(a, "--max-message", max_message_, "MIB", "Size of one message (4)", kLimits);
    add_text(a, "--memory", memory_, "MIB",
             "Memory of the process, beyond which sessions and uploads are refused (three quarters "
             "of the machine's or container's)",
             kLimits);
  }

  void add_running(CLI::App& a) {
    add_text(a, "--threads", threads_, "N", "Threads that check (all, at least 2)", kRunning);
    add_text(a, "--backend", backend_, "auto|cpu|gl|cuda",
             "What checks; every backend finds the same contacts. gl and cuda check the steps of a "
             "room's sessions in batches (auto: cpu)",
             kRunning);
    add_text(a, option::kCudaDevice, cuda_device_, kRunning);
    add_flag(a, option::kEmulate, emulate_, kRunning);
    add_text(a, "--batch-size", batch_size_, "N",
             "Steps of a room are handed out together as soon as so many are ready; a device's "
             "batches are no larger (256)",
             kRunning);
    add_text(a, "--batch-delay", batch_delay_, "MS",
             "... or the first of them has waited so long, milliseconds (0)", kRunning);
    add_text(a, "--meet-rate", meet_rate_, "HZ",
             "Ticks a second at which sessions that meet each other are checked (120)", kRunning);
    add_text(a, "--lame-duck", lame_duck_, "S",
             "Seconds after the first signal in which all goes on, but health says not ready (0)",
             kRunning);
    add_text(a, "--grace", grace_, "S",
             "Seconds that steps in flight may take after the first signal (10)", kRunning);
    add_text(
        a, "--log", log_, "text|json",
        "Lines for people, or a JSON object a line with what clients do, on standard error (text)",
        kRunning);
    a.add_flag("--quiet", quiet_, "No status lines; warnings and errors are still said")
        ->group(kRunning);
  }

  /// A port alone is one of this machine's.
  static std::string http_address(const std::string& given) {
    const bool port = given.find_first_not_of("0123456789") == std::string::npos;
    return port && !given.empty() ? "127.0.0.1:" + given : given;
  }

  static std::size_t mebibytes(std::string_view option, const std::string& text,
                               std::int64_t most) {
    return static_cast<std::size_t>(parse_whole(option, text, 1, most)) << 20U;
  }

  void resolve_server(service::ServerOptions& o) const {
    o.listen = listen_;
    o.certificate = certificate_;
    o.key = key_;
    o.client_ca = client_ca_;
    o.client_crl = client_crl_;
    o.insecure = insecure_;
    o.memory =
        memory_.empty() ? service::default_memory() : mebibytes("--memory", memory_, kMostMemory);
    o.most_message = mebibytes("--max-message", max_message_, kMostMessage);
  }

  void resolve_engine(service::EngineOptions& o) const {
    const auto count = [](std::string_view option, const std::string& text) {
      return static_cast<std::size_t>(parse_whole(option, text, 1, kMostCount));
    };
    o.threads = parse_threads(threads_);
    o.batch_size = count("--batch-size", batch_size_);
    const double delay = parse_number_in("--batch-delay", batch_delay_, 0.0, kMostDelay,
                                         "from 0 to 1000 (milliseconds)");
    o.batch_delay = std::chrono::microseconds(std::llround(delay * 1000.0));
    o.meet_rate =
        parse_number_in("--meet-rate", meet_rate_, 1.0, kMostMeetRate, "from 1 to 1000 (Hz)");
    o.most_sessions = count("--max-sessions", max_sessions_);
    o.limits.pending_frames = count("--max-pending", max_pending_);
    o.limits.ttl =
        parse_number_in("--session-ttl", ttl_, 0.0, kMostTtl, "from 0 to 604800 (seconds)");
    o.limits.step_seconds = parse_number_in("--step-budget", step_budget_, kLeastStepBudget,
                                            kMostTtl, "from 0.001 to 604800 (seconds)");
  }

  std::string listen_ = "127.0.0.1:50051";
  std::string http_;
  std::string control_;
  std::vector<std::string> rooms_;
  RoomArguments reading_;
  std::string default_env_;
  std::string folder_;
  std::string tree_cache_;
  std::string certificate_;
  std::string key_;
  std::string client_ca_;
  std::string client_crl_;
  std::string tokens_;
  bool insecure_ = false;
  std::string max_sessions_ = "10000";
  std::string max_pending_ = "16";
  std::string ttl_ = "60";
  std::string step_budget_ = "2";
  std::string max_upload_ = "256";
  std::string max_message_ = "4";
  std::string memory_;
  std::string threads_;
  std::string backend_ = "auto";
  std::string cuda_device_;
  bool emulate_ = false;
  std::string batch_size_ = "256";
  std::string batch_delay_ = "0";
  std::string meet_rate_ = "120";
  RecordArguments records_;
  LiveArguments live_;
  std::string lame_duck_ = "0";
  std::string grace_ = "10";
  std::string log_ = "text";
  bool quiet_ = false;
  std::string config_;
  bool print_config_ = false;
  std::string settings_;
};

}  // namespace

std::vector<ServedRoom> parse_rooms(const std::vector<std::string>& values) {
  std::vector<ServedRoom> out;
  std::vector<bool> named;  // of each, by its option
  for (const std::string& value : values) {
    const std::size_t sign = value.find('=');
    const bool is_named =
        sign != std::string::npos && service::room_name_fault(value.substr(0, sign)).empty();
    const std::filesystem::path file = is_named ? value.substr(sign + 1) : value;
    const std::string name = is_named ? value.substr(0, sign) : file.stem().string();
    if (file.empty()) throw UsageError{fmt::format("--env: \"{}\" names no file", value)};
    if (const std::string fault = service::room_name_fault(name); !fault.empty()) {
      throw UsageError{
          fmt::format("--env: {}; give it one, NAME={}", fault, base::printable(value))};
    }
    const auto known = std::find_if(out.begin(), out.end(),
                                    [&](const ServedRoom& room) { return room.name == name; });
    if (known == out.end()) {
      out.push_back({name, {file}});
      named.push_back(is_named);
    } else if (is_named && named[static_cast<std::size_t>(known - out.begin())]) {
      known->files.push_back(file);
    } else {
      throw UsageError{
          fmt::format("--env: two rooms would be called {}; give them names, NAME=FILE", name)};
    }
  }
  return out;
}

std::unique_ptr<CommandParser> serve_parser(CLI::App& tocsin) {
  return std::make_unique<ServeParser>(tocsin);
}

}  // namespace tocsin::app
