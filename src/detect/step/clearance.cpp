#include "detect/step/clearance.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

#include "core/query/link_pair.h"

namespace tocsin::detect {

namespace {

/// Distance queries spent on one link and step; then the bound proved so far is the answer.
constexpr int kMostQueries = 4096;

/// A stretch of the step and what is proved on it.
struct Stretch {
  double begin = 0.0;
  double end = 0.0;
  double bound = 0.0;  ///< the axis's distance is at least this throughout
};

bool operator<(const Stretch& p, const Stretch& q) {
  return p.bound > q.bound;  // the least bound on top of the queue
}

/// Between the boxes that core::may_graze compares, metres; 0 if they meet. They hold the links
/// with room for the rounding of this.
double gap_of_boxes(const core::LinkMotion& a, const core::LinkMotion& b) {
  const Vec3 shift = b.ref - a.ref;
  const double apart = core::norm(shift);
  const core::detail::WideBox p = core::detail::swept_box(a, core::rounding_margin(a, apart), {});
  const core::detail::WideBox q =
      core::detail::swept_box(b, core::rounding_margin(b, apart), shift);
  if (!p.finite || !q.finite) return 0.0;
  const auto gap = [](double lo, double hi, double other_lo, double other_hi) {
    return std::max({0.0, lo - other_hi, other_lo - hi});
  };
  return core::norm(Vec3{gap(p.lo.x, p.hi.x, q.lo.x, q.hi.x), gap(p.lo.y, p.hi.y, q.lo.y, q.hi.y),
                         gap(p.lo.z, p.hi.z, q.lo.z, q.hi.z)});
}

/// How far one axis is proved to be beyond the other along n, which need not be the best direction.
double gap_along(const core::AxisState& a, const core::AxisState& b, const Vec3& n) {
  const Vec3 x = b.a;
  return std::min(core::dot(n, a.a - x), core::dot(n, a.b - x)) -
         std::max(0.0, core::dot(n, b.b - x));
}

/// A lower bound of the distance between two axes, but for rounding.
double distance_of_axes(const core::AxisState& a, const core::AxisState& b) {
  const core::ClosestPair c = core::closest_points(a, b);
  const Vec3 d = c.y - c.x;
  const Vec3 f = core::cross(a.b - a.a, b.b - b.a);
  double best = 0.0;
  for (const Vec3& n : {d, core::dot(f, d) < 0.0 ? -f : f}) {
    const double length = core::norm(n);
    if (length > core::kLeastLength) best = std::max(best, gap_along(a, b, (1.0 / length) * n));
  }
  return best;
}

}  // namespace

double least_on_step(const std::function<double(double)>& distance, double speed, double radius,
                     double slack) {
  double nearest = HUGE_VAL;  // of all distances seen
  int queries = 0;
  const auto look = [&](double begin, double end) {
    const double seen = distance(begin + 0.5 * (end - begin));
    ++queries;
    nearest = std::min(nearest, seen);
    return Stretch{begin, end, seen - 0.5 * speed * (end - begin) - slack};
  };

  std::priority_queue<Stretch> stretches;
  stretches.push(look(0.0, 1.0));
  if (std::isinf(nearest)) return HUGE_VAL;
  while (queries < kMostQueries) {
    const Stretch worst = stretches.top();
    const double surface = nearest - radius;
    if (surface <= 0.0) return 0.0;
    if (nearest - worst.bound <= std::max(kClearanceSlack, kClearanceRelativeSlack * surface))
      break;
    stretches.pop();
    const double middle = worst.begin + 0.5 * (worst.end - worst.begin);
    stretches.push(look(worst.begin, middle));
    stretches.push(look(middle, worst.end));
  }
  return std::max(0.0, stretches.top().bound - radius);
}

double proved_clearance(const core::LinkMotion& link, const cpu::TreeCuller& tree,
                        const std::function<bool(std::uint32_t)>& wanted) {
  const double corner = core::farthest_corner(link.ref, tree.bounds());
  // World coordinates round to |ref| as well; 2^-48 |ref| is 32 of their roundings.
  const double slack =
      core::rounding_margin(link, corner) + 0x1p-48 * (core::norm(link.ref) + corner);

  const auto distance = [&](double t) {
    const core::AxisState axis = core::evaluate(link, t);
    return tree.nearest(link.ref + axis.a, link.ref + axis.b, HUGE_VAL, wanted);
  };
  return least_on_step(distance, link.speed, link.radius, slack);
}

double proved_clearance(const core::LinkMotion& a, const core::LinkMotion& b) {
  const Vec3 shift = b.ref - a.ref;
  const auto distance = [&](double t) {
    return distance_of_axes(core::evaluate(a, t),
                            core::detail::carried(core::evaluate(b, t), shift));
  };
  return std::max(
      gap_of_boxes(a, b),
      least_on_step(distance, a.speed + b.speed, a.radius + b.radius, core::rounding_margin(a, b)));
}

double distance_between(const core::Box& a, const core::Box& b) {
  const auto gap = [](float lo, float hi) {
    return std::max(0.0, static_cast<double>(lo) - static_cast<double>(hi));
  };
  return core::norm(Vec3{std::max(gap(a.lo.x, b.hi.x), gap(b.lo.x, a.hi.x)),
                         std::max(gap(a.lo.y, b.hi.y), gap(b.lo.y, a.hi.y)),
                         std::max(gap(a.lo.z, b.hi.z), gap(b.lo.z, a.hi.z))});
}

}  // namespace tocsin::detect
