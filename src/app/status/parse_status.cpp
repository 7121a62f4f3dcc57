// The arguments of `tocsin status` and `tocsin sessions`.
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"
#include "app/status/control_client.h"
#include "app/status/status.h"

namespace tocsin::app {
namespace {

constexpr const char* kStatusExamples = R"(Examples:
  How the server of the package's service is (as root):
    tocsin status
  A server that keeps records, and was not told where its control socket is:
    tocsin serve --env house.obj --record records
    tocsin status --control records/control.sock
  For scripts:
    tocsin status --json

Exit status: 0 it is ready; 1 it is not, and why is said; 2 wrong usage; 4 no server answers.
)";

constexpr const char* kSessionsExamples = R"(Examples:
  Who is there:
    tocsin sessions --control records/control.sock
  End one of them, as the first column names it; its client is told, and its record is finished:
    tocsin sessions --control records/control.sock --end 5d0c7c2a9b1e
  For scripts:
    tocsin sessions --json

Exit status: 0 done; 2 wrong usage; 3 there is no such session; 4 no server answers.
)";

class ControlledParser : public CommandParser {
 public:
  ControlledParser(CLI::App& tocsin, const char* name, const char* description,
                   const char* examples)
      : CommandParser(tocsin, name, description, examples) {
    add_text(app(), "--control", control_, "PATH",
             "The server's control socket, as serve --control (/run/tocsin/control.sock)");
    app().add_flag("--json", json_, "As one JSON object");
  }

 protected:
  /// Throws UsageError.
  [[nodiscard]] std::filesystem::path control() const {
    refuse_empty(app(), {"--control"});
    return control_.empty() ? usual_control() : std::filesystem::path(control_);
  }
  [[nodiscard]] bool json() const { return json_; }

 private:
  std::string control_;
  bool json_ = false;
};

class StatusParser final : public ControlledParser {
 public:
  explicit StatusParser(CLI::App& tocsin)
      : ControlledParser(tocsin, "status", "How a server on this machine is", kStatusExamples) {}
  [[nodiscard]] Command command() const override { return StatusOptions{control(), json()}; }
};

class SessionsParser final : public ControlledParser {
 public:
  explicit SessionsParser(CLI::App& tocsin)
      : ControlledParser(tocsin, "sessions", "List or end the sessions of a server on this machine",
                         kSessionsExamples) {
    add_text(app(), "--end", end_, "SESSION", "End this session, as the list names it (list them)");
  }
  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"--end"});
    return SessionsOptions{control(), json(), end_};
  }

 private:
  std::string end_;
};

}  // namespace

std::unique_ptr<CommandParser> status_parser(CLI::App& tocsin) {
  return std::make_unique<StatusParser>(tocsin);
}

std::unique_ptr<CommandParser> sessions_parser(CLI::App& tocsin) {
  return std::make_unique<SessionsParser>(tocsin);
}

}  // namespace tocsin::app
