#include "detect/crowd/near_links.h"

#include <algorithm>
#include <cmath>

#include "core/query/axis_pair.h"
#include "core/query/early_out_pair.h"
#include "core/query/link_pair.h"
#include "core/query/room_for_certify.h"

namespace tocsin::detect {

namespace {

using scene::CoarseHull;

using core::kSureSteps;
/// Pays for the rounding of what is computed here.
constexpr double kRoundedUp = 1.0 + 0x1p-20;

/// Room between the hulls that makes certify_pair say "free", metres. `apart`: of the refs.
double room_for(const CoarseHull& p, const CoarseHull& q, double apart) {
  const double lengths = core::norm(p.from.b - p.from.a) + core::norm(q.from.b - q.from.a);
  const double reach = (p.reach + q.reach) + apart;
  const double direction = lengths * std::sqrt(0x1p-47 * reach / (p.radius + q.radius));
  const double step =
      ((p.speed + q.speed) + (p.acceleration + q.acceleration) / kSureSteps) / kSureSteps;
  return (direction + step) * kRoundedUp;
}

/// The least of n.(y - x) over a hull.
double lowest(const CoarseHull& h, const Vec3& n, const Vec3& x) {
  const double a = std::min(core::dot(n, h.from.a - x), core::dot(n, h.to.a - x)) - h.grow_a;
  const double b = std::min(core::dot(n, h.from.b - x), core::dot(n, h.to.b - x)) - h.grow_b;
  return std::min(a, b);
}

}  // namespace

bool surely_free(const MovingLinks& a, const MovingLinks& b, const NearLinks& pair) {
  const CoarseHull p = a.coarse_hull(pair.link);
  const CoarseHull q = b.coarse_hull(pair.other);
  const core::ClosestPair c = core::closest_points(core::AxisState{p.from.a, p.from.b, {}, {}},
                                                   core::AxisState{q.from.a, q.from.b, {}, {}});
  const double distance = std::sqrt(c.squared);
  if (!(distance > p.radius + q.radius)) return false;
  const Vec3 n = (1.0 / distance) * (c.y - c.x);
  const double gap = lowest(p, n, c.x) + lowest(q, -n, c.x);
  return gap > room_for(p, q, core::norm(b.ref(pair.other) - a.ref(pair.link)));
}

double free_at_least_until(MovingLinks& a, MovingLinks& b, const NearLinks& pair) {
  return core::free_in_first_step(core::seen_pair(a.motion(pair.link), b.motion(pair.other)));
}

}  // namespace tocsin::detect
