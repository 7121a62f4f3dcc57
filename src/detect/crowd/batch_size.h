// How many steps are checked before their reports are handed on.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace tocsin::detect {

/// How many steps a backend is asked at once.
enum class Pace : std::uint8_t {
  kCpu,
  kCuller,  ///< a device that culls, which answers slowly at first
  kDevice,  ///< a device that does everything: the more it is asked at once, the better
};

/// A few first, to see how long they take, then as many as take some tenths of a second. Threads
/// wait for each other at the end of a batch, and progress is seen once a batch.
class BatchSize {
 public:
  /// `least`: the backend is worth asking for so many steps; 65536 or less.
  explicit BatchSize(Pace pace, std::size_t least = 0)
      : time_(pace == Pace::kDevice ? kDeviceTime : kBatchTime),
        least_(std::max(least, kLeastBatch)),
        size_(std::max(least, pace == Pace::kCuller ? kFirstCullerBatch : kFirstBatch)) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  /// So many steps were checked since `begin`. `device`: by a device.
  void adapt(std::size_t count, std::chrono::steady_clock::time_point begin, bool device) {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    const std::chrono::duration<double> wanted = device ? time_ : kBatchTime;
    size_ = static_cast<std::size_t>(
        std::clamp(static_cast<double>(count) * (wanted / std::max(taken, kLeastTime)),
                   static_cast<double>(least_), static_cast<double>(kLargestBatch)));
    size_ = std::min(size_, device ? std::max(4 * count, least_) : kLargestBatch);
  }

 private:
  static constexpr std::size_t kFirstBatch = 256;
  static constexpr std::size_t kFirstCullerBatch = 32;
  static constexpr std::size_t kLeastBatch = 16;
  static constexpr std::size_t kLargestBatch = 65536;
  static constexpr std::chrono::duration<double> kBatchTime{0.1};   // seconds
  static constexpr std::chrono::duration<double> kDeviceTime{0.3};  // hides what a batch costs
  static constexpr std::chrono::duration<double> kLeastTime{1e-6};  // a clock may stand still

  std::chrono::duration<double> time_;
  std::size_t least_;
  std::size_t size_;
};

}  // namespace tocsin::detect
