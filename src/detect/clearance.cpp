#include "detect/clearance.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

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

}  // namespace

double proved_clearance(const core::LinkMotion& link, const cpu::TreeCuller& tree,
                        const std::function<bool(std::uint32_t)>& wanted) {
  const double corner = core::farthest_corner(link.ref, tree.bounds());
  // World coordinates round to |ref| as well; 2^-48 |ref| is 32 of their roundings.
  const double slack =
      core::rounding_margin(link, corner) + 0x1p-48 * (core::norm(link.ref) + corner);

  double nearest = HUGE_VAL;  // of all distances seen
  int queries = 0;
  const auto look = [&](double begin, double end) {
    const double middle = begin + 0.5 * (end - begin);
    const core::AxisState axis = core::evaluate(link, middle);
    const double distance = tree.nearest(link.ref + axis.a, link.ref + axis.b, HUGE_VAL, wanted);
    ++queries;
    nearest = std::min(nearest, distance);
    return Stretch{begin, end, distance - 0.5 * link.speed * (end - begin) - slack};
  };

  std::priority_queue<Stretch> stretches;
  stretches.push(look(0.0, 1.0));
  if (std::isinf(nearest)) return HUGE_VAL;
  while (queries < kMostQueries) {
    const Stretch worst = stretches.top();
    const double surface = nearest - link.radius;
    if (surface <= 0.0) return 0.0;
    if (nearest - worst.bound <= std::max(kClearanceSlack, kClearanceRelativeSlack * surface))
      break;
    stretches.pop();
    const double middle = worst.begin + 0.5 * (worst.end - worst.begin);
    stretches.push(look(worst.begin, middle));
    stretches.push(look(middle, worst.end));
  }
  return std::max(0.0, stretches.top().bound - link.radius);
}

}  // namespace tocsin::detect
