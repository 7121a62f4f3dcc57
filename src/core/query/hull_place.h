// Where two hulls touch whose pair and time are known.
#pragma once

#include <cmath>

#include "core/query/certify_hulls.h"
#include "core/query/contact_point.h"
#include "core/query/hull_distance.h"

namespace tocsin::core {

/// Two frames in the world, as frame_pair takes them.
struct WorldFrames {
  const FrameMotion& first;
  const FrameMotion& second;
};

/// The point of g, without its radius, that is nearest to f at a time; the normal points to f.
/// World, where shared joints count again.
TOCSIN_HD inline ContactPoint place_of(const WorldFrames& frames, const FramePair& pair,
                                       const Hull& f, const Hull& g, double time) {
  const Vec3 shift = frames.second.ref - frames.first.ref;
  const ClosestHulls c = closest_points(part_at(f, evaluate(frames.first, time), {}, {}),
                                        part_at(g, evaluate(frames.second, time), shift, {}));
  ContactPoint out;
  out.point = frames.first.ref + c.x;
  const double distance = std::sqrt(c.squared);
  // Nearer than that the direction is rounding.
  if (distance > rounding_margin(pair, reach_of(f), reach_of(g))) {
    out.normal = (1.0 / distance) * (c.y - c.x);
    out.has_normal = true;
  }
  return out;
}

}  // namespace tocsin::core
