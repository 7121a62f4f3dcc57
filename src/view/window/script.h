// What a window is told by a file instead of a person: for tests, and for pictures of docs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::view {

/// One line of a script.
struct ScriptLine {
  int number = 0;  ///< in the file, from 1
  std::string command;
  std::vector<std::string> words;  ///< behind the command
  std::string rest;                ///< the same as it stands
};

/// The lines of a script without blank ones and comments (#). Errors (kInput), naming file and
/// line: a command that is not known, or has not as many words as it needs.
Result<std::vector<ScriptLine>> parse_script(std::string_view text, const std::string& file);

/// A number of a script's line. Errors (kInput).
Result<double> script_number(const ScriptLine& line, std::size_t word, const std::string& file);

/// The commands, a line each, for docs.
std::string script_help();

}  // namespace tocsin::view
