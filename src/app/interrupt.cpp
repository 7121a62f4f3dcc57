#include "app/interrupt.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <string_view>

#include "io/output_file.h"

namespace tocsin::app {
namespace {

/// A signal that whoever started us wants ignored (nohup, a shell's background job) stays ignored.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  if (!is_ignored(SIGINT)) sigaddset(&set, SIGINT);
  if (!is_ignored(SIGHUP)) sigaddset(&set, SIGHUP);
  return set;
}

/// How long a stop request may take before the process ends anyway: reading, hashing and building
/// trees do not look at the token, and a step answers within milliseconds.
constexpr int kPatienceSeconds = 2;

[[noreturn]] void end_now() {
  io::discard_open_output();
  constexpr std::string_view kWords = "tocsin: interrupted; no result was written\n";
  (void)!write(STDERR_FILENO, kWords.data(), kWords.size());
  _exit(4);
}

}  // namespace

InterruptWatch::InterruptWatch() : patience_(kPatienceSeconds) {
  (void)std::signal(SIGPIPE, SIG_IGN);
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] {
    started_.count_down();
    wait();
  });
  // Who forks must not do it while a thread is being made: a sanitizer's locks would stay locked in
  // the child.
  started_.wait();
}

InterruptWatch::~InterruptWatch() {
  over_ = true;
  // Wakes the thread by the same door that a signal comes through; the flag says that it is over.
  // Blocked and waited for, the signal kills nothing.
  // NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread)
  pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void InterruptWatch::wait() {
  const sigset_t set = watched_signals();
  for (;;) {
    const timespec patience{patience_, 0};
    const bool asked = source_.stop_requested();
    const int signal = sigtimedwait(&set, nullptr, asked ? &patience : nullptr);
    if (over_) return;
    if (signal < 0 && errno != EAGAIN) continue;
    if (!source_.request_stop() || patience_ == 0)
      end_now();  // a second signal, or no patience left
  }
}

}  // namespace tocsin::app
