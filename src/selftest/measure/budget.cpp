#include "selftest/measure/budget.h"

#include <algorithm>
#include <utility>

namespace tocsin::selftest {

namespace {

constexpr std::size_t kRowPasses = 3;         // a median of three
constexpr std::size_t kStepsOfARow = 20'000;  // avatar-steps: enough for a steady figure
constexpr std::size_t kMostBatches = 20;

std::size_t batches_of(std::size_t avatars) {
  return std::clamp<std::size_t>(kStepsOfARow / avatars, 1, kMostBatches);
}

}  // namespace

Budget::Budget(double seconds, Clock clock)
    : clock_(std::move(clock)), begin_(clock_()), seconds_(seconds) {}

std::optional<Extent> Budget::plan(std::size_t avatars, std::size_t rows) const {
  Extent out{batches_of(avatars), kRowPasses};
  const double left = seconds_ - used();
  // Nothing is known of the first row's cost, but that it is small.
  if (per_step_ == 0.0) return left > 0.0 ? out : Extent{1, 1};
  const double share = left / static_cast<double>(rows);
  const auto seconds = [&](const Extent& extent) { return per_step_ * extent.steps(avatars); };
  if (seconds(out) > share) {
    const double batches = share / seconds({1, kRowPasses});
    out.batches = std::max<std::size_t>(static_cast<std::size_t>(std::max(batches, 0.0)), 1);
  }
  if (seconds(out) > share) out.passes = 1;
  if (seconds(out) > left) return std::nullopt;
  return out;
}

}  // namespace tocsin::selftest
