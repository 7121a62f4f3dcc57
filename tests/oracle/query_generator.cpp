#include "query_generator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/motion/joint_motion.h"
#include "core/vector/vec.h"
#include "nearest_approach.h"
#include "oracle/separation.h"
#include "pair_movers.h"
#include "random.h"

namespace tocsin::oracle::test {
namespace {

using core::cross;
using core::dot;
using core::norm;
using tocsin::operator*;

constexpr double kPi = 3.141592653589793;
constexpr double kLeastRadius = 1e-6;  // the least that an avatar model may have

constexpr std::array<std::string_view, kClassCount> kNames = {
    "mix",     "thin",     "tiny",     "huge",   "far100",    "far10km",
    "grazing", "pi",       "below_pi", "still",  "point",     "contained",
    "pierced", "pivoting", "at_start", "at_end", "degenerate"};

Vec3f to_float(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

// --- the link and its motion -------------------------------------------------------------------

int joint_count(QueryClass c, Random& random) {
  if (c == QueryClass::kMix) return 1 + random.below(10);
  return random.chance(0.9) ? 1 + random.below(3) : 4 + random.below(4);
}

Vec3 place(QueryClass c, Random& random) {
  if (c == QueryClass::kFar100) return random.vector(100.0, 100.0);
  if (c == QueryClass::kFar10km) return random.vector(1e4, 1e4);
  return random.vector(0.0, 3.0);
}

// The rotation from pose 0 to pose 1.
Quat turn(QueryClass c, int joint, Random& random) {
  if (c == QueryClass::kStill) return {};
  const bool half_turn = c == QueryClass::kPi || c == QueryClass::kBelowPi;
  if (half_turn && (joint == 0 || random.chance(0.3))) {
    const Vec3 u = random.direction();
    if (c == QueryClass::kPi) return {0.0, u.x, u.y, u.z};
    const double half_missing = 0.5 * random.magnitude(1e-16, 1e-3);
    return {half_missing, u.x, u.y, u.z};
  }
  if (random.chance(0.15)) return {};
  if (random.chance(0.1)) return random.rotation_by(random.magnitude(1e-12, 1e-3));
  const double most = random.chance(0.2) ? kPi : 0.5;
  return random.rotation_by(random.between(0.0, most));
}

core::JointMotion joint(QueryClass c, int index, Random& random, InBetween kind) {
  const bool exact_pi = c == QueryClass::kPi;
  Transform p0;
  if (!(exact_pi && random.chance(0.8))) p0.rotation = core::normalized(random.rotation());
  Transform p1;
  p1.rotation = core::normalized(turn(c, index, random) * p0.rotation);
  p0.translation = index == 0 ? place(c, random) : random.vector(0.0, 0.5);
  p1.translation = p0.translation;
  const bool moves = c != QueryClass::kStill && random.chance(index == 0 ? 0.8 : 0.15);
  if (moves) {
    const double far = random.chance(0.1) ? 3.0 : 0.3;
    p1.translation = p1.translation + random.log_vector(1e-3, far);
  }
  return core::joint_motion(p0, p1, kind);
}

// A rod that turns about a point inside itself while that point hardly moves.
void make_pivoting(LinkQuery& q, Random& random) {
  Transform p0;
  p0.rotation = core::normalized(random.rotation());
  p0.translation = place(QueryClass::kPivoting, random);
  Transform p1 = p0;
  // About an axis across the rod, which lies along the joint's z.
  const double phi = random.between(0.0, 2.0 * kPi);
  const Vec3 about = core::rotate(p0.rotation, {std::cos(phi), std::sin(phi), 0.0});
  p1.rotation = core::normalized(Random::rotation(about, random.between(0.2, kPi)) * p0.rotation);
  p1.translation = p1.translation + random.log_vector(1e-4, 0.1);
  q.chain = {core::joint_motion(p0, p1, q.kind)};
  q.a = {0.0, 0.0, -random.between(0.1, 1.0)};
  q.b = {0.0, 0.0, random.between(0.1, 1.0)};
}

void make_link(QueryClass c, LinkQuery& q, Random& random) {
  q.kind = random.chance(0.5) ? InBetween::kScrew : InBetween::kTranslateRotate;
  if (c == QueryClass::kPivoting) return make_pivoting(q, random);
  const int joints = joint_count(c, random);
  for (int i = 0; i < joints; ++i) q.chain.push_back(joint(c, i, random, q.kind));
  if (random.chance(0.5)) q.a = random.log_vector(1e-3, 0.3);
  q.b = q.a + random.log_vector(0.02, 0.6);
  if (c == QueryClass::kPoint) q.b = q.a;
}

// --- the triangle ------------------------------------------------------------------------------

// A spot at time t where the triangle shall meet the link: x = y + distance n.
struct Spot {
  Vec3 y;      // on the axis
  Vec3 n;      // unit, from the axis to the triangle
  Vec3 along;  // unit, along the axis
};

double meeting_time(QueryClass c, Random& random) {
  if (c == QueryClass::kAtStart) return 0.0;
  if (c == QueryClass::kAtEnd) return 1.0;
  return random.between(0.05, 0.95);
}

Spot find_spot(QueryClass c, const LinkQuery& q, const LinkPath& path, Random& random) {
  const double t = meeting_time(c, random);
  const auto axis_at = [&](double time) {
    const Axis<Real> axis = path.at(time);
    return std::array<Vec3, 2>{path.origin() + to_vec3(axis.a), path.origin() + to_vec3(axis.b)};
  };
  const auto [a, b] = axis_at(t);
  double s = random.chance(0.3) ? static_cast<double>(random.below(2)) : random.unit();
  if (c == QueryClass::kPivoting) {
    const double pivot = q.a.z / (q.a.z - q.b.z);
    s = std::clamp(pivot + random.offset(1e-3, 0.2), 0.0, 1.0);
  }
  Spot spot;
  spot.y = a + s * (b - a);
  spot.along = unit(b - a, random.direction());
  spot.n = any_across(random, spot.along);
  if (s == 0.0 || s == 1.0) {
    const double tilt = random.between(0.0, 1.0) * (s == 0.0 ? -1.0 : 1.0);
    spot.n = unit(spot.n + tilt * spot.along, spot.n);
  }
  // Touch at the start while moving away, and at the end while moving nearer.
  if (c == QueryClass::kAtStart || c == QueryClass::kAtEnd) {
    const double other = c == QueryClass::kAtStart ? 1e-3 : 1.0 - 1e-3;
    const auto [a2, b2] = axis_at(other);
    const Vec3 moved = (a2 + s * (b2 - a2)) - spot.y;
    if (dot(moved, spot.n) > 0.0) spot.n = -spot.n;
    if (norm(moved) > 0.0 && random.chance(0.3)) spot.n = unit(-moved, spot.n);
  }
  return spot;
}

double triangle_size(QueryClass c, Random& random) {
  switch (c) {
    case QueryClass::kTiny:
      return random.magnitude(1e-6, 1e-3);
    case QueryClass::kHuge:
      return random.between(5.0, 20.0);
    case QueryClass::kContained:
      return random.chance(0.7) ? random.magnitude(1e-4, 1e-2) : random.between(2.0, 6.0);
    case QueryClass::kPierced:
      return random.between(0.3, 3.0);
    default:
      return random.magnitude(0.01, 3.0);
  }
}

// Corners so that the point nearest to the axis is x: inside the face, on an edge, or a corner.
std::array<Vec3, 3> corners_at(const Vec3& x, const Spot& spot, double size, int feature,
                               double height, Random& random) {
  const Vec3 e1 = any_across(random, spot.n);
  const Vec3 e2 = cross(spot.n, e1);
  const auto stretch = [&] { return size * random.between(0.2, 1.0); };
  if (feature == 0) {
    const double phi = random.between(0.0, 2.0 * kPi);
    std::array<Vec3, 3> out;
    for (int i = 0; i < 3; ++i) {
      const double angle = phi + 2.0 * kPi / 3.0 * i + random.between(-0.4, 0.4);
      const double l = stretch();
      out[static_cast<std::size_t>(i)] =
          x + (l * std::cos(angle)) * e1 + (height * l * std::sin(angle)) * e2;
    }
    return out;
  }
  const double psi = random.between(-1.5, 1.5);
  const Vec3 back = std::cos(psi) * spot.n + std::sin(psi) * e2;
  const double l0 = stretch();
  const double l1 = stretch();
  const double l2 = height * stretch();
  if (feature == 1) return {x - l0 * e1, x + l1 * e1, x + l2 * back};
  return {x, x + l0 * back, x + l1 * back + l2 * e1};
}

std::array<Vec3, 3> corners_around(QueryClass c, const Vec3& x, const Spot& spot, Random& random) {
  const double size = triangle_size(c, random);
  if (c == QueryClass::kPierced) {  // a plane across the axis, more or less, x well inside
    Spot facing = spot;
    facing.n = unit(spot.along + random.between(0.0, 1.0) * spot.n, spot.n);
    return corners_at(x, facing, size, 0, 1.0, random);
  }
  int feature = random.below(3);
  if (c == QueryClass::kPivoting && random.chance(0.8)) feature = 1;
  const double height = c == QueryClass::kThin ? random.magnitude(1e-8, 1e-4) : 1.0;
  return corners_at(x, spot, size, feature, height, random);
}

// Zero area in floats exactly: a point, a segment twice over, or a segment and its middle.
void flatten(std::array<Vec3f, 3>& t, Random& random) {
  const int how = random.below(3);
  if (how == 0) t[1] = t[2] = t[0];
  if (how == 1) t[2] = t[1];
  if (how == 2) {
    t[1] = {t[0].x + 0.25F, t[0].y - 0.5F, t[0].z + 1.0F};
    t[2] = {t[0].x + 0.125F, t[0].y - 0.25F, t[0].z + 0.5F};
  }
}

// --- making a pair just touch, and just not ------------------------------------------------------

Nearest nearest_approach(const LinkPath& path, const std::array<Vec3f, 3>& corners, int refine) {
  const TriangleFrame triangle(corners, path.origin());
  const auto at = [&](double t) { return separation(path.at(t), triangle); };
  return least_of(at, refine);
}

// Moves the triangle along m until a plane across m parts it from all sampled positions of the
// link.
void move_out(LinkQuery& q, const LinkPath& path, const Vec3& m, double hair) {
  double reach = -1e300;
  for (int i = 0; i <= 16; ++i) {
    const Axis<Real> axis = path.at(i / 16.0);
    for (const RealVec& p : {axis.a, axis.b})
      reach = std::max(reach, dot(m, path.origin() + to_vec3(p)));
  }
  double least = 1e300;
  for (const Vec3f& v : q.triangle) least = std::min(least, dot(m, core::to_double(v)));
  const double by = reach - least + q.radius + hair;
  for (Vec3f& v : q.triangle) v = to_float(core::to_double(v) + by * m);
}

// A small distance, metres: how deep a touching query touches, or how clear a clear one is.
double hair_of(QueryClass c, Random& random, double scale) {
  if (c == QueryClass::kGrazing) return random.magnitude(1e-13, 1e-6);
  if (c == QueryClass::kAtStart || c == QueryClass::kAtEnd) return random.magnitude(1e-11, 1e-3);
  return scale * random.magnitude(1e-8, 0.5);
}

void make_touching(QueryClass c, LinkQuery& q, double distance, Random& random) {
  if (distance < kLeastRadius) {
    q.radius = random.magnitude(1e-3, 0.15);
  } else {
    q.radius = distance + hair_of(c, random, distance);
  }
}

// `q` touches; afterwards, as far as a draft can tell, it does not.
void move_clear(QueryClass c, LinkQuery& q, const LinkPath& path, const Nearest& nearest,
                Random& random) {
  const double hair = hair_of(c, random, q.radius);
  const double thinner = nearest.distance - hair;
  if (thinner > kLeastRadius && random.chance(0.5)) {
    q.radius = thinner;
    return;
  }
  if (nearest.distance < kLeastRadius) return move_out(q, path, random.direction(), hair);
  const double by = 2.0 * (q.radius - nearest.distance) + hair;
  for (Vec3f& v : q.triangle) v = to_float(core::to_double(v) - by * nearest.direction);
}

}  // namespace

std::string_view name_of(QueryClass c) { return kNames[static_cast<std::size_t>(c)]; }

bool class_of(std::string_view name, QueryClass& c) {
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return false;
  c = static_cast<QueryClass>(found - kNames.begin());
  return true;
}

LinkQuery QueryGenerator::make(std::uint64_t index) const {
  return make_pair(index / 2)[index % 2];
}

std::array<LinkQuery, 2> QueryGenerator::make_pair(std::uint64_t number) const {
  Random random(seed_, static_cast<std::uint64_t>(class_), number);
  LinkQuery q;
  make_link(class_, q, random);
  const LinkPath path(q.chain, q.kind, q.a, q.b);
  const Spot spot = find_spot(class_, q, path, random);
  double away = random.magnitude(5e-3, 0.2);
  if (class_ == QueryClass::kPierced) away = 0.0;
  const Vec3 x = spot.y + away * spot.n;
  const std::array<Vec3, 3> corners = corners_around(class_, x, spot, random);
  for (std::size_t i = 0; i < 3; ++i) q.triangle[i] = to_float(corners[i]);
  if (class_ == QueryClass::kDegenerate) flatten(q.triangle, random);

  const int refine = class_ == QueryClass::kGrazing ? 40 : 20;
  const Nearest nearest = nearest_approach(path, q.triangle, refine);
  make_touching(class_, q, nearest.distance, random);
  LinkQuery clear = q;
  move_clear(class_, clear, path, nearest, random);
  return {std::move(q), std::move(clear)};
}

}  // namespace tocsin::oracle::test
