// What a server holds, over time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tocsin::test {

struct MemorySample {
  double seconds = 0.0;
  double resident_mib = 0.0;
  std::size_t descriptors = 0;
  std::size_t threads = 0;
  std::size_t sessions = 0;
};

class MemoryWatch {
 public:
  /// Seconds at the start that do not count: pools, arenas and caches fill.
  explicit MemoryWatch(double warm_up) : warm_up_(warm_up) {}

  void add(const MemorySample& sample) { samples_.push_back(sample); }

  /// MiB, what memory falls back to: below it are 10 % of the samples of the first third after the
  /// warm-up. (An average would show the visits of hostile clients, whose messages take 100 MiB for
  /// a moment; what leaks lifts the level.)
  [[nodiscard]] double level() const;
  /// MiB: that of the last third, less that of the first.
  [[nodiscard]] double growth() const;
  [[nodiscard]] MemorySample most() const;

  /// soak.csv and soak.svg.
  void save(const std::filesystem::path& folder) const;

 private:
  [[nodiscard]] double level_between(double from, double to) const;
  [[nodiscard]] std::string svg() const;

  double warm_up_;
  std::vector<MemorySample> samples_;
};

}  // namespace tocsin::test
