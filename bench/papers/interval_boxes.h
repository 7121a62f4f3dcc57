// Interval arithmetic by outward rounding, and the paper's interval matrices: the swept box of a
// link the way paper 004, section 5, computes it. Benches and tests compare the chord bound of
// docs/exact.md with it, and it gives rows of the paper's Table 1.
#pragma once

#include <cmath>

#include "core/motion/link_motion.h"
#include "core/vector/hd.h"
#include "core/vector/trig.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A closed interval [lo, hi].
struct Interval {
  double lo = 0.0;
  double hi = 0.0;
};

/// [lo, hi] widened by more than the rounding of one operation that produced its ends.
TOCSIN_HD inline Interval widened(double lo, double hi) {
  constexpr double kStep = 0x1p-52;     // 2 u
  constexpr double kLeast = 0x1p-1022;  // covers underflow
  return {lo - (std::fabs(lo) * kStep + kLeast), hi + (std::fabs(hi) * kStep + kLeast)};
}

TOCSIN_HD inline Interval operator+(const Interval& a, const Interval& b) {
  return widened(a.lo + b.lo, a.hi + b.hi);
}
TOCSIN_HD inline Interval operator-(const Interval& a, const Interval& b) {
  return widened(a.lo - b.hi, a.hi - b.lo);
}
TOCSIN_HD inline Interval operator*(const Interval& a, const Interval& b) {
  const double p = a.lo * b.lo;
  const double q = a.lo * b.hi;
  const double r = a.hi * b.lo;
  const double s = a.hi * b.hi;
  return widened(min_of(min_of(p, q), min_of(r, s)), max_of(max_of(p, q), max_of(r, s)));
}

/// The smallest interval that holds both.
TOCSIN_HD constexpr Interval hull(const Interval& a, const Interval& b) {
  return {min_of(a.lo, b.lo), max_of(a.hi, b.hi)};
}

/// An interval vector: a box in double precision.
struct IntervalVec {
  Interval x;
  Interval y;
  Interval z;
};

TOCSIN_HD inline IntervalVec interval_of(const Vec3& a) {
  return {{a.x, a.x}, {a.y, a.y}, {a.z, a.z}};
}
TOCSIN_HD inline IntervalVec operator+(const IntervalVec& a, const IntervalVec& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
TOCSIN_HD inline IntervalVec operator*(const Interval& s, const IntervalVec& a) {
  return {s * a.x, s * a.y, s * a.z};
}

/// A 3x3 matrix of intervals, row-major.
struct IntervalMat {
  IntervalVec row[3];
};

TOCSIN_HD inline Interval dot(const IntervalVec& a, const IntervalVec& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
TOCSIN_HD inline IntervalVec operator*(const IntervalMat& m, const IntervalVec& a) {
  return {dot(m.row[0], a), dot(m.row[1], a), dot(m.row[2], a)};
}

TOCSIN_HD inline IntervalMat operator*(const IntervalMat& a, const IntervalMat& b) {
  IntervalMat out;
  const IntervalVec c0{b.row[0].x, b.row[1].x, b.row[2].x};
  const IntervalVec c1{b.row[0].y, b.row[1].y, b.row[2].y};
  const IntervalVec c2{b.row[0].z, b.row[1].z, b.row[2].z};
  for (int i = 0; i < 3; ++i) {
    out.row[i] = {dot(a.row[i], c0), dot(a.row[i], c1), dot(a.row[i], c2)};
  }
  return out;
}

/// sin(wt) and cos(wt) over t in [0, 1], w in [0, pi] (paper 004, section 5).
struct IntervalSinCos {
  Interval sin;
  Interval cos;
};

TOCSIN_HD inline IntervalSinCos interval_sincos(double w) {
  const SinCos half = sincos_quadrant(0.5 * w);
  const double s = 2.0 * (half.sin * half.cos);
  const double c = 1.0 - 2.0 * (half.sin * half.sin);
  constexpr double kError = 0x1p-48;  // far above the rounding of s and c
  const double top = w >= kHalfPi ? 1.0 : min_of(s + kError, 1.0);
  return {{min_of(0.0, s) - kError, top}, {max_of(c - kError, -1.0), 1.0}};
}

/// A joint's motion over the whole step as interval matrix and vector: eq. 8-10 with intervals for
/// t.
struct IntervalJoint {
  IntervalMat rotation;
  IntervalVec translation;
};

TOCSIN_HD inline IntervalJoint interval_joint(const JointMotion& m, InBetween kind) {
  const IntervalSinCos sc = interval_sincos(m.w);
  const Interval versin = Interval{1.0, 1.0} - sc.cos;
  IntervalJoint out;
  // Columns of P(t) = R0 + sin u* R0 + (1 - cos) u* u* R0; each product of stored numbers in
  // intervals.
  IntervalVec columns[3];
  for (int j = 0; j < 3; ++j) {
    const Vec3 q = column(m.r0, j);
    const Vec3 once = cross(m.u, q);
    const Vec3 twice = cross(m.u, once);
    constexpr double kError = 0x1p-50;  // above the rounding of two cross products of unit vectors
    const auto fuzzy = [](const Vec3& v) {
      return IntervalVec{
          {v.x - kError, v.x + kError}, {v.y - kError, v.y + kError}, {v.z - kError, v.z + kError}};
    };
    columns[j] = interval_of(q) + (sc.sin * fuzzy(once) + versin * fuzzy(twice));
  }
  for (int i = 0; i < 3; ++i) {
    const auto pick = [i](const IntervalVec& v) { return i == 0 ? v.x : i == 1 ? v.y : v.z; };
    out.rotation.row[i] = {pick(columns[0]), pick(columns[1]), pick(columns[2])};
  }
  const Interval time{0.0, 1.0};
  if (kind == InBetween::kTranslateRotate) {
    out.translation = interval_of(m.c) + time * interval_of(m.s);
    return out;
  }
  const Vec3 turned = cross(m.u, m.v);
  const double fuzz = 0x1p-50 * norm(m.v);
  const IntervalVec turned_fuzzy{{turned.x - fuzz, turned.x + fuzz},
                                 {turned.y - fuzz, turned.y + fuzz},
                                 {turned.z - fuzz, turned.z + fuzz}};
  const Interval h{m.h, m.h};
  // sin(wt)/w lies in [0, 1] and (1 - cos wt)/w in [0, min(w/2, 2/w)], tighter than dividing.
  const Interval beside{0.0, min_of(0.5 * m.w, 0.73) * (1.0 + 0x1p-40)};
  out.translation = interval_of(m.c) + (time * (h * interval_of(m.u)) +
                                        (time * interval_of(m.v) + beside * turned_fuzzy));
  return out;
}

/// A box that holds the link's axis over the whole step, relative to link.ref, metres, radius not
/// included: interval matrices concatenated from the root (paper 004, eq. 11), applied to both
/// ends.
TOCSIN_HD inline IntervalVec swept_aabb_interval(const LinkMotion& link) {
  IntervalMat rotation;
  rotation.row[0] = interval_of({1.0, 0.0, 0.0});
  rotation.row[1] = interval_of({0.0, 1.0, 0.0});
  rotation.row[2] = interval_of({0.0, 0.0, 1.0});
  IntervalVec translation = interval_of(-link.ref);
  for (std::int32_t k = 0; k < link.chain_length; ++k) {
    const IntervalJoint j = interval_joint(link.joints[link.chain[k]], link.kind);
    translation = rotation * j.translation + translation;
    rotation = rotation * j.rotation;
  }
  const IntervalVec a = rotation * interval_of(link.a) + translation;
  const IntervalVec b = rotation * interval_of(link.b) + translation;
  return {hull(a.x, b.x), hull(a.y, b.y), hull(a.z, b.z)};
}

}  // namespace tocsin::core
