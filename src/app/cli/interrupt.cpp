#include "app/cli/interrupt.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <string_view>

#include "base/output_file.h"

namespace tocsin::app {
namespace {

/// A signal that is ignored at the start (nohup, a shell's background job) stays ignored.
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

/// How long a stop request may take before the process is ended: reading, hashing and building
/// trees do not test the token. A step answers within milliseconds.
constexpr int kGraceSeconds = 2;

/// Signals so soon after the first one are the same request. Longer: an intended second signal is
/// ignored for longer. Shorter: on a busy machine the two signals of GNU timeout count as two.
constexpr std::chrono::milliseconds kSameRequest{500};

/// The grace is counted in waits of this length, so that time in which the whole machine stops is
/// none of it.
constexpr std::chrono::milliseconds kPartOfGrace{50};

constexpr const char* kLastWords = "tocsin: interrupted; no result was written\n";

[[noreturn]] void end_now(std::string_view last_words) {
  base::discard_open_output();
  (void)!write(STDERR_FILENO, last_words.data(), last_words.size());
  _exit(4);
}

}  // namespace

InterruptWatch::InterruptWatch() : grace_(kGraceSeconds), last_words_(kLastWords) {
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] {
    started_.count_down();
    wait();
  });
  // No fork may happen while a thread is being made: a sanitizer's locks would stay locked in the
  // child.
  started_.wait();
}

InterruptWatch::~InterruptWatch() {
  over_ = true;
  // Wakes the thread by a signal; the flag says that it must end. The signal is blocked and waited
  // for, so it kills nothing. NOLINTNEXTLINE(bugprone-bad-signal-to-kill-thread)
  pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void InterruptWatch::set_grace(std::chrono::seconds grace, const char* last_words) {
  last_words_ = last_words;
  grace_ = static_cast<int>(grace.count());
}

void InterruptWatch::wait() {
  using Clock = std::chrono::steady_clock;
  const sigset_t set = watched_signals();
  Clock::time_point first;             // signal
  std::chrono::milliseconds waited{};  // since then
  const timespec part{0, static_cast<long>(std::chrono::nanoseconds(kPartOfGrace).count())};
  for (;;) {
    const bool asked = source_.stop_requested();
    const int signal = sigtimedwait(&set, nullptr, asked ? &part : nullptr);
    if (over_) return;
    if (signal < 0 && errno != EAGAIN) continue;
    if (signal == SIGHUP && counts_hangups_) {
      ++hangups_;
      continue;
    }
    const auto now = Clock::now();
    if (signal > 0 && asked && grace_ > 0 && now - first < kSameRequest) continue;
    if (signal < 0 && (waited += kPartOfGrace) < std::chrono::seconds(grace_)) continue;
    if (!asked) first = now;
    if (!source_.request_stop() || grace_ == 0)
      end_now(last_words_.load());  // a second signal, or no grace left
  }
}

}  // namespace tocsin::app
