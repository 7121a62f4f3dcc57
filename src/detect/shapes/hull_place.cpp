#include "detect/shapes/hull_place.h"

#include <cmath>

#include "core/query/hull_distance.h"

namespace tocsin::detect {

core::ContactPoint place_of(const WorldFrames& frames, const core::FramePair& pair,
                            const core::Hull& f, const core::Hull& g, double time) {
  const Vec3 shift = frames.second.ref - frames.first.ref;
  const core::ClosestHulls c =
      core::closest_points(core::part_at(f, core::evaluate(frames.first, time), {}, {}),
                           core::part_at(g, core::evaluate(frames.second, time), shift, {}));
  core::ContactPoint out;
  out.point = frames.first.ref + c.x;
  const double distance = std::sqrt(c.squared);
  // Nearer than that the direction is rounding.
  if (distance > core::rounding_margin(pair, core::reach_of(f), core::reach_of(g))) {
    out.normal = (1.0 / distance) * (c.y - c.x);
    out.has_normal = true;
  }
  return out;
}

}  // namespace tocsin::detect
