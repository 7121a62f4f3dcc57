// Kernel bodies that show what a device does.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/vector/atomic.h"
#include "core/vector/hd.h"

namespace tocsin::test {

/// How often each index comes, and which came when.
struct CountEach {
  std::uint32_t* counts;
  std::uint32_t* next;
  std::uint32_t* order;
  TOCSIN_HD void operator()(std::size_t i) const {
    core::atomic_add(counts[i], 1U);
    order[core::atomic_add(*next, 1U)] = static_cast<std::uint32_t>(i);
  }
};

/// v[i] = 3 v[i] + 1: shows in which order launches ran.
struct TripleAndOne {
  std::uint32_t* v;
  TOCSIN_HD void operator()(std::size_t i) const { v[i] = 3 * v[i] + 1; }
};

/// All threads on the same few numbers.
struct ShareNumbers {
  const std::uint32_t* values;
  std::uint32_t* least;
  std::uint64_t* sum;
  TOCSIN_HD void operator()(std::size_t i) const {
    core::atomic_least(*least, values[i]);
    core::atomic_add(*sum, static_cast<std::uint64_t>(values[i]));
  }
};

/// Elements 2 k and 2 k + 1 each write a number; who comes second adds both up.
struct MeetInPairs {
  std::uint64_t* parts;  ///< not atomic
  std::uint32_t* arrived;
  std::uint64_t* sums;
  TOCSIN_HD void operator()(std::size_t i) const {
    const std::size_t pair = i / 2;
    parts[i] = i * i + 1;
    core::publish();
    if (core::atomic_add(arrived[pair], 1U) == 0) return;
    core::publish();
    sums[pair] = parts[2 * pair] + parts[2 * pair + 1];
  }
};

/// What has to have the same bits on every device.
struct Arithmetic {
  const double* a;
  const double* b;
  const double* c;
  double* out;  ///< four an element
  TOCSIN_HD void operator()(std::size_t i) const {
    out[4 * i] = a[i] * b[i] + c[i];
    out[4 * i + 1] = a[i] * b[i] - c[i] * a[i];
    out[4 * i + 2] = a[i] / b[i];
    out[4 * i + 3] = std::sqrt(std::fabs(a[i]));
  }
};

}  // namespace tocsin::test
