// How long two hulls are proved to stay apart when both move. docs/exact.md, "Two hulls".
#pragma once

#include <cmath>
#include <cstdint>

#include "core/query/advance.h"
#include "core/query/hull.h"
#include "core/query/hull_distance.h"
#include "core/vector/hd_apart.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// Parts of two moving hulls at one time.
struct HullPair {
  HullPart f;
  HullPart g;
};

/// A frame at one time, and how much it may turn: what a direction that turns with it needs.
struct TurningFrame {
  FrameState state;
  double turn = 0.0;    ///< W of its chain, radians per step
  double margin = 0.0;  ///< the factor of eta for its chain's joints
  bool rigid = true;    ///< false: what is in it changes its shape
};

/// Two moving hulls at one time, and the distance at which they touch.
struct HullScene {
  HullPair pair;
  TurningFrame first;
  TurningFrame second;
  double reach = 0.0;  ///< sum of the radii plus eta, metres
};

namespace detail {

/// A part's corners along a direction.
struct Along {
  double height[kMostCorners]{};  ///< metres
  double rate[kMostCorners]{};    ///< metres per step
};

TOCSIN_HD inline Along along(const HullPart& part, const Vec3& n, const Vec3& x) {
  Along out;
  for (std::int32_t i = 0; i < part.corners; ++i) {
    out.height[i] = dot(n, part.p[i] - x);
    out.rate[i] = dot(n, part.v[i]);
  }
  return out;
}

/// The least h at which the parabola of a corner of f and one of g closes; kToEnd if none does in
/// `left`. It holds for every point of both, as core/query/axis_pair.h says of two axes.
TOCSIN_HD inline double least_clear_time(const HullPair& pair, const Along& f, const Along& g,
                                         double reach, double left) {
  double least = kToEnd;
  for (std::int32_t i = 0; i < pair.f.corners; ++i) {
    for (std::int32_t j = 0; j < pair.g.corners; ++j) {
      const double time = clear_time(f.height[i] - (g.height[j] + reach), f.rate[i] - g.rate[j],
                                     pair.f.acceleration[i] + pair.g.acceleration[j], left);
      if (!(time > 0.0)) return 0.0;
      least = min_of(time, least);
    }
  }
  return least;
}

}  // namespace detail

/// How long the pair is proved to stay on its sides of a slab with unit normal n that is as wide as
/// `reach`. x: a point near it. True for *any* n and x.
TOCSIN_HD inline double clear_time_along(const HullPair& pair, double reach, const Vec3& n,
                                         const Vec3& x, double left) {
  return detail::least_clear_time(pair, detail::along(pair.f, n, x), detail::along(pair.g, n, x),
                                  reach, left);
}

namespace detail {

/// The change of a direction that turns with a frame.
TOCSIN_HD inline Vec3 turning_rate(const FrameState& s, const Vec3& n) {
  return dot(s.x, n) * s.x_velocity + (dot(s.y, n) * s.y_velocity + dot(s.z, n) * s.z_velocity);
}

/// A corner as seen from a point of the frame that a direction turns with.
struct SeenCorner {
  Vec3 outwards;              ///< metres
  Vec3 velocity;              ///< metres per step
  double acceleration = 0.0;  ///< of both, metres per step^2
};

/// How long the corner is proved to stay farther than `reach` along the direction, up to
/// `horizon`; kToEnd if so long. h = n.w has h'' >= -(A + 2 W |w'| + W^2 |w|), with the greatest
/// |w| and |w'| until the horizon.
TOCSIN_HD inline double corner_clear_time(const SeenCorner& c, const TurningFrame& frame,
                                          const Vec3& n, const Vec3& rate, double reach,
                                          double horizon) {
  const double speed = norm(c.velocity) + c.acceleration * horizon;
  const double far = norm(c.outwards) + speed * horizon;
  const double bend =
      (c.acceleration + frame.turn * (2.0 * speed + frame.turn * far)) * kBoundGrowth;
  // The direction's own length and rounding, and those of its rate.
  const double off = frame.margin * (1.0 + frame.turn) * far;
  return clear_time((dot(n, c.outwards) - reach) - off, dot(n, c.velocity) + dot(rate, c.outwards),
                    bend, horizon);
}

/// How far a part reaches beyond x along n, metres.
TOCSIN_HD inline double support(const HullPart& part, const Vec3& n, const Vec3& x) {
  double most = dot(n, part.p[0] - x);
  for (std::int32_t i = 1; i < part.corners; ++i) most = max_of(dot(n, part.p[i] - x), most);
  return most;
}

}  // namespace detail

/// How long the pair is proved to stay apart along a direction that is n now and turns with the
/// frame of `along`, up to `horizon`; kToEnd if so long. n points from `along` to `other`; `from`:
/// a point of `along`. How far `along` reaches beyond it in that direction never changes, so that
/// only the other's corners count, as they move towards it. True for *any* unit vector n and any
/// point.
TOCSIN_HD inline double clear_time_turning(const HullPart& along, const HullPoint& from,
                                           const TurningFrame& frame, const HullPart& other,
                                           double reach, const Vec3& n, double horizon) {
  const Vec3 rate = detail::turning_rate(frame.state, n);
  const double offset = reach + detail::support(along, n, from.p);
  double least = kToEnd;
  for (std::int32_t i = 0; i < other.corners; ++i) {
    const detail::SeenCorner c{other.p[i] - from.p, other.v[i] - from.v,
                               other.acceleration[i] + from.acceleration};
    const double time = detail::corner_clear_time(c, frame, n, rate, offset, horizon);
    if (!(time > 0.0)) return 0.0;
    least = min_of(time, least);
  }
  return least;
}

/// A proved time, and the direction that proved it.
struct ClearAlong {
  double time = 0.0;
  Vec3 n;
};

namespace detail {

/// A pair of parts with its closest points.
struct Met {
  const HullPair& pair;
  const ClosestHulls& closest;
};

/// The best that a direction proves, standing still or turning with either hull. Until
/// `good_enough` only, where it turns: more is not asked for.
TOCSIN_HD inline double clear_time_of(const Met& met, const HullScene& scene, const Vec3& n,
                                      double good_enough, double left) {
  const HullPair& pair = met.pair;
  const ClosestHulls& c = met.closest;
  double best = clear_time_along(pair, scene.reach, n, c.x, left);
  if (best >= good_enough) return best;
  const double horizon = min_of(2.0 * good_enough, left);
  if (scene.first.rigid) {
    const double first = clear_time_turning(pair.f, point_of(pair.f, c.first), scene.first, pair.g,
                                            scene.reach, -n, horizon);
    best = max_of(min_of(first, horizon), best);
  }
  if (best >= good_enough || !scene.second.rigid) return best;
  const double second = clear_time_turning(pair.g, point_of(pair.g, c.second), scene.second, pair.f,
                                           scene.reach, n, horizon);
  return max_of(min_of(second, horizon), best);
}

}  // namespace detail

/// The better of the two natural directions at a closest pair: the one that connects the points,
/// and the features' own normal, which stays accurate where the points nearly meet. `pair`: the
/// scene's, or parts of it.
TOCSIN_HD inline ClearAlong clear_time_at(const HullPair& pair, const HullScene& scene,
                                          const ClosestHulls& c, double good_enough, double left) {
  const detail::Met met{pair, c};
  const Vec3 d = c.y - c.x;
  const double distance = std::sqrt(c.squared);
  ClearAlong best;
  if (distance > kLeastLength) {
    best.n = (1.0 / distance) * d;
    best.time = detail::clear_time_of(met, scene, best.n, good_enough, left);
    if (best.time >= good_enough) return best;
  }
  const double length = norm(c.across);
  if (!(length > kLeastLength)) return best;
  const Vec3 n = ((dot(c.across, d) < 0.0 ? -1.0 : 1.0) / length) * c.across;
  const double time = detail::clear_time_of(met, scene, n, good_enough, left);
  if (time > best.time || !(distance > kLeastLength)) best = {time, n};
  return best;
}

namespace detail {

/// Cuts that one evaluation may make. Fewer: hulls that turn about their closest points take more
/// evaluations. More: such an evaluation costs more.
inline constexpr int kMostCuts = 48;
/// Pairs of parts that may wait to be cut. Fewer: some are not cut that could be. More: memory, on
/// a GPU a thread's own.
inline constexpr int kMostOpen = 16;

/// The edge whose ends differ most in speed along n, and by how much.
struct Spread {
  Edge edge;
  double rate = 0.0;  ///< metres per step
};

TOCSIN_HD inline Spread spread_of(const HullPart& part, const Vec3& n) {
  Spread most;
  for (std::int32_t i = 0; i < edges_of(part.corners); ++i) {
    const Edge e = edge_of(part.corners, i);
    const double rate = std::fabs(dot(n, part.v[e.to] - part.v[e.from]));
    if (rate > most.rate) most = {e, rate};
  }
  return most;
}

/// Moves corner `moved` of the part to where its edge is cut: one piece. With the other corner, the
/// other piece.
TOCSIN_HD inline HullPart piece_of(const HullPart& part, Edge e, double s, std::int32_t moved) {
  HullPart out = part;
  out.p[moved] = part.p[e.from] + s * (part.p[e.to] - part.p[e.from]);
  out.v[moved] = part.v[e.from] + s * (part.v[e.to] - part.v[e.from]);
  out.l[moved] = part.l[e.from] + s * (part.l[e.to] - part.l[e.from]);
  out.acceleration[moved] = part.bound.at(norm(out.l[moved]));
  return out;
}

/// Pieces are not shorter than this part of what is cut: an edge that is met near one end would
/// else be cut again and again there.
inline constexpr double kLeastPiece = 0x1p-6;

/// Where an edge is cut: beside the closest point, half_width metres from it, so that one piece is
/// done with; in the middle where nothing of the edge is that far.
TOCSIN_HD inline double place_of_cut(const HullPart& part, Edge e,
                                     const double (&weight)[kMostCorners], double half_width) {
  const double both = weight[e.from] + weight[e.to];
  const double length = norm(part.p[e.to] - part.p[e.from]);
  if (!(both > 0.0 && length > kLeastLength)) return 0.5;
  const double s = weight[e.to] / both;
  const double w = half_width / length;
  if (!(w < 0.25)) return 0.5;
  if (s > 2.0 * w && 1.0 - s > 2.0 * w) return s > 0.5 ? s - w : s + w;
  // Met near an end: what is left of the edge is graded, as both its distance and its speed grow.
  const double graded = std::sqrt(w);
  return s > 0.5 ? 1.0 - graded : graded;
}

/// A pair of parts, its closest points, and how long it is proved to stay apart.
struct OpenPair {
  HullPair pair;
  ClosestHulls closest;
  ClearAlong clear;
  double half_width = 0.0;  ///< metres: how far beside the closest points it is cut
};

/// What the motion of the closest points alone would allow: no cut of the parts gains more.
TOCSIN_HD inline double own_clear_time(const OpenPair& open, double reach, double left) {
  const HullPoint y = point_of(open.pair.f, open.closest.first);
  const HullPoint x = point_of(open.pair.g, open.closest.second);
  return clear_time(std::sqrt(open.closest.squared) - reach, dot(open.clear.n, y.v - x.v),
                    y.acceleration + x.acceleration, left);
}

/// How long the pair is proved to stay apart if its hulls are cut until each pair of parts is
/// proved for `enough`, or nothing is gained by it. At least `whole.clear`, what it is uncut.
TOCSIN_HD_APART inline double clear_time_cut(const OpenPair& whole, const HullScene& scene,
                                             double enough, double left) {
  // Beside the closest point the distance grows like x^2 / (2 r), or like x: at this half width it
  // has doubled and more. Where it has not, the next cuts are farther away.
  const double gap = std::sqrt(whole.closest.squared) - scene.reach;
  OpenPair open[kMostOpen];
  open[0] = whole;
  open[0].half_width = max_of(2.0 * std::sqrt(2.0 * scene.reach * max_of(gap, 0.0)), 4.0 * gap);
  int count = 1;
  int cuts = 0;
  double least = kToEnd;
  while (count > 0) {
    const OpenPair now = open[--count];
    const Spread f = spread_of(now.pair.f, now.clear.n);
    const Spread g = spread_of(now.pair.g, now.clear.n);
    const bool futile = !(f.rate > 0.0 || g.rate > 0.0);
    if (futile || cuts >= kMostCuts || count + 2 > kMostOpen) {
      least = min_of(now.clear.time, least);
      if (!(least > whole.clear.time)) return whole.clear.time;
      continue;
    }
    ++cuts;
    const bool first = f.rate >= g.rate;
    const Edge e = first ? f.edge : g.edge;
    const HullPart& part = first ? now.pair.f : now.pair.g;
    const double s =
        place_of_cut(part, e, first ? now.closest.first : now.closest.second, now.half_width);
    for (int side = 0; side < 2; ++side) {
      const std::int32_t moved = side == 0 ? e.from : e.to;
      OpenPair piece{now.pair, {}, {}, 16.0 * now.half_width};
      (first ? piece.pair.f : piece.pair.g) = piece_of(part, e, s, moved);
      piece.closest = closest_points(piece.pair.f, piece.pair.g);
      piece.clear = clear_time_at(piece.pair, scene, piece.closest, enough, left);
      if (piece.clear.time >= enough ||
          piece.clear.time >= 0.5 * own_clear_time(piece, scene.reach, left)) {
        least = min_of(piece.clear.time, least);
      } else {
        open[count++] = piece;
      }
    }
  }
  return least;
}

}  // namespace detail

/// How long both are proved to stay apart. `own` is what the motion of the closest points alone
/// would allow: if the corners allow less than half of that, a hull turns about its closest point,
/// and convergence would be linear. Then both are cut, the faster turning first.
TOCSIN_HD inline double clear_time_split(const HullScene& scene, const ClosestHulls& c, double own,
                                         double left) {
  ClearAlong whole = clear_time_at(scene.pair, scene, c, 0.5 * own, left);
  if (!(whole.time > 0.0)) whole.time = 0.0;  // a NaN proves nothing
  if (whole.time >= 0.5 * own) return whole.time;
  return detail::clear_time_cut({scene.pair, c, whole, 0.0}, scene, 0.5 * own, left);
}

}  // namespace tocsin::core
