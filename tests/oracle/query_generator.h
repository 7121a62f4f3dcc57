// Random link-triangle queries of every class in which a collision test has been known to fail, in
// matched pairs: query 2i touches, query 2i + 1 is the same moved clear by a hair (or its link made
// thinner).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "oracle/verify_bracket.h"

namespace tocsin::oracle::test {

enum class QueryClass : std::uint8_t {
  kMix,         ///< chains of 1 to 10 joints, all sizes
  kThin,        ///< slivers, length / height 10^4 to 10^8
  kTiny,        ///< triangles of 1e-6 to 1e-3 m
  kHuge,        ///< triangles of 5 to 20 m
  kFar100,      ///< 100 m from the origin
  kFar10km,     ///< 10 km from the origin
  kGrazing,     ///< least distance within 1e-13 to 1e-6 m of the radius
  kPi,          ///< a joint turns by exactly pi
  kBelowPi,     ///< a joint turns by pi less 1e-16 to 1e-3
  kStill,       ///< nothing moves
  kPoint,       ///< link of zero length
  kContained,   ///< triangle wholly inside the swept link, or face of a box around it
  kPierced,     ///< axis goes through the triangle
  kPivoting,    ///< contact inside the axis, near the centre that it turns about
  kAtStart,     ///< touching at t = 0, just so
  kAtEnd,       ///< touching at t = 1, just so
  kDegenerate,  ///< triangles of zero area: points and segments
};
inline constexpr int kClassCount = 17;

/// "mix", "thin", ...
std::string_view name_of(QueryClass c);
/// The class of a name; false if there is none.
bool class_of(std::string_view name, QueryClass& c);

/// Makes queries; the i-th of a class depends on (seed, class, i) only.
class QueryGenerator {
 public:
  QueryGenerator(QueryClass c, std::uint64_t seed) : class_(c), seed_(seed) {}
  /// Query `index`.
  [[nodiscard]] LinkQuery make(std::uint64_t index) const;
  /// Queries 2 * number, which touches, and 2 * number + 1, moved clear; cheaper than making each.
  [[nodiscard]] std::array<LinkQuery, 2> make_pair(std::uint64_t number) const;

 private:
  QueryClass class_;
  std::uint64_t seed_;
};

}  // namespace tocsin::oracle::test
