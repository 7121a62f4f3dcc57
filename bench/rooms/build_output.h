// What bench_build prints and keeps: tables for people, JSON for later comparison.
#pragma once

#include <string>
#include <vector>

#include "scene/tree/kdop_tree.h"
#include "shared/machine.h"
#include "shared/timing.h"

namespace tocsin::bench {

/// Times of one number of threads, seconds: one thread's of the processor, two threads' by the
/// clock on the wall.
struct BuildTimes {
  Figures tree;    ///< KdopTree's constructor
  Figures refit;   ///< KdopTree::refit
  Figures embree;  ///< rtcCommitScene; all zero without Embree
  Figures ratio;   ///< embree / tree, pass by pass
};

/// One kind of tree over one room.
struct BuildCase {
  std::string room;
  std::string kind;  ///< "6-DOP, 8 children, sah"
  int k = 0;
  int width = 0;
  std::string rule;
  std::size_t passes = 0;
  BuildTimes times[2];  ///< with one thread and with two
  scene::TreeStatistics tree;
  /// Expected nodes and blocks that a point inside the root is inside of, given each one's
  /// neighbourhood: their boxes' surfaces over the root's.
  double nodes_met = 0.0;
  double blocks_met = 0.0;
  bool same = true;  ///< the trees of one thread and of two are equal bit for bit
};

struct BuildReport {
  Machine machine;
  bool quick = false;
  bool has_house = false;
  std::string embree;            ///< version; empty: not found
  std::vector<BuildCase> rooms;  ///< the default tree over rooms of all sizes
  std::vector<BuildCase> kinds;  ///< every k and width over one room
  std::vector<BuildCase> rules;  ///< every rule over one room
};

std::string build_text(const BuildReport& report);
std::string build_json(const BuildReport& report);

}  // namespace tocsin::bench
