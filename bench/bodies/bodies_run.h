// One simulation of many bodies, by every broadphase: what bench_bodies measures.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "bodies/bodies_world.h"

namespace tocsin::bench {

/// A broadphase and the boxes that it is given. "interval tree" is the interval sweep that always
/// uses its tree.
enum BodiesRow : std::size_t {
  kPruneDynamic,
  kPruneCubes,
  kSweepDynamic,
  kSweepCubes,
  kTreeDynamic,
  kBruteDynamic,
  kBodiesRows
};
inline constexpr std::array<const char*, kBodiesRows> kBodiesRowNames{
    "sweep and prune, dynamic", "sweep and prune, cubes", "interval sweep, dynamic",
    "interval sweep, cubes",    "interval tree, dynamic", "brute force, dynamic"};

/// Per frame: medians of microseconds, means of counts.
struct RowResult {
  bool ran = false;       ///< brute force stops at some number of bodies
  double boxes_us = 0.0;  ///< boxes made and handed over
  double sort_us = 0.0;   ///< sorted, and overlapping pairs found
  double total_us = 0.0;  ///< of both, and of reading the pairs
  double p90_us = 0.0;    ///< of the total
  double pairs = 0.0;
  double swaps = 0.0;         ///< sweep and prune
  double tests = 0.0;         ///< pairs of boxes compared in any way
  double nodes = 0.0;         ///< interval sweep
  double changes = 0.0;       ///< sweep and prune: pairs that began or ended
  double from_scratch = 0.0;  ///< sweep and prune: share of frames
};

struct BodiesCase {
  WorldOptions world;
  std::array<RowResult, kBodiesRows> rows{};
  bool equal = true;  ///< pairs of all broadphases, in every frame
};

struct BodiesPlan {
  std::size_t frames = 0;       ///< that count
  std::size_t warm_frames = 0;  ///< before them
  std::size_t passes = 0;       ///< how often all is repeated
};

BodiesCase run_bodies(const WorldOptions& world, const BodiesPlan& plan);

}  // namespace tocsin::bench
