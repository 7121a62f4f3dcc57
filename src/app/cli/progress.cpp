#include "app/cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "app/cli/words.h"

namespace tocsin::app {
namespace {

// Short calls show nothing. Then the line changes often enough to show progress.
constexpr std::chrono::milliseconds kFirstAfter{1000};
constexpr std::chrono::milliseconds kEvery{100};

std::string time_left(double seconds) {
  if (seconds < 90.0) return fmt::format("{:.0f} s left", std::max(1.0, seconds));
  if (seconds < 5400.0) return fmt::format("{:.0f} min left", seconds / 60.0);
  return fmt::format("{:.1f} h left", seconds / 3600.0);
}

}  // namespace

std::string progress_line(const std::string& what, std::int64_t done, std::int64_t total,
                          double seconds) {
  const double fraction = total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0;
  const double rate = seconds > 0.0 ? static_cast<double>(done) / seconds : 0.0;
  std::string line = fmt::format("{}  {:3.0f}%  {} of {} steps", what, 100.0 * fraction,
                                 grouped(done), grouped(total));
  if (rate > 0.0) {
    line += rate < 10.0 ? fmt::format(", {:.1f} steps/s, ", rate)
                        : fmt::format(", {} steps/s, ", grouped(static_cast<std::int64_t>(rate)));
    line += time_left(static_cast<double>(total - done) / rate);
  }
  return line;
}

Progress::Progress(std::string what, std::int64_t total)
    : what_(std::move(what)),
      total_(total),
      terminal_(::isatty(STDERR_FILENO) == 1),
      begin_(Clock::now()),
      next_(begin_ + kFirstAfter) {}

void Progress::show(std::int64_t done) {
  done_ = done;
  if (!terminal_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + kEvery;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  visible_ = true;
  std::fputs(("\r\033[K" + progress_line(what_, done_, total_, seconds)).c_str(), stderr);
  std::fflush(stderr);
}

void Progress::clear() {
  if (!visible_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  visible_ = false;
}

}  // namespace tocsin::app
