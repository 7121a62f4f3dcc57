// What the guard's workloads run on: made, or part of the repository, so that everyone has it.
#pragma once

#include <vector>

#include "tocsin/tocsin.h"

namespace tocsin::bench::guard {

/// An avatar's steps in a room.
struct Scene {
  Environment room;
  Avatar avatar;
  std::vector<Step> steps;
};

enum class Place {
  kClear,  ///< a made take in a made house, 4 s, clear of everything
  kAmong,  ///< a made cartwheel in the same house, 4 s, 553 contacts
  kDemo,   ///< the demo's take in the demo's room: 129 steps, one in contact
};

/// The same bits on every machine.
Result<Scene> make_scene(Place place);

/// The made house alone, 29,992 triangles.
Result<Environment> make_house();

}  // namespace tocsin::bench::guard
