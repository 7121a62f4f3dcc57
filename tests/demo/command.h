// Runs a command and keeps what it prints.
#pragma once

#include <string>

namespace tocsin::test {

struct CommandOutput {
  int status = -1;  ///< exit status; -1 if the command could not be run
  std::string out;  ///< standard output
};

/// Runs a shell command line. Standard error goes to the test's own.
CommandOutput run_command(const std::string& line);

/// True if python3 can be run. The demo's generators and its brute-force check need it; Tocsin does
/// not.
bool have_python();

/// A whole file's bytes; empty, with a test failure, if it cannot be read.
std::string file_bytes(const std::string& path);

}  // namespace tocsin::test
