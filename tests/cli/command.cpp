#include "cli/command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <regex.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "support/fnv1a.h"
#include "support/places.h"

namespace tocsin::test {
namespace {

namespace fs = std::filesystem;

std::vector<char*> argument_list(std::vector<std::string>& arguments) {
  std::vector<char*> out;
  for (std::string& argument : arguments) out.push_back(argument.data());
  out.push_back(nullptr);
  return out;
}

/// Starts the command; the child uses these descriptors as its standard output and error.
pid_t start(const std::vector<std::string>& arguments, const fs::path& folder, int out, int err) {
  std::vector<std::string> words{command_file()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<char*> list = argument_list(words);
  const pid_t child = fork();
  if (child != 0) return child;
  (void)std::signal(SIGINT, SIG_DFL);  // a test runner in the background leaves it ignored
  (void)std::signal(SIGHUP, SIG_DFL);
  dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (!folder.empty() && chdir(folder.c_str()) != 0) _exit(127);
  execv(list[0], list.data());
  _exit(127);
}

int wait_for_end(pid_t process) {
  int status = 0;
  if (waitpid(process, &status, 0) != process) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string file_bytes(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

CommandResult run_tocsin(const std::vector<std::string>& arguments, const fs::path& folder) {
  // Files instead of pipes: nothing to interleave, nothing to fill up.
  const TemporaryFolder captured;
  const int out = open(captured.full("out").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  const int err = open(captured.full("err").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  CommandResult result;
  result.status = wait_for_end(start(arguments, folder, out, err));
  close(out);
  close(err);
  result.out = captured.read("out");
  result.err = captured.read("err");
  return result;
}

Terminal::Terminal() : own(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
  std::array<char, 128> name{};
  if (own >= 0 && grantpt(own) == 0 && unlockpt(own) == 0 &&
      ptsname_r(own, name.data(), name.size()) == 0) {
    of_command = open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  }
  if (of_command >= 0) return;
  const std::string cause = std::strerror(errno);
  if (own >= 0) close(own);
  throw std::runtime_error("no pseudo-terminal: mount /dev/pts (" + cause + ")");
}

Terminal::~Terminal() {
  close_command_end();
  close(own);
}

void Terminal::close_command_end() {
  if (of_command >= 0) close(of_command);
  of_command = -1;
}

RunningCommand::RunningCommand(const std::vector<std::string>& arguments, const fs::path& folder) {
  const int out = open("/dev/null", O_WRONLY | O_CLOEXEC);
  process_ = start(arguments, folder, out, ends_.of_command);
  ends_.close_command_end();
  close(out);
}

RunningCommand::~RunningCommand() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    wait_for_end(process_);
  }
}

bool RunningCommand::read_some(int time) {
  pollfd waiting{ends_.own, POLLIN, 0};
  if (poll(&waiting, 1, time) <= 0) return true;
  std::array<char, 4096> block{};
  const ssize_t count = read(ends_.own, block.data(), block.size());
  if (count <= 0) return false;  // the other end is closed
  terminal_.append(block.data(), static_cast<std::size_t>(count));
  return true;
}

bool RunningCommand::wait_for(const std::string& text, double time) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(time);
  while (terminal_.find(text) == std::string::npos) {
    if (std::chrono::steady_clock::now() > deadline || !read_some(50)) return false;
  }
  return true;
}

void RunningCommand::send(int signal) const {
  if (process_ > 0) kill(process_, signal);  // -1 would be everyone
}

int RunningCommand::finish() {
  while (read_some(60'000)) {
    if (waitpid(process_, nullptr, WNOHANG | WNOWAIT) > 0) break;
  }
  const int status = wait_for_end(process_);
  process_ = -1;
  while (read_some(0)) {
    pollfd waiting{ends_.own, POLLIN, 0};
    if (poll(&waiting, 1, 0) <= 0) break;
  }
  return status;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "tocsin-test-XXXXXX").string();
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& bytes) const {
  std::ofstream out(path_ / name, std::ios::binary);
  out << bytes;
  EXPECT_TRUE(out.good());
  return full(name);
}

std::string TemporaryFolder::read(const std::string& name) const {
  return file_bytes(path_ / name);
}

std::vector<std::string> TemporaryFolder::files() const {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(path_)) {
    out.push_back(entry.path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool matches(const std::string& text, const std::string& pattern) {
  regex_t compiled{};
  const int status = regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB);
  EXPECT_EQ(status, 0) << pattern;
  if (status != 0) return false;
  const bool found = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::vector<std::string> lines_of_type(const std::string& report, const std::string& type) {
  std::vector<std::string> out;
  for (const std::string& line : lines_of(report)) {
    if (line.rfind("{\"type\":\"" + type + "\"", 0) == 0) out.push_back(line);
  }
  return out;
}

std::string hash_of_contacts(const std::string& report) {
  std::uint64_t hash = kFnvBasis;
  for (const std::string& line : lines_of_type(report, "contact")) hash = fnv1a(line + "\n", hash);
  return fmt::format("{:016x}", hash);
}

}  // namespace tocsin::test
