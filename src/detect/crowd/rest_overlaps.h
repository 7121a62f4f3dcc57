// Links of an avatar that overlap in its rest pose. Checked against itself, they would touch in
// most steps, because of the model's shape and not of the motion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tocsin/member.h"

namespace tocsin::detect {

/// Two links, by their indices, first < second, and how deep they are in each other, metres.
struct RestOverlap {
  std::int32_t first = 0;
  std::int32_t second = 0;
  double depth = 0.0;
};

/// The pairs of Member::self that overlap in the skeleton's rest pose, with `margin` on every
/// radius (metres), the deepest first. None if no motion can have that pose. Links that have shapes
/// are left out.
std::vector<RestOverlap> rest_overlaps(const Member& member, double margin);

/// Patterns "LINK:LINK" that one check adds at most. A body with fingers has less than a hundred;
/// more is a skeleton at another scale than its radii, and its report would be a list of patterns.
inline constexpr std::size_t kMostRestPatterns = 4096;

/// A pattern for each of these pairs, in order, that LinkPairs::ignoring takes and that matches no
/// pair of a link and an object: a pair has none if both orders of its names are also a link and
/// one of `objects`.
std::vector<std::string> rest_patterns(const Avatar& avatar,
                                       const std::vector<RestOverlap>& overlaps,
                                       const std::set<std::string>& objects);

}  // namespace tocsin::detect
