#include "selftest/measure/timing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tocsin::selftest {

namespace {

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(at));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - std::floor(at)) * (sorted[above] - sorted[below]);
}

}  // namespace

Figures figures_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {quantile(values, 0.5), quantile(values, 0.1), quantile(values, 0.9),
          quantile(values, 0.99), sum / static_cast<double>(values.size())};
}

void Samples::next_pass() {
  for (auto& row : passes_) row.emplace_back(batches_, 0.0);
}

void Samples::set(std::size_t row, std::size_t batch, double microseconds) {
  passes_[row].back()[batch] = microseconds;
}

Figures Samples::along_take(std::size_t row) const {
  std::vector<double> medians;
  std::vector<double> one;
  for (std::size_t batch = 0; batch < batches_; ++batch) {
    one.clear();
    for (const auto& pass : passes_[row]) one.push_back(pass[batch]);
    medians.push_back(figures_of(one).median);
  }
  return figures_of(std::move(medians));
}

std::vector<double> Samples::totals(std::size_t row) const {
  std::vector<double> out;
  for (const auto& pass : passes_[row]) {
    out.push_back(std::accumulate(pass.begin(), pass.end(), 0.0) / static_cast<double>(batches_));
  }
  return out;
}

Figures Samples::along_passes(std::size_t row) const { return figures_of(totals(row)); }

Figures Samples::ratio(std::size_t a, std::size_t b) const {
  std::vector<double> out = totals(a);
  const std::vector<double> below = totals(b);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] /= below[i];
  return figures_of(std::move(out));
}

}  // namespace tocsin::selftest
