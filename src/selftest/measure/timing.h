// Timing of many small stages in one run, and the figures that are printed about them.
#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

namespace tocsin::selftest {

/// Microseconds since some moment.
inline double now_us() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Microseconds of processor time that this thread has used. What one thread does is timed with
/// this: a stretch during which the machine ran something else does not count.
inline double cpu_us() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

/// The same of all threads of this process together.
inline double process_us() {
  std::timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
}

/// Keeps the compiler from dropping work whose result is not read.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// A distribution in a few numbers.
struct Figures {
  double median = 0.0;
  double p10 = 0.0;
  double p90 = 0.0;
  double p99 = 0.0;
  double mean = 0.0;
};

/// Takes a copy, as it must sort. All zero for no values.
Figures figures_of(std::vector<double> values);

/// Times of several rows over the same batches, pass after pass. A pass visits every batch, and at
/// each batch every row runs once: a slow moment of the machine hits all rows alike, and the median
/// over the passes drops it.
class Samples {
 public:
  Samples(std::size_t rows, std::size_t batches) : batches_(batches), passes_(rows) {}

  /// Starts a pass.
  void next_pass();
  /// Time per step of one row in one batch of the current pass.
  void set(std::size_t row, std::size_t batch, double microseconds);

  /// Over the batches of each one's median over the passes: how the cost varies along the take.
  [[nodiscard]] Figures along_take(std::size_t row) const;
  /// Over the passes of each one's mean over the batches: how well the run repeats itself.
  [[nodiscard]] Figures along_passes(std::size_t row) const;
  /// Over the passes of row `a`'s total divided by row `b`'s.
  [[nodiscard]] Figures ratio(std::size_t a, std::size_t b) const;

 private:
  [[nodiscard]] std::vector<double> totals(std::size_t row) const;

  std::size_t batches_;
  std::vector<std::vector<std::vector<double>>> passes_;  ///< row, pass, batch
};

}  // namespace tocsin::selftest
