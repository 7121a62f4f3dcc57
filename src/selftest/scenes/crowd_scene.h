// Many avatars at constant density, for the selftest and bench_crowd.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tocsin/detector.h"

namespace tocsin::selftest {

enum class Layout {
  kGrid,   ///< on a square grid, an arm's length apart
  kCrowd,  ///< at random places, one on each square metre in the mean: some stand in one another
};

std::string_view name_of(Layout layout);
/// Of so many instants. For people.
std::string_view what_of(Layout layout);

/// Avatars in a hall that grows with their number: a floor, and a pillar on every 25 square metres.
struct CrowdScene {
  Environment hall;
  std::vector<Member> members;
  /// steps[i][k]: instant i, member k.
  std::vector<std::vector<Step>> steps;
};

/// `count` avatars of sixteen links that walk, reach and kick, each at another time; 90 Hz.
/// The first avatars of a larger crowd are not those of a smaller one. The same on every machine.
/// Errors: those of making a take.
Result<CrowdScene> make_crowd(Layout layout, std::size_t count, std::size_t instants);

}  // namespace tocsin::selftest
