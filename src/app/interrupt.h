// Ctrl-C and friends as a stop token.
#pragma once

#include <atomic>
#include <chrono>
#include <latch>
#include <stop_token>
#include <string>
#include <thread>

namespace tocsin::app {

/// Takes SIGINT, SIGTERM and SIGHUP for as long as it lives and turns the first one into a stop
/// request; a second one, or `patience` seconds, end the process (status 4), leaving no
/// half-written file. What comes within half a second of the first one is the same request: GNU
/// timeout signals a process and then its group. Must be made before any other thread, as threads
/// inherit which signals they leave alone. SIGPIPE and SIGXFSZ are ignored: writing to a closed
/// pipe, or beyond a limit on files' sizes, is an error like any other.
class InterruptWatch {
 public:
  InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch();

  /// For a call that does not look at the token: the first signal ends the process.
  void end_at_once() { patience_ = 0; }
  /// For a call that has much to finish: it may take so long after the first signal. `last_words`,
  /// with its newline, is what standard error hears if it takes longer or a second signal comes.
  void be_patient(std::chrono::seconds patience, const char* last_words);
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  void wait();

  std::stop_source source_;
  std::latch started_{1};
  std::atomic<bool> over_{false};
  std::atomic<int> patience_;  ///< seconds
  std::atomic<const char*> last_words_;
  std::thread thread_;
};

}  // namespace tocsin::app
