// The interface of the commands' argument parsers.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

#include "app/command.h"

namespace tocsin::app {

/// A command on the command line: adds itself and its options to the parser, and returns their
/// values.
class CommandParser {
 public:
  CommandParser(CLI::App& tocsin, const char* name, const char* description, const char* examples)
      : app_(*tocsin.add_subcommand(name, description)) {
    app_.footer(examples);
  }
  CommandParser(const CommandParser&) = delete;
  CommandParser& operator=(const CommandParser&) = delete;
  virtual ~CommandParser() = default;

  [[nodiscard]] bool asked_for() const { return app_.parsed(); }
  [[nodiscard]] std::string name() const { return app_.get_name(); }
  /// After the command line was read: options from elsewhere. Throws UsageError.
  virtual void complete() {}
  /// The command with its options' values. Throws UsageError.
  [[nodiscard]] virtual Command command() const = 0;

 protected:
  [[nodiscard]] CLI::App& app() { return app_; }
  [[nodiscard]] const CLI::App& app() const { return app_; }

 private:
  CLI::App& app_;
};

std::unique_ptr<CommandParser> check_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> info_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> verify_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> convert_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> make_room_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> make_motion_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> make_robot_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> devices_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> validate_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> render_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> export_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> report_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> view_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> selftest_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> serve_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> send_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> update_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> watch_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> status_parser(CLI::App& tocsin);
std::unique_ptr<CommandParser> sessions_parser(CLI::App& tocsin);

}  // namespace tocsin::app
