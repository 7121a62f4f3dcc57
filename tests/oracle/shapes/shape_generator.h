// Random pairs of small shapes on the chains of pair_generator.h, in matched pairs: query 2i
// touches, query 2i + 1 is the same with one of the two moved clear by a hair (or both made
// thinner).
#pragma once

#include <array>
#include <cstdint>

#include "oracle/shapes/verify_shapes.h"
#include "pair_generator.h"

namespace tocsin::oracle::test {

/// Queries 2 * number, which touches, and 2 * number + 1, moved clear. They depend on (class, seed,
/// number) only.
std::array<ShapeQuery, 2> make_shapes(PairClass c, std::uint64_t seed, std::uint64_t number);

}  // namespace tocsin::oracle::test
