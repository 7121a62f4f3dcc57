// What the parsers of all commands share: how options are added and read, and the options that say
// how motions and rooms are read.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "app/options.h"
#include "io/json_text.h"
#include "io/option_names.h"
#include "tocsin/io.h"

namespace tocsin::app {

/// An option with a text for a value. `group` is the heading under which help lists it; empty: the
/// usual one.
CLI::Option* add_text(CLI::App& app, const char* name, std::string& value, const char* type,
                      const char* description, const char* group = "");

/// An option that may be given many times, with one value each time.
void add_texts(CLI::App& app, const char* name, std::vector<std::string>& values, const char* type,
               const char* description, const char* group);

/// An option that was given an empty text, as by "$UNSET" in a script, is not one that was left
/// out. Throws UsageError.
void refuse_empty(const CLI::App& app, std::initializer_list<const char*> options);

/// The value of that name. Throws UsageError listing all names.
template <class Enum>
Enum parse_name(std::string_view option, const std::string& text) {
  if (const auto value = io::value_named<Enum>(text)) return *value;
  throw UsageError{fmt::format("{}: expected one of {}, found \"{}\"", option,
                               io::all_names<Enum>(), io::printable(text))};
}

/// `--threads N`; 0 for an empty text: all.
int parse_threads(const std::string& text);

/// `--motion-unit`, `--motion-up`, `--skeleton`, `--rate`, `--clip`, `--skin`.
class MotionArguments {
 public:
  void add(CLI::App& app, const char* group = "");
  /// Throws UsageError.
  [[nodiscard]] MotionOptions options(const CLI::App& app) const;

 private:
  std::string unit_ = "auto";
  std::string up_ = "y";
  std::string skeleton_;
  std::string rate_;
  std::string clip_;
  std::string skin_;
};

/// `--env-up`, `--env-scale`.
class RoomArguments {
 public:
  void add(CLI::App& app, const char* group = "");
  /// Throws UsageError.
  [[nodiscard]] EnvironmentOptions options() const;

 private:
  std::string up_ = "y";
  std::string scale_ = "1";
};

/// How a file that may be a take or a room is read: all of the above and `--as`.
class ReadingArguments {
 public:
  /// `as_help`: what --as decides, for help.
  void add(CLI::App& app, const char* as_help);
  /// Sets the fields `as`, `reading` and `room` of a command's options. Throws UsageError.
  template <class Options>
  void resolve(const CLI::App& app, Options& options) const {
    options.as = parse_kind("--as", as_);
    options.reading = motion_.options(app);
    options.room = room_.options();
  }

 private:
  std::string as_ = "auto";
  MotionArguments motion_;
  RoomArguments room_;
};

}  // namespace tocsin::app
