#include "make/motion/spline.h"

#include <algorithm>
#include <cstddef>

namespace tocsin::make {

Spline::Spline(std::span<const Key> keys)
    : keys_(keys.begin(), keys.end()), slopes_(keys.size(), 0.0) {
  // Equal curvatures on both sides of every inner key: a tridiagonal system for the slopes, whose
  // diagonal dominates; solved by elimination (Thomas).
  const std::size_t n = keys_.size();
  std::vector<double> factor(n, 0.0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = 1.0 / (keys_[i].time - keys_[i - 1].time);
    const double after = 1.0 / (keys_[i + 1].time - keys_[i].time);
    const double right = 3.0 * (before * before * (keys_[i].value - keys_[i - 1].value) +
                                after * after * (keys_[i + 1].value - keys_[i].value));
    const double pivot = 2.0 * (before + after) - before * factor[i - 1];
    factor[i] = after / pivot;
    slopes_[i] = (right - before * slopes_[i - 1]) / pivot;
  }
  for (std::size_t i = n - 1; i-- > 1;) slopes_[i] -= factor[i] * slopes_[i + 1];
}

double Spline::at(double time) const {
  if (time <= keys_.front().time) return keys_.front().value;
  if (time >= keys_.back().time) return keys_.back().value;
  const auto next = std::upper_bound(keys_.begin(), keys_.end(), time,
                                     [](double t, const Key& key) { return t < key.time; });
  const auto i = static_cast<std::size_t>(next - keys_.begin()) - 1;
  const double width = keys_[i + 1].time - keys_[i].time;
  const double u = (time - keys_[i].time) / width;
  const double rise = keys_[i + 1].value - keys_[i].value;
  const double a = width * slopes_[i] - rise;
  const double b = rise - width * slopes_[i + 1];
  // Hermite's form.
  return keys_[i].value + u * rise + u * (1.0 - u) * ((1.0 - u) * a + u * b);
}

}  // namespace tocsin::make
