// Which pairs of links are worth a certificate.
#pragma once

#include <cstddef>

#include "detect/step/moving_links.h"

namespace tocsin::detect {

/// Two links that may touch, by their indices: the first's avatar is told of the contact.
struct NearLinks {
  std::size_t link = 0;
  std::size_t other = 0;
};

/// True if certify_pair is proved to call the links free. Asked where boxes meet, and far cheaper
/// than a certificate, as nothing but quick bounds is needed: a plane between both hulls.
///
/// A plane proves freedom. That certify_pair *says* so, and no answer depends on this test, takes
/// room between the hulls and the plane: what docs/gl.md, "What a skin is grown by", shows of a
/// link and a triangle, shows of two links, with both lengths in R, both speeds and accelerations,
/// both reaches and the distance of the refs in X:
///     R sqrt(64 u X / D) + V h + A h^2 / 2,    h = 1 / 990, D >= the sum of the radii.
bool surely_free(const MovingLinks& a, const MovingLinks& b, const NearLinks& pair);

}  // namespace tocsin::detect
