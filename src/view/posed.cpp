#include "view/posed.h"

#include <cmath>

#include "core/motion/link_motion.h"
#include "core/query/distance.h"
#include "core/vector/vec.h"

namespace tocsin::view {

Pose pose_at(std::span<const scene::SweptLink> links, double t) {
  Pose out;
  out.reserve(links.size());
  for (const scene::SweptLink& link : links) {
    const core::AxisState at = core::evaluate(link.motion, t);
    out.push_back({link.motion.ref + at.a, link.motion.ref + at.b, link.motion.radius});
  }
  return out;
}

double axis_distance(const PosedLink& p, const PosedLink& q) {
  // A triangle without area is its edges: here, the other axis.
  const core::Triangle segment{{q.a - p.a, q.b - p.a, q.b - p.a}};
  return std::sqrt(core::closest_points({}, p.b - p.a, segment).squared);
}

}  // namespace tocsin::view
