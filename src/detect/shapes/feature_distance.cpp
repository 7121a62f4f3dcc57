#include "detect/shapes/feature_distance.h"

#include <algorithm>
#include <cmath>

#include "core/query/hull_distance.h"

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
                           Open open, double least) {
  const core::OrientedBox& a = first.nodes[open.first].box;
  const core::OrientedBox& b = second.nodes[open.second].box;
  const core::BoxPair pair{a, b, at.first, at.second, at.shift, 0.0, 0.0, 1.0};
  open.gap =
      core::gap_of_boxes(pair, core::placed(a, at.first, {}), core::placed(b, at.second, at.shift));
  if (open.gap >= least) return;
  open_.push_back(open);
  std::push_heap(open_.begin(), open_.end());
}

double FeatureDistance::least(const FramesAt& at, const Features& first, const Features& second,
                              double limit) {
  open_.clear();
  double least = limit;
  for (std::uint32_t i = 0; i < first.roots; ++i) {
    for (std::uint32_t j = 0; j < second.roots; ++j) push(at, first, second, {0.0, i, j}, least);
  }
  while (!open_.empty() && least > 0.0) {
    std::pop_heap(open_.begin(), open_.end());
    const Open open = open_.back();
    open_.pop_back();
    if (open.gap >= least) break;
    const scene::ShapeNode& a = first.nodes[open.first];
    const scene::ShapeNode& b = second.nodes[open.second];
    if (a.child < 0 && b.child < 0) {
      least = std::min(least, gap_of(at, first.hull(a.feature), second.hull(b.feature)));
      continue;
    }
    const bool of_first = scene::splits_first(a, b);
    for (std::uint32_t i = 0; i < 2; ++i) {
      Open next = open;
      if (of_first) {
        next.first = static_cast<std::uint32_t>(a.child) + i;
      } else {
        next.second = static_cast<std::uint32_t>(b.child) + i;
      }
      push(at, first, second, next, least);
    }
  }
  return std::max(least, 0.0);
}

}  // namespace tocsin::detect
