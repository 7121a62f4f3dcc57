// The farthest corner of a convex polytope along a direction, by a walk from corner to corner.
// docs/nearest.md, "The walk".
#pragma once

#include <cmath>
#include <cstdint>

#include "core/vector/expansion.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// The corners of a convex polytope, and from each the corners at the other ends of its edges. One,
/// two or three corners that are all beside each other are a point, a segment, a triangle.
struct ConvexGraph {
  const Vec3* corners = nullptr;  ///< metres
  std::uint32_t count = 0;
  const std::uint32_t* first = nullptr;   ///< count + 1: where each corner's list begins
  const std::uint32_t* beside = nullptr;  ///< the lists
};

namespace detail {

/// The sign of n . (w - v) without error, while no product underflows.
TOCSIN_HD inline int exact_sign_along(const Vec3& n, const Vec3& v, const Vec3& w) {
  Expansion<12> sum;
  const auto add = [&sum](double factor, double to, double from) {
    const Pair difference = exact_difference(to, from);
    sum.add(exact_product(factor, difference.low));
    sum.add(exact_product(factor, difference.high));
  };
  add(n.x, w.x, v.x);
  add(n.y, w.y, v.y);
  add(n.z, w.z, v.z);
  return sum.sign();
}

}  // namespace detail

/// The sign of n . (w - v), exactly: 1 where w is farther along n than v.
TOCSIN_HD inline int sign_along(const Vec3& n, const Vec3& v, const Vec3& w) {
  const double x = n.x * (w.x - v.x);
  const double y = n.y * (w.y - v.y);
  const double z = n.z * (w.z - v.z);
  const double sum = (x + y) + z;
  // Each difference, product and sum is off by one part in 2^53: four of these at most.
  const double error = 0x1p-50 * ((std::fabs(x) + std::fabs(y)) + std::fabs(z));
  if (sum > error) return 1;
  if (sum < -error) return -1;
  return detail::exact_sign_along(n, v, w);
}

/// True if corner `to` comes after `from` along n. Corners as far along n go by x, then y, then z,
/// as if n were turned by less than any angle; corners at one place by index. So no two are equal.
TOCSIN_HD inline bool is_beyond(const ConvexGraph& graph, const Vec3& n, std::uint32_t from,
                                std::uint32_t to) {
  const Vec3& v = graph.corners[from];
  const Vec3& w = graph.corners[to];
  const int sign = sign_along(n, v, w);
  if (sign != 0) return sign > 0;
  if (v.x != w.x) return w.x > v.x;
  if (v.y != w.y) return w.y > v.y;
  if (v.z != w.z) return w.z > v.z;
  return to > from;
}

/// The last corner along n in that order: of a polytope that is convex the same from any start.
/// Every step of the walk is one up in the order, so none comes twice. `steps` counts them.
TOCSIN_HD inline std::uint32_t climb(const ConvexGraph& graph, const Vec3& n, std::uint32_t start,
                                     std::uint32_t& steps) {
  std::uint32_t here = start;
  for (;;) {
    std::uint32_t best = here;
    for (std::uint32_t k = graph.first[here]; k < graph.first[here + 1]; ++k) {
      const std::uint32_t next = graph.beside[k];
      if (is_beyond(graph, n, best, next)) best = next;
    }
    if (best == here) return here;
    here = best;
    ++steps;
  }
}

}  // namespace tocsin::core
