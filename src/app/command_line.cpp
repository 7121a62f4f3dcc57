#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <sstream>
#include <string_view>
#include <vector>

#include "app/cli/help_format.h"
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
  tocsin serve --env house.obj
  tocsin send take.bvh --to localhost:50051
  tocsin devices
  tocsin selftest
  tocsin make-room house.ply --triangles 1M
  tocsin convert take.amc take.bvh

`tocsin COMMAND --help` tells more about each.
)";

using Parsers = std::vector<std::unique_ptr<CommandParser>>;

Parsers all_parsers(CLI::App& tocsin) {
  Parsers out;
  for (const auto make : {check_parser, info_parser, verify_parser, validate_parser, render_parser,
                          serve_parser, send_parser, devices_parser, selftest_parser,
                          convert_parser, make_room_parser, make_motion_parser}) {
    out.push_back(make(tocsin));
  }
  return out;
}

/// The name of the command whose arguments are read, for messages: "tocsin check".
std::string command_name(const CLI::App& app) {
  for (const CLI::App* sub : app.get_subcommands()) return "tocsin " + sub->get_name();
  return "tocsin";
}

[[noreturn]] void refuse(const CLI::App& app, const Parsers& parsers, int argc,
                         const char* const* argv, const CLI::ParseError& error) {
  const std::string command = command_name(app);
  const bool names_unknown_command = command == "tocsin" && argc > 1 && argv[1][0] != '-';
  if (names_unknown_command) {
    std::vector<std::string> names;
    for (const auto& parser : parsers) names.push_back(parser->name());
    throw UsageError{fmt::format("there is no command \"{}\"; the commands are {}",
                                 base::printable(argv[1]), listed(names))};
  }
  throw UsageError{fmt::format("{} (try: {} --help)", base::printable(error.what()), command)};
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
  CLI::App app(
      "Tocsin tells when, where and with what a motion-captured avatar first touches a room: with "
      "proof, and at every moment, not only at the recorded frames.",
      "tocsin");
  app.formatter(std::make_shared<HelpFormat>());
  app.set_version_flag("--version", fmt::format("tocsin {}", kVersion), "Show the version");
  app.footer(kExamples);
  app.require_subcommand(0, 1);
  const Parsers parsers = all_parsers(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // help or version
    std::ostringstream text;
    app.exit(asked, text, text);
    return ShowText{text.str(), false};
  } catch (const CLI::ParseError& error) {
    refuse(app, parsers, argc, argv, error);
  }
  for (const auto& parser : parsers) {
    if (parser->asked_for()) return parser->command();
  }
  return ShowText{app.help(), true};
}

}  // namespace tocsin::app
