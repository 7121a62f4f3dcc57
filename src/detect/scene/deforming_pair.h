// Two sets of triangles whose corners move on straight lines: do they touch?
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/query/certify_deforming.h"
#include "cpu/broadphase/interval_sweep.h"
#include "detect/shapes/link_features.h"
#include "tocsin/contact.h"
#include "tocsin/step_report.h"

namespace tocsin::detect {

/// How two of them are asked.
struct DeformingLimits {
  double margin = 0.0;  ///< they touch where they are so near, metres
  double tolerance = 1e-9;
  const std::stop_token* stop = nullptr;  ///< null: never
};

/// Holds a triangle during the whole step.
core::Box box_of(const MovingTriangle& triangle);

/// Owns memory that is used again; one thread at a time asks.
class DeformingPair {
 public:
  /// Folds certify_deforming of all pairs. The contact's link is 0, its link_feature the triangle
  /// of `first`; it names `object` and the triangle of `second`. Throws Stopped and std::bad_alloc.
  std::optional<Contact> contact(std::span<const MovingTriangle> first,
                                 std::span<const MovingTriangle> second, std::uint32_t object,
                                 const DeformingLimits& limits, StepCounters& counters);

 private:
  cpu::IntervalSweep sweep_;
  std::vector<core::Box> boxes_;
};

}  // namespace tocsin::detect
