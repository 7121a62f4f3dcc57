#include "scene/swept/slab.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/bounds/kdop.h"
#include "core/bounds/near_test.h"
#include "core/query/certify.h"
#include "core/query/room_for_certify.h"
#include "scene/shape/polytope.h"

namespace tocsin::scene {

namespace {

using core::LinkMotion;

/// Corners are rounded to float last: by 2^-24 of each coordinate, sqrt(3) times that in all, and
/// their computation errs by 2^-42 at most (polytope.h). Every face is first moved out by this part
/// of the size, so that the rounded polyhedron still holds the slab. Less would not.
constexpr double kRoom = 0x1p-23;

/// A plane beyond which nothing reaches farther than this part of the size is left out. Without, a
/// skin has 115 triangles instead of 70 and takes three times as long, for a volume 5 % less.
constexpr double kLeastCut = 0.125;

/// A shorter vector is no direction: as for core::link_directions.
constexpr double kLeastVector = core::detail::kLeastDirection;

/// kLeastCut for the planes along a shape's own box and across its way, which make a sheet's skin
/// thin.
constexpr double kLeastOwnCut = 0x1p-5;

/// A bound on the speed of all points of the axis in all of the step, metres per step.
double speed_bound(const LinkMotion& m) {
  const core::AxisState middle = core::evaluate(m, 0.5);
  const double there = core::max_of(core::norm(middle.va), core::norm(middle.vb));
  return core::min_of(m.speed, there + 0.5 * core::acceleration_of(m)) + 0x1p-20 * m.speed;
}

/// Error bound of the support of link and triangle along certify's direction, metres: R sqrt(64 u X
/// / D), where R is the axis's length plus the greatest length of a triangle, and D >= r the
/// distance. If it is less, the value for D = the result itself is returned.
double direction_error(const LinkMotion& m, const core::Box& bounds) {
  if (!(bounds.lo.x <= bounds.hi.x)) return 0.0;
  const double reach = m.reach + core::farthest_corner(m.ref, bounds);
  const double extent =
      core::norm(m.b - m.a) + core::norm(core::to_double(bounds.hi) - core::to_double(bounds.lo));
  const double q = 0x1p-47 * reach;
  if (!(q < extent)) return extent;
  // (q / R)^(5/16) is above the cube root of a number below 1, and there is no need for libm's.
  const double root = std::sqrt(std::sqrt(q / extent));
  const double without_radius = extent * (root * std::sqrt(std::sqrt(root)));
  return m.radius > 0.0 ? core::min_of(extent * std::sqrt(q / m.radius), without_radius)
                        : without_radius;
}

Vec3 along(const core::KdopDirection& d) {
  return {static_cast<double>(d.x), static_cast<double>(d.y), static_cast<double>(d.z)};
}

core::Box box_of(const Slab& slab) {
  return join(core::grown_box(slab.from.a, slab.to.a, slab.grow_a),
              core::grown_box(slab.from.b, slab.to.b, slab.grow_b));
}

/// The part of the box in which a shape's corners can be.
core::Box part_of(const core::Box& box, std::span<const SweptCorner> corners) {
  core::Box held;
  for (const SweptCorner& c : corners) held = join(held, core::grown_box(c.from, c.to, c.grow));
  return {
      {std::max(box.lo.x, held.lo.x), std::max(box.lo.y, held.lo.y), std::max(box.lo.z, held.lo.z)},
      {std::min(box.hi.x, held.hi.x), std::min(box.hi.y, held.hi.y),
       std::min(box.hi.z, held.hi.z)}};
}

Vec3f middle_of(const core::Box& box) {
  return core::detail::to_float(0.5 * (core::to_double(box.lo) + core::to_double(box.hi)));
}

/// The slab relative to a float near its middle. A difference of doubles errs by u of itself, so
/// this costs no digits however far away the slab is.
struct Centred {
  Centred(const Slab& slab, const Vec3f& middle)
      : origin(middle), grow_a(slab.grow_a), grow_b(slab.grow_b) {
    const Vec3 o = core::to_double(origin);
    from = {slab.from.a - o, slab.from.b - o};
    to = {slab.to.a - o, slab.to.b - o};
  }

  Vec3f origin;
  AxisEnds from;
  AxisEnds to;
  double grow_a;
  double grow_b;
};

/// Heights along a vector.
struct Between {
  double lo = HUGE_VAL;
  double hi = -HUGE_VAL;

  void add(double height, double grow) {
    lo = core::min_of(height - grow, lo);
    hi = core::max_of(height + grow, hi);
  }
};

}  // namespace

/// A shape's two slabs around one origin.
struct SlabSkin::Both {
  const Centred& capsule;
  std::span<const SweptCorner> corners;  ///< relative to its origin
  double rounding = 0.0;                 ///< of a height, metres

  Both(const Centred& around, std::span<const SweptCorner> swept)
      : capsule(around), corners(swept) {
    double far = core::max_of(capsule.grow_a, capsule.grow_b);
    for (const AxisEnds& e : {capsule.from, capsule.to}) {
      far = core::max_of(far, core::max_of(core::norm(e.a), core::norm(e.b)));
    }
    for (const SweptCorner& c : corners) {
      far = core::max_of(core::max_of(far, c.grow),
                         core::max_of(core::norm(c.from), core::norm(c.to)));
    }
    rounding = 0x1p-49 * far;
  }

  /// Where both are along a unit vector, and a little more.
  [[nodiscard]] Between along(const Vec3& n) const {
    Between c;
    c.add(core::dot(n, capsule.from.a), capsule.grow_a);
    c.add(core::dot(n, capsule.to.a), capsule.grow_a);
    c.add(core::dot(n, capsule.from.b), capsule.grow_b);
    c.add(core::dot(n, capsule.to.b), capsule.grow_b);
    Between h;
    for (const SweptCorner& corner : corners) {
      h.add(core::dot(n, corner.from), corner.grow);
      h.add(core::dot(n, corner.to), corner.grow);
    }
    return {core::max_of(c.lo, h.lo) - rounding, core::min_of(c.hi, h.hi) + rounding};
  }
};

double graze_reach(const LinkMotion& motion, const core::Box& bounds) {
  const double direction = direction_error(motion, bounds);
  const double step = 1.0 / core::kSureSteps;
  return direction + step * (speed_bound(motion) + 0.5 * step * core::acceleration_of(motion));
}

Slab piece_slab(const SweptLink& link, std::int32_t piece, double reach) {
  const auto at = static_cast<std::size_t>(piece);
  const double h = 1.0 / link.pieces;
  return {h * piece,           piece + 1 == link.pieces ? 1.0 : h * (piece + 1),
          link.ends[at],       link.ends[at + 1],
          link.grow_a + reach, link.grow_b + reach};
}

Slab time_slab(const SweptLink& link, double t0, double t1, double reach) {
  const LinkMotion& m = link.motion;
  const auto ends_at = [&](double t) {
    const core::AxisState s = core::evaluate(m, t);
    return AxisEnds{m.ref + s.a, m.ref + s.b};
  };
  // The raise of A (core::kBoundGrowth) covers the rounding of the sag.
  const double sag = 0.125 * (t1 - t0) * (t1 - t0);
  const double padding = link.padding + reach;
  return {t0,
          t1,
          ends_at(t0),
          ends_at(t1),
          padding + sag * m.acceleration_a,
          padding + sag * m.acceleration_b};
}

void SlabSkin::set(const Slab& slab) {
  const Centred s(slab, middle_of(box_of(slab)));
  origin_ = s.origin;
  half_spaces_.clear();
  const core::Kdop<26> kdop =
      core::swept_kdop<26>(s.from.a, s.from.b, s.to.a, s.to.b, s.grow_a, s.grow_b);
  const core::Box box = box_of(kdop);
  size_ = core::max_of(core::detail::largest_size(core::to_double(box.lo)),
                       core::detail::largest_size(core::to_double(box.hi)));
  const double out = kRoom * size_;
  const Vec3 room{out, out, out};
  Polytope polytope(core::to_double(box.lo) - room, core::to_double(box.hi) + room);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 n = along(core::kKdopDirections<26>[i]);
    half_spaces_.push_back({n, static_cast<double>(kdop.hi[i]) + out});
    half_spaces_.push_back({-n, -static_cast<double>(kdop.lo[i]) + out});
  }
  const core::LinkDirections own =
      core::link_directions(s.from.a, s.from.b, s.to.a, s.to.b, s.grow_a, s.grow_b, size_);
  for (std::size_t i = 0; i < core::kLinkDirections; ++i) {
    cut_pair(polytope, core::to_double(own.n[i]), own.lo[i], own.hi[i]);
  }
  for (std::size_t i = 3; i < kdop.lo.size(); ++i) {
    cut_pair(polytope, along(core::kKdopDirections<26>[i]), kdop.lo[i], kdop.hi[i]);
  }
  set_triangles(polytope);
}

void SlabSkin::set(const Slab& capsule, const HullSlab& hull) {
  const Centred s(capsule, middle_of(part_of(box_of(capsule), hull.corners())));
  origin_ = s.origin;
  half_spaces_.clear();
  corners_.clear();
  const Vec3 o = core::to_double(origin_);
  for (const SweptCorner& corner : hull.corners()) {
    corners_.push_back({corner.from - o, corner.to - o, corner.grow});
  }
  const Both both{s, corners_};
  const Between x = both.along({1.0, 0.0, 0.0});
  const Between y = both.along({0.0, 1.0, 0.0});
  const Between z = both.along({0.0, 0.0, 1.0});
  const Vec3 lo{x.lo, y.lo, z.lo};
  const Vec3 hi{x.hi, y.hi, z.hi};
  size_ = core::max_of(core::detail::largest_size(lo), core::detail::largest_size(hi));
  const double out = kRoom * size_;
  const Vec3 room{out, out, out};
  Polytope polytope(lo - room, hi + room);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 n = along(core::kKdopDirections<26>[i]);
    half_spaces_.push_back({n, core::dot(n, hi) + out});
    half_spaces_.push_back({-n, -core::dot(n, lo) + out});
  }
  for (const Vec3& axis : hull.axes()) cut_both(polytope, both, axis, kLeastOwnCut);
  for (const Vec3& axis : hull.axes()) {
    cut_both(polytope, both, core::cross(axis, hull.moved()), kLeastOwnCut);
  }
  const core::LinkDirections own =
      core::link_directions(s.from.a, s.from.b, s.to.a, s.to.b, s.grow_a, s.grow_b, size_);
  for (const Vec3f& n : own.n) cut_both(polytope, both, core::to_double(n), kLeastCut);
  for (std::size_t i = 3; i < core::kKdopDirections<26>.size(); ++i) {
    cut_both(polytope, both, along(core::kKdopDirections<26>[i]), kLeastCut);
  }
  set_triangles(polytope);
}

void SlabSkin::cut_pair(Polytope& polytope, const Vec3& n, float lo, float hi) {
  const double length = core::norm(n);
  if (!(length > 0.0)) return;
  const Vec3 unit = (1.0 / length) * n;
  cut(polytope, {unit, static_cast<double>(hi) / length}, kLeastCut);
  cut(polytope, {-unit, -static_cast<double>(lo) / length}, kLeastCut);
}

void SlabSkin::cut_both(Polytope& polytope, const Both& both, const Vec3& n, double least) {
  const double length = core::norm(n);
  if (!(length > kLeastVector)) return;
  const Vec3 unit = (1.0 / length) * n;
  const Between between = both.along(unit);
  cut(polytope, {unit, between.hi}, least);
  cut(polytope, {-unit, -between.lo}, least);
}

void SlabSkin::cut(Polytope& polytope, HalfSpace half_space, double least) {
  half_space.d += (kRoom + 0x1p-49) * size_;  // 16 u: rounding of the normal's length and of d
  if (polytope.cut(half_space.n, half_space.d, least * size_)) {
    half_spaces_.push_back(half_space);
  }
}

void SlabSkin::set_triangles(const Polytope& polytope) {
  std::array<Vec3f, Polytope::kMostCorners> corners;
  half_ = {};
  for (Polytope::Mask rest = polytope.corners(); rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    corners[i] = core::detail::to_float(polytope.corner(i));
    half_ = {std::max(half_.x, std::fabs(corners[i].x)), std::max(half_.y, std::fabs(corners[i].y)),
             std::max(half_.z, std::fabs(corners[i].z))};
  }
  triangles_.clear();
  for (std::size_t f = 0; f < polytope.face_count(); ++f) {
    const std::span<const Polytope::Index> face = polytope.face(f);
    for (std::size_t k = 2; k < face.size(); ++k) {
      const std::array<Vec3f, 3> t = {corners[face[0]], corners[face[k - 1]], corners[face[k]]};
      // Corners that became one float leave no triangle, and no crack: its other two sides meet.
      if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles_.push_back(t);
    }
  }
}

}  // namespace tocsin::scene
