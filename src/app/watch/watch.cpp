#include "app/watch/watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/file_kind.h"
#include "app/cli/words.h"
#include "app/send/send_connect.h"
#include "app/watch/watch_lines.h"
#include "base/json_text.h"
#include "base/output_file.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

constexpr const char* kWatchCommand = "tocsin watch";
/// How often a signal is looked for.
constexpr std::chrono::milliseconds kWatchLook{50};

ExitStatus watch_failed(const Error& error) {
  print_error(kWatchCommand, error.message);
  return exit_status(error.code);
}

/// What the handler has told. Its calls come one at a time; the lock is for the end.
class WatchPrinter {
 public:
  explicit WatchPrinter(const FollowOptions& options) : lines_(options.json, options.all) {}

  [[nodiscard]] bool has_begun() const { return has_begun_; }
  WatchHandler handler() {
    WatchHandler out;
    out.begun = [this] { has_begun_ = true; };
    out.session = [this](const WatchedSession& one) { print(lines_.session(one)); };
    out.step = [this](const WatchedStep& one) { print(lines_.step(one)); };
    out.stream = [this](const WatchedStream& one) { print(lines_.stream(one)); };
    out.ended = [this](const WatchedEnd& one) { print(lines_.ended(one)); };
    out.skipped = [this](std::uint64_t events) { print(lines_.skipped(events)); };
    out.over = [this](StreamEnd end, const Error& error) {
      const std::scoped_lock lock(mutex_);
      end_ = end;
      error_ = error;
    };
    return out;
  }
  /// Standard output takes no more.
  [[nodiscard]] std::optional<Error> problem() {
    const std::scoped_lock lock(mutex_);
    return problem_;
  }
  [[nodiscard]] std::pair<StreamEnd, Error> end() {
    const std::scoped_lock lock(mutex_);
    return {end_, error_};
  }

 private:
  void print(const std::string& text) {
    if (text.empty()) return;
    const Status written = base::write_to_standard_output(text);
    if (written) return;
    const std::scoped_lock lock(mutex_);
    if (!problem_) problem_ = written.error();
  }

  WatchLines lines_;
  std::atomic<bool> has_begun_{false};
  std::mutex mutex_;
  std::optional<Error> problem_;
  StreamEnd end_ = StreamEnd::kBroken;
  Error error_;
};

ExitStatus follow(const Connection& server, const FollowOptions& options, const SendOptions& how,
                  const std::stop_token& stop) {
  const auto begin = std::chrono::steady_clock::now();
  const auto is_over = [&] {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
    return stop.stop_requested() || (options.seconds && since.count() >= *options.seconds);
  };
  WatchPrinter printer(options);
  auto watch = server.watch(options.what, printer.handler());
  if (!watch) return watch_failed(watch.error());
  while (!watch->wait(kWatchLook)) {
    if (const auto problem = printer.problem()) return watch_failed(*problem);
    if (is_over()) return kDone;
  }
  if (const auto problem = printer.problem()) return watch_failed(*problem);
  const auto [end, error] = printer.end();
  if (end != StreamEnd::kClosing) {
    // A watch that had begun was not refused for a missing option.
    return watch_failed(printer.has_begun() ? error : with_hint(error, how));
  }
  print_note(kWatchCommand, error.message);
  return kDone;
}

Status check_room_file(const std::string& file) {
  if (!has_extension(file, {".obj", ".ply", ".glb"})) {
    return Error{ErrorCode::kUsage,
                 fmt::format("--room: a room is written to .obj, .ply or .glb, not to {}",
                             base::printable(file))};
  }
  std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (folder.empty()) folder = ".";
  if (::access(folder.c_str(), W_OK | X_OK) == 0) return Nothing{};
  return Error{ErrorCode::kResource,
               fmt::format("{}: no file can be written there: {}", base::printable(file),
                           std::error_code(errno, std::generic_category()).message())};
}

ExitStatus download(const Connection& server, const FollowOptions& options,
                    const SendOptions& how) {
  // Before a download that may take long: a folder that is not there, or takes no file.
  if (const Status writable = check_room_file(options.room); !writable) {
    return watch_failed(writable.error());
  }
  const auto room = server.download_room({options.what.environment, {}});
  if (!room) return watch_failed(with_hint(room.error(), how));
  if (const Status saved = save_environment(room->environment, options.room); !saved) {
    return watch_failed(saved.error());
  }
  const Status said = base::write_to_standard_output(fmt::format(
      "{}: {} of {}{}\n", base::printable(options.room),
      count_of(static_cast<std::int64_t>(room->environment.triangles().size()), "triangle"),
      base::printable(room->info.name),
      room->info.changeable ? fmt::format(", version {}", room->info.version) : ""));
  return said ? kDone : watch_failed(said.error());
}

}  // namespace

ExitStatus run_watch(const FollowOptions& options, const std::stop_token& stop) {
  silence_grpc();
  SendOptions how;
  how.connection = options.connection;
  how.token_file = options.token_file;
  std::vector<Connection> server;
  if (const Status connected = connect(how, server); !connected) {
    return watch_failed(connected.error());
  }
  return options.room.empty() ? follow(server.front(), options, how, stop)
                              : download(server.front(), options, how);
}

}  // namespace tocsin::app
