// A step between two poses that were normalised and placed elsewhere: by the server that checked
// it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "tocsin/motion.h"

namespace tocsin::scene {

/// A step, and when it is.
struct ToldStep {
  std::int64_t frame = 0;           ///< its first frame, and its index; the next one is its last
  std::array<double, 2> seconds{};  ///< of its ends: Step::seconds; finite, in order
  InBetween in_between = InBetween::kScrew;
};

/// The poses stay as they are, to the bit. Errors (kInput): another number of joints than the
/// skeleton's; a transform that is not finite, or not of unit length; times that are not finite, or
/// not in order.
Result<Step> told_step(const std::shared_ptr<const Skeleton>& skeleton,
                       std::span<const Transform> from, std::span<const Transform> to,
                       const ToldStep& told);

}  // namespace tocsin::scene
