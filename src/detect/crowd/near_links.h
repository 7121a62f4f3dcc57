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

/// The early-out of two links: true if certify_pair is proved to answer free. Call it for links
/// whose boxes meet. It searches a plane between both hulls of coarse bounds, which costs far less
/// than certify_pair.
///
/// The plane proves freedom. It also has to prove that certify_pair *answers* free, so that the
/// early-out changes no answer. For that the hulls must be apart by (docs/exact.md, "Two links";
/// R has both lengths, V and A both links' bounds, X both reaches and the distance of the refs):
///     R sqrt(64 u X / D) + V h + A h^2 / 2,    h = 1 / 990, D >= the sum of the radii.
bool surely_free(const MovingLinks& a, const MovingLinks& b, const NearLinks& pair);

/// Local time, 0 to 1, before which two links are proved free: by certify_pair's first step. Of
/// links with shapes: the capsules that hold them.
double free_at_least_until(MovingLinks& a, MovingLinks& b, const NearLinks& pair);

}  // namespace tocsin::detect
