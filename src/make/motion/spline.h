// A smooth curve through given keys.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

namespace tocsin::make {

struct Key {
  double time = 0.0;
  double value = 0.0;
};

/// The cubic spline through keys, at rest at both ends and constant beyond them: twice continuously
/// differentiable between its ends, once at them.
class Spline {
 public:
  Spline() = default;
  /// Precondition: at least two keys, times rising.
  explicit Spline(std::span<const Key> keys);
  Spline(std::initializer_list<Key> keys) : Spline(std::span(keys.begin(), keys.size())) {}

  [[nodiscard]] double at(double time) const;

 private:
  std::vector<Key> keys_;
  std::vector<double> slopes_;  ///< of the curve at each key
};

}  // namespace tocsin::make
