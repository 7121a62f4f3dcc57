// Percentiles of times, for any number of them.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tocsin::app {

/// Counts times in buckets whose width grows with the time, as HdrHistogram does: a percentile is
/// at most 1/64 (1.6 %) above the true value, and never below it. Nanoseconds to an hour. Many
/// threads may add at once. Read it when they are done; earlier values are approximate.
class SendHistogram {
 public:
  /// Negative times and NaN count as 0.
  void add(double microseconds) {
    const std::uint64_t ns = nanoseconds(microseconds);
    counts_[bucket_of(ns)].fetch_add(1, std::memory_order_relaxed);
    count_.fetch_add(1, std::memory_order_relaxed);
    std::uint64_t most = most_.load(std::memory_order_relaxed);
    while (ns > most && !most_.compare_exchange_weak(most, ns, std::memory_order_relaxed)) {
    }
  }

  [[nodiscard]] std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }
  /// The largest, exactly; microseconds.
  [[nodiscard]] double most() const {
    return static_cast<double>(most_.load(std::memory_order_relaxed)) / 1e3;
  }
  /// The time, microseconds, that this share (0 to 1) of all times do not exceed; 0 if there are
  /// none.
  [[nodiscard]] double percentile(double share) const {
    const auto all = static_cast<double>(count());
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      below += counts_[i].load(std::memory_order_relaxed);
      if (below > 0 && static_cast<double>(below) >= share * all) {
        const double edge = static_cast<double>(top_of(i)) / 1e3;
        return edge < most() ? edge : most();
      }
    }
    return most();
  }

 private:
  // 64 buckets for each doubling; up to 2^42 ns, 73 minutes: what is longer counts as that.
  static constexpr unsigned kBits = 6;
  static constexpr std::uint64_t kPerDoubling = 1U << kBits;
  static constexpr unsigned kDoublings = 42 - kBits;
  static constexpr std::size_t kBuckets = (kDoublings + 1) * kPerDoubling;

  static std::uint64_t nanoseconds(double microseconds) {
    constexpr double kMost = 4.398046511103e9;  // just below 2^42 ns
    if (!(microseconds > 0.0)) return 0;
    return static_cast<std::uint64_t>((microseconds < kMost ? microseconds : kMost) * 1e3);
  }
  /// Below 64 a bucket for each nanosecond; then 64 to 127 singly, 128 to 255 in pairs, ...
  static std::size_t bucket_of(std::uint64_t ns) {
    if (ns < kPerDoubling) return static_cast<std::size_t>(ns);
    const unsigned shift = static_cast<unsigned>(std::bit_width(ns)) - 1 - kBits;
    return static_cast<std::size_t>((shift << kBits) + (ns >> shift));
  }
  /// The largest time of a bucket.
  static std::uint64_t top_of(std::size_t bucket) {
    if (bucket < kPerDoubling) return bucket;
    const std::uint64_t shift = bucket / kPerDoubling - 1;
    const std::uint64_t low = (bucket % kPerDoubling + kPerDoubling) << shift;
    return low + (std::uint64_t{1} << shift) - 1;
  }

  std::array<std::atomic<std::uint64_t>, kBuckets> counts_{};
  std::atomic<std::uint64_t> count_{0};
  std::atomic<std::uint64_t> most_{0};
};

}  // namespace tocsin::app
