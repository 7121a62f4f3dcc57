// What is thrown, and caught within the floor, where a step is given up, or goes on later.
#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>

#include "tocsin/step_budget.h"

namespace tocsin::detect {

struct Stopped {};
/// The budget is spent. The work can be continued.
struct Spent {};

/// Throws Stopped if the step is to be given up. Null: it is not.
inline void go_on(const std::stop_token* stop) {
  if (stop != nullptr && stop->stop_requested()) throw Stopped();
}

/// How many pairs of nodes are looked at between two looks at a stop request: below a millisecond.
inline constexpr std::uint32_t kStopEvery = 256;

/// What one call has left of a budget. One thread at a time.
class Meter {
 public:
  explicit Meter(const StepBudget& budget) : budget_(budget) {}

  /// Call before a unit of work, where everything is as it must be to go on later. Throws Spent;
  /// Stopped. The first unit is always granted. `looks`: at the clock, which costs more than a unit
  /// that takes less than a microsecond. False: the unit before this one was such.
  void spend(bool looks = true) {
    go_on(&budget_.stop);
    if (used_ > 0 && is_spent(looks)) throw Spent();
    ++used_;
  }
  [[nodiscard]] const std::stop_token& stop() const { return budget_.stop; }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool is_spent(bool looks) const {
    return used_ >= budget_.work || (looks && budget_.until && Clock::now() >= *budget_.until);
  }

  const StepBudget& budget_;
  std::uint64_t used_ = 0;
};

/// Meter::spend(). Null: there is no limit.
inline void spend(Meter* meter) {
  if (meter != nullptr) meter->spend();
}

}  // namespace tocsin::detect
