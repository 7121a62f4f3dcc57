// An axis cut into cells of equal length.
#pragma once

#include <algorithm>
#include <cstdint>

namespace tocsin::scene {

/// Every coordinate has one cell, and that of a greater one is never before it. So a coordinate
/// between two others has a cell between theirs, whatever rounds.
class Cut {
 public:
  Cut() = default;
  /// Cells of about `cell` metres from low to high, at most `most` of them.
  Cut(double low, double high, double cell, std::uint32_t most) : low_(low) {
    if (!(cell > 0.0) || !(high > low)) return;
    const double cells = std::clamp((high - low) / cell, 1.0, static_cast<double>(most));
    count_ = static_cast<std::uint32_t>(cells);
    per_metre_ = static_cast<double>(count_) / (high - low);
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// The cell of a coordinate, metres; those beyond an end belong to the first or last one.
  [[nodiscard]] std::uint32_t of(double x) const {
    const double at = (x - low_) * per_metre_;
    const auto last = static_cast<double>(count_ - 1);
    return static_cast<std::uint32_t>(at > 0.0 ? std::min(at, last) : 0.0);
  }
  /// The middle of a cell, metres.
  [[nodiscard]] double middle(std::uint32_t cell) const {
    return per_metre_ > 0.0 ? low_ + (static_cast<double>(cell) + 0.5) / per_metre_ : low_;
  }

 private:
  double low_ = 0.0;
  double per_metre_ = 0.0;
  std::uint32_t count_ = 1;
};

}  // namespace tocsin::scene
