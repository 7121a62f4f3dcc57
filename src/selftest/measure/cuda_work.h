// Roofline: how many bytes and operations an avatar-step asks of a device, stage by stage, and how
// long that takes at least.
#pragma once

#include <string>
#include <vector>

#include "selftest/measure/cuda_ceilings.h"
#include "selftest/measure/cuda_run.h"
#include "tocsin/environment.h"

namespace tocsin::selftest {

/// Of one stage; an avatar-step.
struct StageWork {
  CudaPart part = kBoundsPart;
  std::string what;
  /// Of the device's memory: every element of the batch's arrays that a launch reads or writes,
  /// once a launch. What a cache serves again is not counted.
  double bytes = 0.0;
  /// Nodes of the tree and triangles of the room, at every visit: all links share them, and a cache
  /// may hold them.
  double room_bytes = 0.0;
  double simple = 0.0;     ///< additions, multiplications, comparisons in double precision
  double divisions = 0.0;  ///< in double precision
  double roots = 0.0;

  /// A device makes divisions and roots of multiplications.
  [[nodiscard]] double operations() const { return simple + kPerDivision * (divisions + roots); }
  /// The least time at these ceilings, microseconds: with the room in a cache or not.
  [[nodiscard]] double least_us(const CudaCeilings& ceilings, bool cached) const;

  /// Some: CUDA's correctly rounded division takes 8 to 10 operations and a special case, a root
  /// as many.
  static constexpr double kPerDivision = 10.0;
};

/// The stages of such batches, without meetings; counted on a sample of the batches, on an emulated
/// device. certify_evaluations: how many states of links certify looks at, an avatar-step, as the
/// batches' tallies say. Errors: the device's.
Result<std::vector<StageWork>> count_work(const Environment& environment,
                                          const CudaBatches& batches, double certify_evaluations);

}  // namespace tocsin::selftest
