// Times of things that may take microseconds or seconds: as many as fit into a budget.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "selftest/measure/timing.h"

namespace tocsin::selftest {

/// By the clock on the wall unless said otherwise: a device works while the processor waits.
struct Measured {
  std::vector<double> us;
  std::string skipped;  ///< why there are none

  [[nodiscard]] Figures figures() const { return figures_of(us); }
};

/// Times work(i) for i = 0, 1, ... below `count` until the budget is used up, once at least; what
/// came before the first was not timed and warmed everything.
template <class Work>
Measured measure(std::size_t count, double seconds, const Work& work) {
  Measured out;
  const double end = now_us() + 1e6 * seconds;
  for (std::size_t i = 0; i < count; ++i) {
    const double begin = now_us();
    work(i);
    const double now = now_us();
    out.us.push_back(now - begin);
    if (now > end) break;
  }
  return out;
}

/// Appends the processor time per piece of `pieces` that `work` does at a go; nothing for none.
template <class Work>
void add_each(Measured& to, std::size_t pieces, const Work& work) {
  if (pieces == 0) return;
  const double begin = cpu_us();
  work();
  to.us.push_back((cpu_us() - begin) / static_cast<double>(pieces));
}

}  // namespace tocsin::selftest
