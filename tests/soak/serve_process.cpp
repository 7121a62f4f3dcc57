#include "soak/serve_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "support/places.h"

namespace tocsin::test {
namespace {

namespace fs = std::filesystem;

/// Seconds. Rooms are loaded before it listens.
constexpr int kStartTimeLimit = 60;

}  // namespace

ServeProcess::ServeProcess(const std::vector<std::string>& arguments, const fs::path& log)
    : log_(log) {
  std::array<int, 2> pipe{};
  if (pipe2(pipe.data(), O_CLOEXEC) != 0) return;
  std::vector<std::string> words{command_file(), "serve", "--listen", "127.0.0.1:0"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ == 0) {
    // A test that is killed leaves no server behind. (So does a thread that ends: tests start
    // servers on their main one.)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    // A test runner in the background leaves one ignored, nohup the other.
    (void)std::signal(SIGINT, SIG_DFL);
    (void)std::signal(SIGHUP, SIG_DFL);
    dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
    dup2(pipe[1], STDOUT_FILENO);
    dup2(open(log.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600), STDERR_FILENO);
    execv(list[0], list.data());
    _exit(127);
  }
  close(pipe[1]);
  out_ = pipe[0];
  std::string line;
  while (line.find('\n') == std::string::npos) {
    pollfd waiting{out_, POLLIN, 0};
    std::array<char, 1024> block{};
    if (poll(&waiting, 1, kStartTimeLimit * 1000) <= 0) return;
    const ssize_t count = read(out_, block.data(), block.size());
    if (count <= 0) return;
    line.append(block.data(), static_cast<std::size_t>(count));
  }
  said_ = line;
  constexpr std::string_view kBegin = "listening on ";
  if (!line.starts_with(kBegin)) return;
  line.erase(0, kBegin.size());
  address_ = line.substr(0, line.find_first_of(", \n"));
}

ServeProcess::~ServeProcess() {
  if (running()) {
    kill(process_, SIGKILL);
    wait(10.0);
  }
  if (out_ >= 0) close(out_);
}

bool ServeProcess::running() const {
  if (process_ <= 0) return false;
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == 0;
}

void ServeProcess::send(int signal) const {
  if (running()) kill(process_, signal);  // never -1, which would mean everybody
}

int ServeProcess::wait(double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int status = 0;
  if (process_ <= 0) return -1;  // it would wait for any other child
  while (true) {
    const pid_t ended = waitpid(process_, &status, WNOHANG);
    if (ended < 0) return -1;
    if (ended > 0) break;
    if (std::chrono::steady_clock::now() > deadline) return -1;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

double ServeProcess::resident_mib() const {
  std::ifstream in(fmt::format("/proc/{}/statm", process_));
  double size = 0.0;
  double resident = 0.0;
  in >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

namespace {

std::size_t entries(const std::string& folder) {
  std::error_code error;
  std::size_t count = 0;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    ++count;
  }
  return count;
}

}  // namespace

std::size_t ServeProcess::descriptors() const {
  return entries(fmt::format("/proc/{}/fd", process_));
}

std::size_t ServeProcess::threads() const {
  return entries(fmt::format("/proc/{}/task", process_));
}

std::string ServeProcess::log() const {
  std::ifstream in(log_, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace tocsin::test
