#include "detect/shapes/feature_distance.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/query/hull_distance.h"
#include "detect/step/stopped.h"

namespace tocsin::detect {

namespace {

/// How far two parts are apart along a direction that points from the second to the first.
double gap_along(const core::HullPart& f, const core::HullPart& g, const Vec3& n) {
  double least = HUGE_VAL;
  double most = -HUGE_VAL;
  for (std::int32_t i = 0; i < f.corners; ++i) {
    least = std::min(least, core::dot(n, f.p[i] - g.p[0]));
  }
  for (std::int32_t i = 0; i < g.corners; ++i) {
    most = std::max(most, core::dot(n, g.p[i] - g.p[0]));
  }
  return least - most;
}

/// Of two hulls: along the line between their nearest points, or their features' normal.
double gap_of(const FramesAt& at, const core::Hull& f, const core::Hull& g) {
  const core::HullPart p = core::part_at(f, at.first, {}, {});
  const core::HullPart q = core::part_at(g, at.second, at.shift, {});
  const core::ClosestHulls c = core::closest_points(p, q);
  const Vec3 d = c.y - c.x;
  double best = 0.0;
  for (const Vec3& n : {d, core::dot(c.across, d) < 0.0 ? -c.across : c.across}) {
    const double length = core::norm(n);
    if (length > core::kLeastLength) best = std::max(best, gap_along(p, q, (1.0 / length) * n));
  }
  return best;
}

}  // namespace

void FeatureDistance::push(const FramesAt& at, const Features& first, const Features& second,
                           NodePair nodes, double limit) {
  const core::OrientedBox& a = first.nodes[nodes.first].box;
  const core::OrientedBox& b = second.nodes[nodes.second].box;
  const core::BoxPair pair{a, b, at.first, at.second, at.shift, 0.0, 0.0, 1.0};
  const double gap =
      core::gap_of_boxes(pair, core::placed(a, at.first, {}), core::placed(b, at.second, at.shift));
  if (gap >= limit) return;
  open_.push_back({gap, nodes});
  std::push_heap(open_.begin(), open_.end());
}

template <class Look>
void FeatureDistance::walk(const FramesAt& at, const Features& first, const Features& second,
                           double limit, double enough, const Look& look) {
  open_.clear();
  for_each_root(first, second, [&](NodePair nodes) { push(at, first, second, nodes, limit); });
  for (std::uint32_t count = 0; !open_.empty() && limit > enough; ++count) {
    if (count % kStopEvery == 0) go_on(stop_);
    std::pop_heap(open_.begin(), open_.end());
    const Open open = open_.back();
    open_.pop_back();
    if (open.gap >= limit) return;
    const scene::ShapeNode& a = first.nodes[open.nodes.first];
    const scene::ShapeNode& b = second.nodes[open.nodes.second];
    if (a.child < 0 && b.child < 0) {
      limit = look(feature_pair(a.feature, b.feature));
      continue;
    }
    for (const NodePair nodes : halves_of(first, second, open.nodes).nodes) {
      push(at, first, second, nodes, limit);
    }
  }
}

double FeatureDistance::least(const FramesAt& at, const Features& first, const Features& second,
                              double limit) {
  double least = limit;
  walk(at, first, second, limit, 0.0, [&](FeaturePair pair) {
    least = std::min(least, gap_of(at, first.hull(first_of(pair)), second.hull(second_of(pair))));
    return least;
  });
  return std::max(least, 0.0);
}

bool FeatureDistance::nearest(const FramesAt& at, const Features& first, const Features& second,
                              double slack, NearestFeatures& best) {
  bool found = false;
  walk(at, first, second, best.distance + slack, 2.0 * slack, [&](FeaturePair pair) {
    const core::HullPart f = core::part_at(first.hull(first_of(pair)), at.first, {}, {});
    const core::HullPart g = core::part_at(second.hull(second_of(pair)), at.second, at.shift, {});
    const core::ClosestHulls c = core::closest_points(f, g);
    const double distance = std::sqrt(c.squared);
    if (std::pair(distance, pair) < std::pair(best.distance, best.pair)) {
      best = {distance, pair, c.x, c.y};
      found = true;
    }
    return best.distance + slack;
  });
  if (found && best.distance <= slack) best.distance = 0.0;
  return found;
}

}  // namespace tocsin::detect
