// What culling a room for a swept link must find, by brute force, and what the CPU's trees find.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/motion/swept_link.h"
#include "cpu/tree/tree_culler.h"
#include "scene/tree/candidates.h"
#include "scene/tree/may_touch.h"
#include "tocsin/environment.h"

namespace tocsin::test {

using Triangles = std::vector<std::uint32_t>;

/// Triangles that must be found, and those that may; ascending.
struct WantedTriangles {
  Triangles must;
  Triangles may;
};

inline WantedTriangles wanted_triangles(const Environment& room, const core::SweptLink& link) {
  const double farthest = scene::farthest_coordinate({room.bounds()[0], room.bounds()[1]});
  WantedTriangles out;
  for (std::uint32_t t = 0; t < room.triangles().size(); ++t) {
    const auto v = room.corners(t);
    if (!scene::may_touch(link, v, farthest)) continue;
    out.may.push_back(t);
    if (scene::may_graze(link, v, farthest)) out.must.push_back(t);
  }
  return out;
}

/// Each once, all that must be and none that may not; with boxes (k = 6) all that may be.
inline void expect_wanted(Triangles found, const WantedTriangles& wanted, int k) {
  std::sort(found.begin(), found.end());
  ASSERT_EQ(std::adjacent_find(found.begin(), found.end()), found.end()) << "each once";
  ASSERT_TRUE(std::includes(found.begin(), found.end(), wanted.must.begin(), wanted.must.end()));
  ASSERT_TRUE(std::includes(wanted.may.begin(), wanted.may.end(), found.begin(), found.end()));
  if (k == 6) {
    ASSERT_EQ(found, wanted.may);
  }
}

/// Triangles that a tree of the CPU finds, ascending.
inline Triangles culled(const cpu::TreeCuller& tree, const core::SweptLink& link) {
  scene::Candidates candidates;
  scene::CullCounters counters;
  tree.cull(link, candidates, counters);
  Triangles out;
  for (std::size_t i = 0; i < candidates.size(); ++i) out.push_back(candidates.triangle(i));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tocsin::test
