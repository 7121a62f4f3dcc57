#include "hulls/hull_generator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/vector/vec.h"
#include "hulls/hull_input.h"
#include "matched_pairs.h"

namespace tocsin::oracle::test {
namespace {

using core::dot;
using core::norm;

// A mover whose hull has more corners than its axis.
struct HullMover {
  std::vector<Vec3> corners;
  double radius = 0.0;

  [[nodiscard]] MovingHull moving(const Mover& mover) const {
    return {mover.axis().chain, mover.kind, corners, radius};
  }
};

struct TwoHulls {
  Two two;
  HullMover first;
  HullMover second;

  [[nodiscard]] HullQuery query() const {
    return {first.moving(two.first), second.moving(two.second)};
  }
  void set_radii(bool of_first, double share, double sum) {
    (of_first ? first : second).radius = share * sum;
    (of_first ? second : first).radius = sum - share * sum;
  }
};

// A vector of the world, at time t, in the frame of the mover's last joint.
Vec3 to_local(Mover mover, double t, const Vec3& world) {
  const auto image = [&](const Vec3& x) {
    mover.a = {};
    mover.b = x;
    const Ends e = ends_at(mover.axis(), t);
    return e.b - e.a;
  };
  return {dot(image({1.0, 0.0, 0.0}), world), dot(image({0.0, 1.0, 0.0}), world),
          dot(image({0.0, 0.0, 1.0}), world)};
}

// `away`: from the other link, world frame at time t. Most corners lie on that side of the axis, so
// that the two meet where their axes do.
Vec3 third_corner(PairClass c, const Mover& m, double t, const Vec3& away, Random& random) {
  const Vec3 d = m.b - m.a;
  const double length = norm(d) > 0.0 ? norm(d) : 0.1;
  const Vec3 base = m.a + random.between(-0.5, 1.5) * d;
  const bool flat = c == PairClass::kParallel || c == PairClass::kCollinear;
  const Vec3 behind = to_local(m, t, away);
  if (random.chance(0.05)) return random.chance(0.5) ? m.a : m.a + random.unit() * d;
  if (flat && random.chance(0.4)) return base + length * random.magnitude(0.1, 2.0) * behind;
  Vec3 off = random.direction();
  off = length * random.magnitude(random.chance(0.1) ? 1e-6 : 0.1, 2.0) * off;
  if (dot(off, behind) < 0.0 && random.chance(0.7)) off = -off;
  return base + off;
}

std::vector<Vec3> corners_of(PairClass c, const Mover& m, double t, const Vec3& away,
                             Random& random) {
  if (m.a == m.b || random.chance(0.05)) return {m.a};
  if (random.chance(0.2)) return {m.a, m.b};
  std::vector<Vec3> out = {m.a, m.b, third_corner(c, m, t, away, random)};
  std::swap(out[static_cast<std::size_t>(random.below(3))], out[2]);
  return out;
}

// True if the two can surely meet without thickness: an edge and a triangle.
bool may_be_thin(const TwoHulls& t) {
  const std::size_t a = t.first.corners.size();
  const std::size_t b = t.second.corners.size();
  return std::max(a, b) == 3 && std::min(a, b) >= 2;
}

// A draft by core's own distance, which is quick. What follows is judged by the oracle.
Nearest nearest_approach(const TwoHulls& hulls, int refine) {
  struct Draft {
    double upper = 0.0;
    RealVec direction;
  };
  const HullQuery q = hulls.query();
  const HullInput in(q);
  const auto at = [&](double t) {
    const core::ClosestHulls c = core::closest_points(
        core::part_at(in.first, core::evaluate(in.frames.first, t), {}, {}),
        core::part_at(in.second, core::evaluate(in.frames.second, t), in.frames.shift, {}));
    const double distance = std::sqrt(c.squared);
    return Draft{distance, widen<Real>(unit(c.y - c.x, {}))};
  };
  return least_of(at, refine);
}

// How far the second must move along m so that a plane across m parts all sampled positions.
double way_out(const TwoHulls& hulls, const Vec3& m) {
  const HullQuery q = hulls.query();
  const HullPath first(q.first);
  const HullPath second(q.second);
  const RealVec shift = widen<Real>(second.origin()) - widen<Real>(first.origin());
  const RealVec n = widen<Real>(m);
  Real way = -1e300L;
  for (int i = 0; i <= 16; ++i) {
    const Corners f = first.at(i / 16.0L);
    const Corners g = second.at(i / 16.0L);
    for (std::size_t j = 0; j < f.count; ++j) {
      for (std::size_t k = 0; k < g.count; ++k) {
        way = std::max(way, inner(n, f.at[j]) - inner(n, g.at[k] + shift));
      }
    }
  }
  return static_cast<double>(way);
}

double size_of(const TwoHulls& t) {
  const double first = norm(t.two.first.b - t.two.first.a);
  const double second = norm(t.two.second.b - t.two.second.a);
  return std::max({std::min(first, second), 1e-6});
}

}  // namespace

std::array<HullQuery, 2> make_hulls(PairClass c, std::uint64_t seed, std::uint64_t number) {
  // Streams below 200 are those of queries with links.
  Random random(seed, 200 + static_cast<std::uint64_t>(c), number);
  const double t = meeting_time(c, random);
  TwoHulls hulls{two_together(c, t, random), {}, {}};
  const Ends a = ends_at(hulls.two.first.axis(), t);
  const Ends b = ends_at(hulls.two.second.axis(), t);
  const Vec3 between = unit(a.at(0.5) - b.at(0.5), random.direction());
  hulls.first.corners = corners_of(c, hulls.two.first, t, between, random);
  hulls.second.corners = corners_of(c, hulls.two.second, t, -between, random);
  if (may_be_thin(hulls) && random.chance(0.7)) return match_surfaces(c, hulls, random);
  return match_rounded(c, std::move(hulls), random);
}

}  // namespace tocsin::oracle::test
