// Checks what was told of one avatar's distances from a room's objects at one time: every pair of a
// link and an object, by brute force over all triangles and features, in long double.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "oracle/nearby.h"
#include "oracle/shapes/shape_trees.h"
#include "oracle/solid_claims.h"
#include "tocsin/depth.h"
#include "tocsin/environment.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"

namespace tocsin::oracle {

/// A room, with what is made of it once for many questions.
struct DistanceRoom {
  const Environment& environment;
  const SolidClaims& solids;
  const std::vector<Sphere>& spheres;  ///< spheres_of(environment)
  const ShapeTrees& trees;             ///< of the members' shapes
};

/// What was told, and of what. It was to be all that is within the distance.
struct DistanceClaim {
  std::string name;  ///< of the avatar and the time, for sentences
  const Member* member = nullptr;
  const Step* step = nullptr;
  double time = 0.0;    ///< local
  double margin = 0.0;  ///< metres, as in DetectorOptions
  double within = 0.0;  ///< metres
  std::span<const LinkDistance> distances = {};
};

/// What the oracle thinks of it.
struct DistanceVerdict {
  std::uint64_t pairs = 0;      ///< active pairs of a link and an object
  std::uint64_t distances = 0;  ///< of these, told and looked at
  std::uint64_t undecided = 0;  ///< pairs of which it is unclear whether one is in the other
  /// What is wrong, a sentence each. Empty: everything that could be decided is confirmed.
  std::vector<std::string> refutations;
};

/// Distances may differ by rounding: 2^-36 of the coordinates. Indices that there are not become
/// refutations. Precondition: the member's skeleton is the step's.
DistanceVerdict verify_distances(const DistanceClaim& claim, const DistanceRoom& room);

}  // namespace tocsin::oracle
