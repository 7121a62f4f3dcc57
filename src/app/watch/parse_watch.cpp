// The arguments of `tocsin watch`.
#include <string>
#include <vector>

#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"
#include "app/cli/server_arguments.h"
#include "app/watch/watch.h"

namespace tocsin::app {
namespace {

/// Seconds: four months. More: an error.
constexpr double kMostWatch = 1e7;

constexpr const char* kWatchExamples = R"(Examples:
  Who is there, what they touch, which of their frames are late or skipped, and how they end:
    tocsin watch --from localhost:50051
  Every step of the sessions in one room, a JSON object a line, for a minute:
    tocsin watch --from localhost:50051 --env house --all --json --seconds 60
  A room as it is now, also one that changes:
    tocsin watch --from localhost:50051 --env hall --room hall.ply

A client sees the sessions of its own token, and those that meet others where its group can enter. Nobody
waits for it: what this end is too slow for is counted, and said.

Exit status: 0 done (also when the server shuts down); 2 wrong usage; 3 refused by the server; 4 could
not finish (no server, or it is gone).
)";

class WatchParser final : public CommandParser {
 public:
  explicit WatchParser(CLI::App& tocsin)
      : CommandParser(tocsin, "watch", "Follow the sessions of a server", kWatchExamples) {
    CLI::App& a = app();
    server_.add_source(a);
    server_.add_credentials(a);
    add_text(a, "--env", room_name_, "NAME", "Only sessions in this room of the server (all)");
    add_text(a, "--session", session_, "NAME",
             "Only this session, as this command or the server's log names it (all)");
    a.add_flag("--all", all_, "Free steps, too (those with something to say)");
    a.add_flag("--json", json_, "One JSON object a line");
    add_text(a, "--seconds", seconds_, "S", "End after so long (when the server ends)");
    add_text(a, "--room", room_, "FILE",
             "Instead write the room's triangles to this file, of any format of convert (watch)");
  }

  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"--from", "--token-file", "--tls-ca", "--tls-cert", "--tls-key", "--env",
                         "--session", "--seconds", "--room"});
    FollowOptions o;
    o.connection = server_.connection();
    o.token_file = server_.token_file();
    o.what.environment = room_name_;
    if (!session_.empty()) o.what.sessions = {session_};
    o.what.poses = false;
    o.all = all_;
    o.json = json_;
    if (!seconds_.empty())
      o.seconds = parse_number_in("--seconds", seconds_, 0.0, kMostWatch, "from 0 to 1e7");
    o.room = room_;
    if (!o.room.empty() && (all_ || json_ || o.seconds || !session_.empty())) {
      throw UsageError{"--room writes a room and watches nothing: it goes with --env only"};
    }
    return o;
  }

 private:
  ServerArguments server_;
  std::string room_name_;
  std::string session_;
  std::string seconds_;
  std::string room_;
  bool all_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<CommandParser> watch_parser(CLI::App& tocsin) {
  return std::make_unique<WatchParser>(tocsin);
}

}  // namespace tocsin::app
