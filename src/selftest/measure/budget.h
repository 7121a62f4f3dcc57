// How much of what is measured fits into a time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "selftest/measure/timing.h"

namespace tocsin::selftest {

/// How much of a row is measured. Each pass asks about every batch once.
struct Extent {
  std::size_t batches = 0;
  std::size_t passes = 0;
  /// What is asked of a batch beside the passes: to compare, to warm, to split.
  static constexpr std::size_t kMore = 2;
  [[nodiscard]] double steps(std::size_t avatars) const {
    return static_cast<double>(avatars * batches * (passes + kMore));
  }
};

/// Shares time among rows of 1 to many avatars: what is left is divided by the rows to come, so
/// that few avatars do not keep many from being measured.
class Budget {
 public:
  using Clock = std::function<double()>;  ///< microseconds

  /// `seconds`: from now.
  explicit Budget(double seconds, Clock clock = now_us);
  /// The extent that fits `avatars`, by what the rows so far have cost; nothing: the least does
  /// not. `rows`: with this one, those to come. The first row always fits.
  [[nodiscard]] std::optional<Extent> plan(std::size_t avatars, std::size_t rows) const;
  void begin_row() { row_ = used(); }
  /// `steps`: Extent::steps() of the row.
  void end_row(double steps) { per_step_ = (used() - row_) / steps; }

 private:
  [[nodiscard]] double used() const { return 1e-6 * (clock_() - begin_); }

  Clock clock_;
  double begin_;
  double seconds_;
  double row_ = 0.0;
  double per_step_ = 0.0;  ///< seconds; 0: not known yet
};

}  // namespace tocsin::selftest
