#include "app/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <ctime>

#include "app/output_file.h"

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

}  // namespace

InterruptWatch::InterruptWatch() {
  (void)std::signal(SIGPIPE, SIG_IGN);
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] { wait(); });
}

InterruptWatch::~InterruptWatch() {
  over_ = true;
  // Wakes the thread by the same door that a signal comes through; the flag says that it is over.
  pthread_kill(thread_.native_handle(), SIGTERM);
  thread_.join();
}

void InterruptWatch::wait() {
  const sigset_t set = watched_signals();
  for (;;) {
    int signal = 0;
    if (sigwait(&set, &signal) != 0) continue;
    if (over_) return;
    if (!source_.request_stop()) {
      discard_open_output();
      _exit(4);
    }
  }
}

}  // namespace tocsin::app
