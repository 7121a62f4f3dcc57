// A line on a terminal that shows the progress of a long call.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tocsin::app {

/// Shows "checking  42%  1,155 of 2,750 steps, 3,100 steps/s, 1 s left" on standard error: only if
/// that is a terminal, only for what takes more than a second, and gone when it is over.
class Progress {
 public:
  Progress(std::string what, std::int64_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  /// One more step is done.
  void step() { show(done_ + 1); }
  /// So many steps are done.
  void show(std::int64_t done);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::string what_;
  std::int64_t total_ = 0;
  std::int64_t done_ = 0;
  bool terminal_ = false;
  bool visible_ = false;
  Clock::time_point begin_;
  Clock::time_point next_;
};

/// The line that Progress shows after `seconds`.
std::string progress_line(const std::string& what, std::int64_t done, std::int64_t total,
                          double seconds);

}  // namespace tocsin::app
