// Boxes that hold parts of moving shapes, and how long two of them are proved to stay apart: the
// test of nodes when two trees are searched. docs/exact.md, "Two trees".
#pragma once

#include <cmath>
#include <cstdint>

#include "core/motion/frame_motion.h"
#include "core/query/advance.h"
#include "core/query/hull.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A box in a frame, along axes of its own.
struct OrientedBox {
  Vec3 center;         ///< frame of the last joint, metres
  Vec3 axis[3];        ///< orthogonal, of unit length, up to rounding
  double half[3]{};    ///< metres, with room for rounding
  double reach = 0.0;  ///< no point of the box is farther from the frame's origin, metres
};

/// The same box at one time, but for its velocities. Vectors are relative to a ref, metres.
struct PlacedBox {
  Vec3 center;
  Vec3 unit[3];  ///< the axes
};

/// A vector that is fixed to the frame.
TOCSIN_HD inline Vec3 direction_of(const FrameState& s, const Vec3& l) {
  return l.x * s.x + l.y * s.y + l.z * s.z;
}

/// The box with its frame in a state, relative to a point at -shift from the frame's ref.
TOCSIN_HD inline PlacedBox placed(const OrientedBox& box, const FrameState& s, const Vec3& shift) {
  PlacedBox out;
  out.center = position_of(s, box.center) + shift;
  for (int i = 0; i < 3; ++i) out.unit[i] = direction_of(s, box.axis[i]);
  return out;
}

/// Two boxes with their frames at one time.
struct BoxPair {
  const OrientedBox& a;
  const OrientedBox& b;
  const FrameState& frame_a;
  const FrameState& frame_b;
  Vec3 shift;                 ///< from a's ref to b's
  double acceleration = 0.0;  ///< of all points of both together, for the whole step
  double reach = 0.0;         ///< no farther apart than this: they do not count as apart; metres
  double left = 1.0;          ///< the time that is asked about
};

namespace detail {

/// A direction, and how far the boxes are apart along it.
struct Gap {
  Vec3 n;  ///< of unit length, from a to b
  double metres = -1.0;
};

TOCSIN_HD inline void keep_wider(Gap& best, double gap, double sign, const Vec3& n) {
  if (gap > best.metres) best = {sign < 0.0 ? -n : n, gap};
}

/// The scalar products of two placed boxes' axes with each other, and with the line d between their
/// centres.
struct AxisProducts {
  double ab[3][3];
  double a[3];
  double b[3];
};

TOCSIN_HD inline void set_center_products(AxisProducts& p, const PlacedBox& a, const PlacedBox& b,
                                          const Vec3& d) {
  for (int i = 0; i < 3; ++i) {
    p.a[i] = dot(a.unit[i], d);
    p.b[i] = dot(b.unit[i], d);
  }
}

TOCSIN_HD inline void set_axis_products(AxisProducts& p, const PlacedBox& a, const PlacedBox& b) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) p.ab[i][j] = dot(a.unit[i], b.unit[j]);
  }
}

/// Along the axes of both boxes' faces.
TOCSIN_HD inline void look_along_faces(Gap& best, const BoxPair& pair, const AxisProducts& p,
                                       const PlacedBox& a, const PlacedBox& b) {
  const double(&ha)[3] = pair.a.half;
  const double(&hb)[3] = pair.b.half;
  for (int i = 0; i < 3; ++i) {
    const double of_b = std::fabs(p.ab[i][0]) * hb[0] + std::fabs(p.ab[i][1]) * hb[1] +
                        std::fabs(p.ab[i][2]) * hb[2];
    keep_wider(best, std::fabs(p.a[i]) - (ha[i] + of_b), p.a[i], a.unit[i]);
    const double of_a = std::fabs(p.ab[0][i]) * ha[0] + std::fabs(p.ab[1][i]) * ha[1] +
                        std::fabs(p.ab[2][i]) * ha[2];
    keep_wider(best, std::fabs(p.b[i]) - (hb[i] + of_a), p.b[i], b.unit[i]);
  }
}

/// Along the line between the centres.
TOCSIN_HD inline Gap along_centers(const BoxPair& pair, const AxisProducts& p, const Vec3& d) {
  Gap out;
  const double length = norm(d);
  if (!(length > kLeastLength)) return out;
  double extent = 0.0;
  for (int i = 0; i < 3; ++i) {
    extent += std::fabs(p.a[i]) * pair.a.half[i] + std::fabs(p.b[i]) * pair.b.half[i];
  }
  out.n = (1.0 / length) * d;
  out.metres = length - extent / length;
  return out;
}

/// True if a point of b, up to rounding the nearest to a's centre, is in a: no direction separates
/// them.
TOCSIN_HD inline bool surely_meet(const BoxPair& pair, const AxisProducts& p, const PlacedBox& b,
                                  const PlacedBox& a, const Vec3& d) {
  Vec3 x = d;
  for (int j = 0; j < 3; ++j) {
    const double half = pair.b.half[j];
    x = x - clamp_to(p.b[j], -half, half) * b.unit[j];
  }
  for (int i = 0; i < 3; ++i) {
    if (!(std::fabs(dot(a.unit[i], x)) <= pair.a.half[i])) return false;
  }
  return true;
}

/// Along the directions across two edges.
TOCSIN_HD inline void look_across_edges(Gap& best, const BoxPair& pair, const AxisProducts& p,
                                        const PlacedBox& a, const PlacedBox& b) {
  for (int i = 0; i < 3; ++i) {
    const int i1 = i == 2 ? 0 : i + 1;
    const int i2 = i == 0 ? 2 : i - 1;
    for (int j = 0; j < 3; ++j) {
      const int j1 = j == 2 ? 0 : j + 1;
      const int j2 = j == 0 ? 2 : j - 1;
      // a_i x b_j, d along it, and both boxes along it.
      const double along = p.a[i2] * p.ab[i1][j] - p.a[i1] * p.ab[i2][j];
      const double extent =
          (pair.a.half[i1] * std::fabs(p.ab[i2][j]) + pair.a.half[i2] * std::fabs(p.ab[i1][j])) +
          (pair.b.half[j1] * std::fabs(p.ab[i][j2]) + pair.b.half[j2] * std::fabs(p.ab[i][j1]));
      const double gap = std::fabs(along) - extent;
      if (!(gap > 0.0)) continue;
      const Vec3 n = cross(a.unit[i], b.unit[j]);
      const double size = norm(n);
      // Nearly parallel edges: a face's direction is as good.
      if (size > 0x1p-10)
        keep_wider(best, gap / size, dot(n, b.center - a.center), (1.0 / size) * n);
    }
  }
}

/// How far a box reaches from its centre along n, and how fast that may grow.
struct Extent {
  double length = 0.0;  ///< metres
  double rate = 0.0;    ///< metres per step
};

TOCSIN_HD inline double length_along(const OrientedBox& box, const PlacedBox& placed,
                                     const Vec3& n) {
  return (std::fabs(dot(n, placed.unit[0])) * box.half[0] +
          std::fabs(dot(n, placed.unit[1])) * box.half[1]) +
         std::fabs(dot(n, placed.unit[2])) * box.half[2];
}

TOCSIN_HD inline Extent extent_along(const OrientedBox& box, const PlacedBox& placed,
                                     const FrameState& s, const Vec3& n) {
  Extent out{length_along(box, placed, n), 0.0};
  const Vec3 w{dot(n, s.x_velocity), dot(n, s.y_velocity), dot(n, s.z_velocity)};
  if (w.x == 0.0 && w.y == 0.0 && w.z == 0.0) return out;  // most of a room stands still
  for (int i = 0; i < 3; ++i) out.rate += std::fabs(dot(w, box.axis[i])) * box.half[i];
  return out;
}

/// How long both are proved to stay apart along n. Positions of a box's points are affine in the
/// point, and so are velocities: a point of a is never beyond its extent, and that grows by no more
/// than its rate and the points' acceleration. True for *any* unit vector n.
TOCSIN_HD inline double clear_time_along(const BoxPair& pair, const PlacedBox& placed_a,
                                         const PlacedBox& placed_b, const Vec3& d, const Vec3& n) {
  const Extent a = extent_along(pair.a, placed_a, pair.frame_a, n);
  const Extent b = extent_along(pair.b, placed_b, pair.frame_b, n);
  const Vec3 speed =
      velocity_of(pair.frame_b, pair.b.center) - velocity_of(pair.frame_a, pair.a.center);
  return clear_time(dot(n, d) - (a.length + b.length) - pair.reach,
                    dot(n, speed) - (a.rate + b.rate), pair.acceleration, pair.left);
}

}  // namespace detail

/// How long the boxes are proved to stay more than `reach` apart, from their time on; kToEnd if for
/// all of `left`. Along the widest gap of both boxes' faces or, where there is none, of a pair of
/// edges; and along the line between their centres. a, b: both boxes, placed.
TOCSIN_HD inline double clear_time_of_boxes(const BoxPair& pair, const PlacedBox& a,
                                            const PlacedBox& b) {
  const Vec3 d = b.center - a.center;
  detail::AxisProducts p;
  detail::set_center_products(p, a, b, d);
  // First the line between the centres, which is cheap and often enough.
  const detail::Gap centers = detail::along_centers(pair, p, d);
  double clear = 0.0;
  if (centers.metres > pair.reach) {
    clear = detail::clear_time_along(pair, a, b, d, centers.n);
    if (!(clear < pair.left)) return clear;
  }
  if (clear <= 0.0 && detail::surely_meet(pair, p, b, a, d)) return 0.0;
  detail::set_axis_products(p, a, b);
  detail::Gap best;
  detail::look_along_faces(best, pair, p, a, b);
  if (!(max_of(best.metres, centers.metres) > pair.reach)) {
    detail::look_across_edges(best, pair, p, a, b);
  }
  if (best.metres > pair.reach) {
    clear = max_of(detail::clear_time_along(pair, a, b, d, best.n), clear);
  }
  return clear;
}

/// The same.
TOCSIN_HD inline double clear_time_of_boxes(const BoxPair& pair) {
  return clear_time_of_boxes(pair, placed(pair.a, pair.frame_a, {}),
                             placed(pair.b, pair.frame_b, pair.shift));
}

/// How far the boxes are proved to be apart at their time, metres, up to rounding; 0 or less: they
/// may meet. a, b: both boxes, placed.
TOCSIN_HD inline double gap_of_boxes(const BoxPair& pair, const PlacedBox& a, const PlacedBox& b) {
  const Vec3 d = b.center - a.center;
  detail::AxisProducts p;
  detail::set_center_products(p, a, b, d);
  detail::set_axis_products(p, a, b);
  detail::Gap best;
  detail::look_along_faces(best, pair, p, a, b);
  const detail::Gap centers = detail::along_centers(pair, p, d);
  if (centers.metres > best.metres) best = centers;
  if (!(best.metres > 0.0)) detail::look_across_edges(best, pair, p, a, b);
  if (!(best.metres > 0.0)) return 0.0;
  // Measured again: the direction of two nearly parallel edges loses digits.
  return dot(best.n, d) -
         (detail::length_along(pair.a, a, best.n) + detail::length_along(pair.b, b, best.n));
}

}  // namespace tocsin::core
