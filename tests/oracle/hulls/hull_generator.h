// Random pairs of hulls of one to three points: the links of pair_generator.h with a third corner
// each, most of them surfaces without thickness. In matched pairs: query 2i touches, query 2i + 1
// is the same with one of the two moved clear by a hair (or both made thinner).
#pragma once

#include <array>
#include <cstdint>

#include "oracle/verify_bracket.h"
#include "pair_generator.h"

namespace tocsin::oracle::test {

/// Queries 2 * number, which touches, and 2 * number + 1, moved clear. They depend on (class, seed,
/// number) only.
std::array<HullQuery, 2> make_hulls(PairClass c, std::uint64_t seed, std::uint64_t number);

}  // namespace tocsin::oracle::test
