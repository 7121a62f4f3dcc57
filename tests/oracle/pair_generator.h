// Random pairs of links of every class in which a collision test of two moving things may be
// expected to fail, in matched pairs: query 2i touches, query 2i + 1 is the same with one of the
// two moved clear by a hair (or both made thinner).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "oracle/verify_bracket.h"
#include "random.h"

namespace tocsin::oracle::test {

struct Two;

enum class PairClass : std::uint8_t {
  kMix,           ///< chains of 1 to 10 joints
  kLongChains,    ///< chains of 1 to 20 joints
  kThin,          ///< radii of 1e-6 to 1e-4 m, links of 0.3 to 3 m
  kTiny,          ///< links of 1e-6 to 1e-3 m
  kHuge,          ///< links of 5 to 20 m, radii up to 2 m
  kFar100,        ///< 100 m from the origin
  kFar10km,       ///< 10 km from the origin
  kFarRoots,      ///< each 5 to 50 m away from its own root
  kGrazing,       ///< least distance within 1e-13 to 1e-6 m of the radii
  kPi,            ///< a joint turns by exactly pi
  kBelowPi,       ///< a joint turns by pi less 1e-16 to 1e-3
  kStill,         ///< nothing moves
  kOneStill,      ///< one of the two does not move
  kPoints,        ///< one or both of zero length
  kParallel,      ///< axes parallel when they meet, exactly or by up to 1e-3
  kCollinear,     ///< axes on one line when they meet, exactly or by up to 1e-3
  kCrossing,      ///< axes go through each other
  kInside,        ///< a small link inside a thick one
  kPivoting,      ///< contact inside both axes, near the centre that one turns about
  kPivotingBoth,  ///< the same, near the centres that both turn about
  kAtStart,       ///< touching at t = 0, just so
  kAtEnd,         ///< touching at t = 1, just so
  kTogether,      ///< one root, which moves by 1 to 30 m: what they have in common cancels
  kOneAvatar,     ///< two branches of one tree: 1 to 6 joints in common
  kDrawn,  ///< side by side at first, then drawn together by all that both accelerations allow
};
inline constexpr int kPairClassCount = 25;

/// "mix", "long_chains", ...
std::string_view name_of(PairClass c);
/// The class of a name; false if there is none.
bool class_of(std::string_view name, PairClass& c);

/// When two bodies of a class shall meet.
double meeting_time(PairClass c, Random& random);

/// Two links of a class, somewhere, brought together at time t: their axes are nearest then, and a
/// small distance apart.
Two two_together(PairClass c, double t, Random& random);

/// Shifts the second by `by`, world frame at time t.
void shift_second(Two& two, double t, const Vec3& by);

/// A small distance, metres: how deep a touching pair touches, or how clear a clear one is.
double hair_of(PairClass c, Random& random, double scale);

/// Queries 2 * number, which touches, and 2 * number + 1, moved clear. They depend on (class, seed,
/// number) only.
std::array<PairQuery, 2> make_pair(PairClass c, std::uint64_t seed, std::uint64_t number);

}  // namespace tocsin::oracle::test
