// Shared by the parsers of all commands: adding and reading options, and the options for reading
// motions and rooms.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/option_texts.h"
#include "app/cli/options.h"
#include "base/json_text.h"
#include "io/report/option_names.h"
#include "tocsin/io.h"

namespace tocsin::app {

/// Of numbers that may be as large as they like, or must only be above 0.
inline constexpr double kGreatest = std::numeric_limits<double>::max();
inline constexpr double kLeast = std::numeric_limits<double>::min();

/// Devices of one kind; more is a typing error.
inline constexpr int kMostDevices = 1000;

/// The heading of options that do not change results.
inline constexpr const char* kRunning = "How it runs";

/// An option with a text for a value. `group` is the heading under which help lists it; empty: the
/// usual one.
CLI::Option* add_text(CLI::App& app, const char* name, std::string& value, const char* type,
                      const char* description, const char* group = "");

CLI::Option* add_text(CLI::App& app, const OptionText& option, std::string& value,
                      const char* group = "");

/// An option that may be given many times, with one value each time.
void add_texts(CLI::App& app, const char* name, std::vector<std::string>& values, const char* type,
               const char* description, const char* group);
void add_texts(CLI::App& app, const OptionText& option, std::vector<std::string>& values,
               const char* group);

/// An option without a value.
void add_flag(CLI::App& app, const OptionText& option, bool& value, const char* group);

/// `--out`: writes `what`, else `otherwise`.
void add_out(CLI::App& app, std::string& value, const char* what, const char* otherwise);
/// `--seed`: what chance decides.
void add_seed(CLI::App& app, std::string& value, const char* what, const char* group = "");

/// Refuses options with an empty text, such as "$UNSET" in a script. Throws UsageError.
void refuse_empty(const CLI::App& app, std::initializer_list<const char*> options);

/// An option that a command of several takes takes once, for all of them, or once for each, in
/// their order.
class PerTake {
 public:
  /// usual: the value if it is not given.
  explicit PerTake(std::string usual = {}) : usual_(std::move(usual)) {}
  /// several: of a command of several takes.
  void add(CLI::App& app, const OptionText& option, const char* group, bool several);
  /// The text for take i of n; "auto", of an option without a usual text, is as if it were not
  /// given for that take. Throws UsageError: given another number of times.
  [[nodiscard]] const std::string& of(std::size_t i, std::size_t n) const;

 private:
  std::string name_;
  std::string usual_;
  std::vector<std::string> given_;
};

/// The value of that name. Throws UsageError listing all names.
template <class Enum>
Enum parse_name(std::string_view option, const std::string& text) {
  if (const auto value = io::value_named<Enum>(text)) return *value;
  throw UsageError{fmt::format("{}: expected one of {}, found \"{}\"", option,
                               io::all_names<Enum>(), base::printable(text))};
}

/// `--cuda-device N[,N...]`; none for an empty text. Throws UsageError: no indices, or one twice.
std::vector<int> parse_cuda_devices(const std::string& text);

/// `--lookahead S` of a session. Throws UsageError.
double parse_lookahead(std::string_view option, const std::string& text);

/// `--threads N`; 0 for an empty text: all.
int parse_threads(const std::string& text);

/// `--motion-unit`, `--motion-up`, `--skeleton`, `--rate`, `--clip`, `--skin`.
class MotionArguments {
 public:
  /// several: see PerTake.
  void add(CLI::App& app, const char* group = "", bool several = false);
  /// How take i of n is read. Throws UsageError.
  [[nodiscard]] MotionOptions options(const CLI::App& app, std::size_t i = 0,
                                      std::size_t n = 1) const;

 private:
  PerTake unit_{"auto"};
  PerTake up_{"y"};
  PerTake skeleton_;
  PerTake rate_;
  PerTake clip_;
  PerTake skin_;
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
  /// `automatic`: what `--as auto` decides, for help.
  void add(CLI::App& app, const char* automatic);
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
