#include "pair_generator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/vector/vec.h"
#include "nearest_approach.h"
#include "oracle/pair_separation.h"
#include "pair_movers.h"
#include "random.h"

namespace tocsin::oracle::test {

using core::cross;
using core::dot;
using core::norm;

double meeting_time(PairClass c, Random& random) {
  if (c == PairClass::kAtStart) return 0.0;
  if (c == PairClass::kAtEnd) return 1.0;
  return random.between(0.05, 0.95);
}

void shift_second(Two& two, double t, const Vec3& by) {
  Vec3 local = by;
  if (two.free_joint > 0) {  // turn it into the frame of the last joint in common
    Mover trunk = two.second;
    trunk.joints.resize(two.free_joint);
    const auto image = [&](const Vec3& x) {
      trunk.a = {};
      trunk.b = x;
      const Ends e = ends_at(trunk.axis(), t);
      return e.b - e.a;
    };
    local = {dot(image({1.0, 0.0, 0.0}), by), dot(image({0.0, 1.0, 0.0}), by),
             dot(image({0.0, 0.0, 1.0}), by)};
  }
  two.second.shift(two.free_joint, local);
}

double hair_of(PairClass c, Random& random, double scale) {
  if (c == PairClass::kGrazing) return random.magnitude(1e-13, 1e-6);
  if (c == PairClass::kAtStart || c == PairClass::kAtEnd) return random.magnitude(1e-11, 1e-3);
  return scale * random.magnitude(1e-8, 0.5);
}

namespace {

constexpr double kLeastPairRadius = 1e-6;  // the least that an avatar model may have

constexpr std::array<std::string_view, kPairClassCount> kPairNames = {
    "mix",       "long_chains", "thin",       "tiny",     "huge",     "far100",     "far10km",
    "far_roots", "grazing",     "pi",         "below_pi", "still",    "one_still",  "points",
    "parallel",  "collinear",   "crossing",   "inside",   "pivoting", "pivot_both", "at_start",
    "at_end",    "together",    "one_avatar", "drawn"};

// --- where they meet ----------------------------------------------------------------------------

// Place along an axis: an end, or inside.
double parameter(PairClass c, const Mover& m, Random& random) {
  if (m.a == m.b) return 0.0;
  const bool turns = c == PairClass::kPivotingBoth || (c == PairClass::kPivoting && m.a.z < 0.0);
  if (turns && m.a.x == 0.0 && m.a.y == 0.0) {
    const double pivot = m.a.z / (m.a.z - m.b.z);
    return std::clamp(pivot + random.offset(1e-3, 0.2), 0.0, 1.0);
  }
  if (c == PairClass::kPivoting) return random.between(0.05, 0.95);
  return random.chance(0.3) ? static_cast<double>(random.below(2)) : random.unit();
}

// A unit vector that leads from y on one axis to x on the other so that they are, at that time, the
// nearest of all: across an axis that is met inside, away from one that is met at an end.
Vec3 direction(const Ends& a, double s, const Ends& b, double f, Random& random) {
  const Vec3 d = a.b - a.a;
  const Vec3 e = b.b - b.a;
  const bool inside_a = s > 0.0 && s < 1.0 && norm(d) > 0.0;
  const bool inside_b = f > 0.0 && f < 1.0 && norm(e) > 0.0;
  if (inside_a && inside_b) {
    const Vec3 n = cross(d, e);
    const bool parallel = !(norm(n) > 1e-9 * norm(d) * norm(e));
    const Vec3 across = parallel ? any_across(random, unit(d, {})) : unit(n, {});
    return random.chance(0.5) ? across : -across;
  }
  for (int i = 0; i < 20; ++i) {
    Vec3 n = random.direction();
    if (inside_a) n = any_across(random, unit(d, n));
    if (inside_b) n = any_across(random, unit(e, n));
    const double ahead_a = s == 0.0 ? dot(n, d) : -dot(n, d);
    const double ahead_b = f == 0.0 ? -dot(n, e) : dot(n, e);
    if ((inside_a || ahead_a <= 0.0) && (inside_b || ahead_b <= 0.0)) return n;
  }
  return random.direction();
}

double away(PairClass c, Random& random) {
  switch (c) {
    case PairClass::kCrossing:
      return 0.0;
    case PairClass::kThin:
      return random.magnitude(2e-6, 2e-4);
    case PairClass::kTiny:
      return random.magnitude(2e-6, 1e-3);
    case PairClass::kHuge:
      return random.magnitude(5e-2, 4.0);
    default:
      return random.magnitude(5e-3, 0.2);
  }
}

void bring_together(PairClass c, Two& two, double t, Random& random) {
  const Ends a = ends_at(two.first.axis(), t);
  const Ends b = ends_at(two.second.axis(), t);
  double s = parameter(c, two.first, random);
  double f = parameter(c, two.second, random);
  Vec3 n = direction(a, s, b, f, random);
  if (c == PairClass::kCollinear) {  // end to end along the line, or one over the other
    n = unit(a.b - a.a, n);
    s = random.chance(0.8) ? 1.0 : random.unit();
    f = dot(b.b - b.a, n) >= 0.0 ? 0.0 : 1.0;
  }
  if (c == PairClass::kDrawn) {  // one ahead of the other, as it is the one's acceleration at first
    const Ends start = ends_at(two.first.axis(), 0.0);
    const Vec3 ahead = unit(two.first.joints.front().p0.translation - start.at(0.5), n);
    const Vec3 from = ends_at(two.first.axis(), 1.0).at(0.5) + away(c, random) * ahead;
    shift_second(two, 1.0, from - ends_at(two.second.axis(), 1.0).at(0.5));
    return;
  }
  // Touch at the start while parting, and at the end while nearing.
  if (c == PairClass::kAtStart || c == PairClass::kAtEnd) {
    const double other = c == PairClass::kAtStart ? 1e-3 : 1.0 - 1e-3;
    const Vec3 moved_a = ends_at(two.first.axis(), other).at(s) - a.at(s);
    const Vec3 moved_b = ends_at(two.second.axis(), other).at(f) - b.at(f);
    if (dot(moved_b - moved_a, n) < 0.0) n = -n;
  }
  shift_second(two, t, (a.at(s) + away(c, random) * n) - b.at(f));
}

// --- making them just touch, and just not -------------------------------------------------------

Nearest nearest_approach(const PairQuery& q, int refine) {
  const LinkPath first = path_of(q.first);
  const LinkPath second = path_of(q.second);
  const RealVec shift = widen<Real>(second.origin()) - widen<Real>(first.origin());
  const auto at = [&](double t) {
    const Axis<Real> other = second.at(t);
    return separation(first.at(t), Axis<Real>{other.a + shift, other.b + shift});
  };
  return least_of(at, refine);
}

// How far the second must move along m so that a plane across m parts all sampled positions.
double way_out(const PairQuery& q, const Vec3& m) {
  double reach = -1e300;
  double least = 1e300;
  for (int i = 0; i <= 16; ++i) {
    const Ends a = ends_at(q.first, i / 16.0);
    const Ends b = ends_at(q.second, i / 16.0);
    reach = std::max({reach, dot(m, a.a), dot(m, a.b)});
    least = std::min({least, dot(m, b.a), dot(m, b.b)});
  }
  return reach - least;
}

// Shares a sum of radii out.
void set_radii(PairClass c, PairQuery& q, double sum, Random& random) {
  double share = random.chance(0.3) ? random.magnitude(1e-3, 0.5) : random.between(0.2, 0.8);
  if (c == PairClass::kInside) share = 1.0 - random.magnitude(1e-3, 0.1);
  const double first = std::clamp(share * sum, kLeastPairRadius, sum - kLeastPairRadius);
  q.first.radius = first;
  q.second.radius = sum - first;
}

double make_touching(PairClass c, PairQuery& q, double distance, Random& random) {
  double sum = distance + hair_of(c, random, distance);
  if (distance < 2.0 * kLeastPairRadius) sum = random.magnitude(1e-3, 0.3);
  set_radii(c, q, std::max(sum, 2.0 * kLeastPairRadius), random);
  return q.first.radius + q.second.radius;
}

// `q` touches; afterwards, as far as a draft can tell, it does not.
void move_clear(PairClass c, const Two& two, PairQuery& q, const Nearest& nearest, Random& random) {
  const double sum = q.first.radius + q.second.radius;
  const double hair = hair_of(c, random, sum);
  const double thinner = nearest.distance - hair;
  if (thinner > 2.0 * kLeastPairRadius && random.chance(0.5)) {
    set_radii(c, q, thinner, random);
    return;
  }
  Two moved = two;
  if (nearest.distance < 2.0 * kLeastPairRadius) {
    const Vec3 m = random.direction();
    shift_second(moved, nearest.t, (way_out(q, m) + sum + hair) * m);
  } else {
    const double by = 2.0 * (sum - nearest.distance) + hair;
    shift_second(moved, nearest.t, -(by * nearest.direction));
  }
  const double radius = q.second.radius;
  q.second = moved.second.axis();
  q.second.radius = radius;
}

}  // namespace

Two two_together(PairClass c, double t, Random& random) {
  Two two = make_two(c, t, random);
  bring_together(c, two, t, random);
  return two;
}

std::string_view name_of(PairClass c) { return kPairNames[static_cast<std::size_t>(c)]; }

bool class_of(std::string_view name, PairClass& c) {
  const auto* found = std::find(kPairNames.begin(), kPairNames.end(), name);
  if (found == kPairNames.end()) return false;
  c = static_cast<PairClass>(found - kPairNames.begin());
  return true;
}

std::array<PairQuery, 2> make_pair(PairClass c, std::uint64_t seed, std::uint64_t number) {
  // Streams below 100 are the link-triangle queries'.
  Random random(seed, 100 + static_cast<std::uint64_t>(c), number);
  const double t = meeting_time(c, random);
  const Two two = two_together(c, t, random);
  PairQuery q = two.query();
  const Nearest nearest = nearest_approach(q, c == PairClass::kGrazing ? 40 : 20);
  make_touching(c, q, nearest.distance, random);
  PairQuery clear = q;
  move_clear(c, two, clear, nearest, random);
  return {std::move(q), std::move(clear)};
}

}  // namespace tocsin::oracle::test
