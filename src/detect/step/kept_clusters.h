// What a device has left of the room for the links of one step.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/tree/candidates.h"
#include "scene/tree/clusters.h"
#include "scene/tree/may_touch.h"
#include "tocsin/detector.h"

namespace tocsin::detect {

/// Clusters (scene::Clusters) that the links of a step may touch; certify calls the triangles of
/// all others free.
struct KeptClusters {
  /// clusters[begin] to clusters[end - 1], each once, in order.
  struct OfLink {
    std::int32_t link = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  const scene::Clusters* room = nullptr;  ///< whose clusters they are
  std::vector<OfLink> links;              ///< in order; links that touch nothing are left out
  std::vector<std::uint32_t> clusters;
  StepCounters counters;  ///< what it has cost
};

/// Appends those triangles of a link's clusters that the near test cannot rule out. Precondition:
/// kept.room.
void add_candidates(const KeptClusters& kept, std::int32_t link, const Environment& environment,
                    const scene::NearTest& near, scene::Candidates& candidates,
                    StepCounters& counters);

}  // namespace tocsin::detect
