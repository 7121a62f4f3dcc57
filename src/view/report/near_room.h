// The part of a room that is near the avatars, for a page of a few megabytes.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tocsin/environment.h"
#include "tocsin/types.h"

namespace tocsin::view {

struct NearRoom {
  std::vector<ObjectMesh> objects;  ///< as many as the room has; those far away are empty
  std::size_t triangles = 0;        ///< kept
  std::size_t left_out = 0;
  /// All triangles nearer than this to some place are kept, metres; infinite: all of the room is.
  double within = 0.0;
};

/// Keeps a room whole if it has at most `most` triangles; else those whose boxes are nearest to one
/// of the places, and those of `always` (indices in the environment).
NearRoom near_room(const Environment& room, std::span<const Vec3> places,
                   std::span<const std::uint32_t> always, std::size_t most);

}  // namespace tocsin::view
