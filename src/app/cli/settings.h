// Options of a command from its environment and from a file, beside its command line: one schema
// for the three.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace tocsin::app {

/// Where options come from beside the command line.
struct SettingSources {
  std::string_view format;  ///< of the file, its member "format": "tocsin.serve.v1"
  std::string_view prefix;  ///< of variables: "TOCSIN_SERVE_"
};

/// Gives `app` the options that its command line does not have. First from the environment:
/// TOCSIN_SERVE_MAX_SESSIONS is --max-sessions; several values of a repeatable option are separated
/// by ';'. Then from the file that --config names, a JSON object whose members are long names of
/// options without the dashes. A value is a text, a number, true or false, null for an option that
/// is not given, or a list of texts for a repeatable one. Throws UsageError: a variable or a member
/// that is no option (with the one that was probably meant), a value of a wrong kind, a file that
/// cannot be read. Wrong in a file is exit status 3, else 2.
void apply_settings(CLI::App& app, const SettingSources& sources);

/// All options in force, as such a file, in the order of help. A number stands as one.
std::string settings_text(CLI::App& app, const SettingSources& sources);

}  // namespace tocsin::app
