#include "detect/step/kept_clusters.h"

#include <algorithm>
#include <array>

namespace tocsin::detect {

void add_candidates(const KeptClusters& kept, std::int32_t link, const Environment& environment,
                    const scene::NearTest& near, scene::Candidates& candidates,
                    StepCounters& counters) {
  const auto found =
      std::lower_bound(kept.links.begin(), kept.links.end(), link,
                       [](const KeptClusters::OfLink& p, std::int32_t q) { return p.link < q; });
  if (found == kept.links.end() || found->link != link) return;
  for (std::uint32_t i = found->begin; i < found->end; ++i) {
    const scene::Cluster& cluster = kept.room->clusters()[kept.clusters[i]];
    counters.primitive_tests += cluster.count;
    for (const std::uint32_t t : kept.room->triangles().subspan(cluster.first, cluster.count)) {
      const std::array<Vec3f, 3> corners = environment.corners(t);
      if (near.may_touch(corners[0], corners[1], corners[2])) candidates.add(t, corners);
    }
  }
}

}  // namespace tocsin::detect
