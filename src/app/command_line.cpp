#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/help_format.h"
#include "app/cli/nearest_name.h"
#include "app/cli/parse_command.h"
#include "app/cli/words.h"
#include "base/json_text.h"
#include "tocsin/version.h"

namespace tocsin::app {
namespace {

constexpr const char* kExamples = R"(Examples:
  tocsin check take.bvh --env house.obj
  tocsin info house.obj
  tocsin verify report.jsonl
  tocsin validate take.bvh --env house.obj
  tocsin render take.bvh --env house.obj --frame 105 -o step.png
  tocsin view take.bvh --env house.obj
  tocsin report report.jsonl --html contacts.html
  tocsin export report.jsonl contacts.glb
  tocsin serve --env house.obj
  tocsin send take.bvh --to localhost:50051
  tocsin update hall move:door@1,0,2 --to localhost:50051
  tocsin watch --from localhost:50051
  tocsin status
  tocsin devices
  tocsin selftest
  tocsin make-room house.ply --triangles 1M
  tocsin convert take.amc take.bvh

`tocsin help COMMAND` tells more about each.

Exit status: 0 done; 1 something was found that was looked for (a contact, a difference); 2 wrong
usage, or a backend that is not available; 3 an input was refused; 4 could not finish.
)";

using Parsers = std::vector<std::unique_ptr<CommandParser>>;

Parsers all_parsers(CLI::App& tocsin) {
  Parsers out;
  for (const auto make :
       {check_parser,    info_parser,    verify_parser,    validate_parser,    render_parser,
        view_parser,     report_parser,  export_parser,    serve_parser,       send_parser,
        update_parser,   watch_parser,   status_parser,    sessions_parser,    devices_parser,
        selftest_parser, convert_parser, make_room_parser, make_motion_parser, make_robot_parser}) {
    out.push_back(make(tocsin));
  }
  return out;
}

/// The name of the command whose arguments are read, for messages: "tocsin check".
std::string command_name(const CLI::App& app) {
  for (const CLI::App* sub : app.get_subcommands()) return "tocsin " + sub->get_name();
  return "tocsin";
}

std::vector<std::string> command_names(const Parsers& parsers) {
  std::vector<std::string> names;
  for (const auto& parser : parsers) names.push_back(parser->name());
  return names;
}

[[noreturn]] void refuse_command(const Parsers& parsers, const std::string& asked) {
  const auto names = command_names(parsers);
  const std::string meant = nearest_name(asked, names);
  throw UsageError{
      fmt::format("there is no command \"{}\"; {}the commands are {}", base::printable(asked),
                  meant.empty() ? "" : fmt::format("did you mean {}? ", meant), listed(names))};
}

/// The long options of a command.
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> out;
  for (const CLI::Option* const option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) out.push_back("--" + name);
  }
  return out;
}

/// Refuses the first option that the command does not have, if there is one.
void refuse_option(const CLI::App& app, const std::string& command, int argc,
                   const char* const* argv) {
  const std::vector<std::string> known = option_names(app);
  for (int i = 2; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") return;
    const std::string name(argument.substr(0, argument.find('=')));
    if (!name.starts_with("--") || std::find(known.begin(), known.end(), name) != known.end()) {
      continue;
    }
    const std::string meant = nearest_name(name, known);
    throw UsageError{
        fmt::format("there is no option {}{} (try: {} --help)", base::printable(name),
                    meant.empty() ? "" : fmt::format("; did you mean {}?", meant), command),
        command};
  }
}

[[noreturn]] void refuse(const CLI::App& app, const Parsers& parsers, int argc,
                         const char* const* argv, const CLI::ParseError& error) {
  const std::string command = command_name(app);
  const bool names_unknown_command = command == "tocsin" && argc > 1 && argv[1][0] != '-';
  if (names_unknown_command) refuse_command(parsers, argv[1]);
  for (const CLI::App* const sub : app.get_subcommands()) refuse_option(*sub, command, argc, argv);
  throw UsageError{fmt::format("{} (try: {} --help)", base::printable(error.what()), command),
                   command};
}

/// `tocsin help COMMAND` as `tocsin COMMAND --help`.
std::vector<const char*> without_help_command(int argc, const char* const* argv,
                                              const Parsers& parsers) {
  std::vector<const char*> out(argv, argv + argc);
  if (argc < 2 || std::string_view(argv[1]) != "help") return out;
  if (argc > 3) throw UsageError{"help: name one command"};
  if (argc == 3) {
    const auto names = command_names(parsers);
    const std::string asked = argv[2];
    const bool known = std::find(names.begin(), names.end(), asked) != names.end();
    if (!known && asked != "--help") refuse_command(parsers, asked);
  }
  out.erase(out.begin() + 1);
  out.push_back("--help");
  return out;
}

/// The command; an error of its options' values gets its name.
Command command_of(CommandParser& parser) {
  try {
    parser.complete();
    return parser.command();
  } catch (UsageError& error) {
    error.command = "tocsin " + parser.name();
    throw;
  }
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
  CLI::App app(
      "Tocsin tells when, where and with what a motion-captured avatar first touches a room: with "
      "proof, and at every moment, not only at the recorded frames.",
      "tocsin");
  app.formatter(std::make_shared<HelpFormat>());
  app.set_version_flag("-V,--version", fmt::format("tocsin {}", kVersion), "Show the version");
  app.footer(kExamples);
  app.require_subcommand(0, 1);
  const Parsers parsers = all_parsers(app);
  const std::vector<const char*> arguments = without_help_command(argc, argv, parsers);
  try {
    app.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::Success& asked) {  // help or version
    std::ostringstream text;
    app.exit(asked, text, text);
    return ShowText{text.str(), false};
  } catch (const CLI::ParseError& error) {
    refuse(app, parsers, argc, argv, error);
  }
  for (const auto& parser : parsers) {
    if (parser->asked_for()) return command_of(*parser);
  }
  return ShowText{app.help(), true};
}

}  // namespace tocsin::app
