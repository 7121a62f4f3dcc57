#include "hulls/hull_generator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/vector/vec.h"
#include "hulls/hull_input.h"
#include "nearest_approach.h"
#include "pair_movers.h"
#include "random.h"

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
Nearest nearest_approach(const HullQuery& q, int refine) {
  struct Draft {
    double upper = 0.0;
    RealVec direction;
  };
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
double way_out(const HullQuery& q, const Vec3& m) {
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

// How deep one surface is pushed into another, or how far it stays off. No piercing is sure that is
// less deep than some rounding margins: these pairs would all be grazes.
double thin_hair(PairClass c, Random& random, double size) {
  const double hair = hair_of(c, random, 0.3 * size);
  return c == PairClass::kGrazing ? hair : std::max(hair, random.magnitude(3e-10, 1e-7));
}

// Surfaces without thickness: one is pushed into the other, or taken off it.
std::array<HullQuery, 2> thin_pair(PairClass c, const TwoHulls& hulls, Random& random) {
  HullQuery touching = hulls.query();
  const Nearest nearest = nearest_approach(touching, c == PairClass::kGrazing ? 40 : 20);
  TwoHulls moved = hulls;
  const double size = size_of(hulls);
  const double hair = thin_hair(c, random, size);
  TwoHulls clear = hulls;
  if (nearest.distance < 1e-9 * size) {  // they go through each other anyway
    const Vec3 m = random.direction();
    shift_second(clear.two, nearest.t, (way_out(touching, m) + hair) * m);
    return {std::move(touching), clear.query()};
  }
  shift_second(moved.two, nearest.t, (nearest.distance + hair) * nearest.direction);
  const double part = random.chance(0.5) ? random.unit() : 1.0;
  const double by = std::max(nearest.distance - hair, 0.1 * nearest.distance);
  shift_second(clear.two, nearest.t, part * by * nearest.direction);
  return {moved.query(), clear.query()};
}

void set_radii(TwoHulls& hulls, double sum, Random& random) {
  const double share = random.chance(0.3) ? 0.0 : random.unit();  // one of them is a mesh
  const bool first = random.chance(0.5);
  (first ? hulls.first : hulls.second).radius = share * sum;
  (first ? hulls.second : hulls.first).radius = sum - share * sum;
}

std::array<HullQuery, 2> round_pair(PairClass c, TwoHulls hulls, Random& random) {
  const Nearest nearest = nearest_approach(hulls.query(), c == PairClass::kGrazing ? 40 : 20);
  const double distance = nearest.distance;
  const bool meet = distance < 2e-6;
  const double sum = meet ? random.magnitude(1e-6, 0.3) : distance + hair_of(c, random, distance);
  set_radii(hulls, sum, random);
  HullQuery touching = hulls.query();
  TwoHulls clear = hulls;
  const double hair = hair_of(c, random, sum);
  if (meet) {
    const Vec3 m = random.direction();
    shift_second(clear.two, nearest.t, (way_out(touching, m) + sum + hair) * m);
  } else if (distance - hair > 1e-6 && random.chance(0.5)) {
    set_radii(clear, distance - hair, random);
  } else {
    shift_second(clear.two, nearest.t, -((2.0 * (sum - distance) + hair) * nearest.direction));
  }
  return {std::move(touching), clear.query()};
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
  if (may_be_thin(hulls) && random.chance(0.7)) return thin_pair(c, hulls, random);
  return round_pair(c, std::move(hulls), random);
}

}  // namespace tocsin::oracle::test
