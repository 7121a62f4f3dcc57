// Ctrl-C and other signals as a stop token.
#pragma once

#include <atomic>
#include <chrono>
#include <latch>
#include <stop_token>
#include <string>
#include <thread>

namespace tocsin::app {

/// Handles SIGINT, SIGTERM and SIGHUP during its lifetime. The first one becomes a stop request. A
/// second one, or `grace` seconds, end the process (status 4) and leave no half-written file.
/// Signals within half a second of the first one are the same request: GNU timeout signals a
/// process and then its group. It must be made before any other thread, because threads inherit the
/// mask of blocked signals. SIGPIPE and SIGXFSZ are ignored: writing to a closed pipe, or beyond a
/// limit on files' sizes, is then an ordinary error.
class InterruptWatch {
 public:
  InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  ~InterruptWatch();

  /// For a call that does not test the token: the first signal ends the process.
  void end_at_once() { grace_ = 0; }
  /// For a call that has much to finish: it may take so long after the first signal. If it takes
  /// longer, or a second signal comes, `last_words` (with a newline) is written to standard error.
  void set_grace(std::chrono::seconds grace, const char* last_words);
  /// From now on SIGHUP is no stop request: it is counted. A SIGHUP that was ignored at the start
  /// (nohup) stays ignored.
  void count_hangups() { counts_hangups_ = true; }
  /// How many there were since.
  [[nodiscard]] int hangups() const { return hangups_; }
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  void wait();

  std::stop_source source_;
  std::latch started_{1};
  std::atomic<bool> over_{false};
  std::atomic<bool> counts_hangups_{false};
  std::atomic<int> hangups_{0};
  std::atomic<int> grace_;  ///< seconds
  std::atomic<const char*> last_words_;
  std::thread thread_;
};

}  // namespace tocsin::app
