// Runs the command `tocsin` as a user does.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace tocsin::test {

struct CommandResult {
  int status = -1;  ///< exit status; 128 + signal if a signal ended it
  std::string out;
  std::string err;
};

/// Runs `tocsin` with these arguments in `folder` (the current one if empty).
CommandResult run_tocsin(const std::vector<std::string>& arguments,
                         const std::filesystem::path& folder = {});

/// A new pseudo-terminal: its own end, and the end that a command writes to. The constructor throws
/// std::runtime_error where the system has none, so that the test ends at once.
struct Terminal {
  Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();
  /// When the command has ended too, reading from the own end fails, and no longer waits.
  void close_command_end();

  int own = -1;
  int of_command = -1;
};

/// A `tocsin` that is still running, its standard error on a terminal of its own.
class RunningCommand {
 public:
  RunningCommand(const std::vector<std::string>& arguments, const std::filesystem::path& folder);
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;
  ~RunningCommand();

  /// Reads what appears on the terminal until it contains `text`; false after `time` seconds.
  bool wait_for(const std::string& text, double time);
  void send(int signal) const;
  /// Waits for the end; exit status as in CommandResult.
  int finish();
  [[nodiscard]] const std::string& terminal() const { return terminal_; }

 private:
  bool read_some(int time);

  pid_t process_ = -1;
  Terminal ends_;
  std::string terminal_;
};

/// A folder that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a file in it; returns its full name.
  std::string write(const std::string& name, const std::string& bytes) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] std::string full(const std::string& name) const { return (path_ / name).string(); }
  /// Names of all files in it, in order.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

/// True if the POSIX extended regular expression matches somewhere in the text. (<regex> does not
/// compile without warnings under g++ 12 with sanitizers.)
bool matches(const std::string& text, const std::string& pattern);

/// The lines of a text, without their newlines.
std::vector<std::string> lines_of(const std::string& text);

/// The lines of a report that are of this type.
std::vector<std::string> lines_of_type(const std::string& report, const std::string& type);

/// What a report's hash must be, by code that shares nothing with the writer: FNV-1a over its
/// contact lines with their newlines, sixteen hexadecimal digits.
std::string hash_of_contacts(const std::string& report);

}  // namespace tocsin::test
