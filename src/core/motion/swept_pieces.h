// The number of pieces into which a step is cut for a link's swept volumes. docs/exact.md, "Swept
// bound".
#pragma once

#include <cmath>

#include "core/motion/link_motion.h"

namespace tocsin::core {

/// Most pieces of a step for its swept bound. More would only tighten the box of very fast turns,
/// where certify's own steps are short anyway.
inline constexpr int kMaxPieces = 8;

/// So many that the chord's sag A h^2/8 stays below half the radius.
TOCSIN_HD inline int swept_pieces(const LinkMotion& m) {
  const double squared = acceleration_of(m) / (4.0 * m.radius);
  if (squared <= 1.0) return 1;
  const double wanted = std::ceil(std::sqrt(squared));
  return wanted < kMaxPieces ? static_cast<int>(wanted) : kMaxPieces;
}

}  // namespace tocsin::core
