// Time slabs: a link over a stretch of the step, and the closed convex skin that culling draws
// around it. docs/gl.md, "Slabs and their skins".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "scene/swept/hull_slab.h"
#include "scene/swept/swept_link.h"

namespace tocsin::scene {

/// A link over [t0, t1] of the step: it lies in the hull of four balls, radius grow_a about from.a
/// and to.a, grow_b about from.b and to.b.
struct Slab {
  double t0 = 0.0;
  double t1 = 1.0;
  AxisEnds from;  ///< world, metres
  AxisEnds to;
  double grow_a = 0.0;  ///< metres
  double grow_b = 0.0;
};

class Polytope;

/// Metres. Beyond r + 2 eta plus this at all times of the step, certify is proved to call a
/// triangle free. It covers the error of a closest pair's direction, and the room that 2,000
/// evaluations need (docs/gl.md, "What a skin is grown by"; not for needles, see there). Skins are
/// grown by it, so that no culled triangle could even be a graze. Finite for finite motions.
/// `bounds`: of the environment.
double graze_reach(const core::LinkMotion& motion, const core::Box& bounds);

/// Piece i of a swept link as a slab, grown by `reach` more.
Slab piece_slab(const SweptLink& link, std::int32_t piece, double reach);

/// The link over [t0, t1] within [0, 1]; the sag is that of the stretch, (t1 - t0)^2 A / 8.
Slab time_slab(const SweptLink& link, double t0, double t1, double reach);

/// A convex polyhedron that holds a slab, as triangles around its origin: the half-spaces of the
/// 26-DOP of its four balls and of the link's own three directions (core::link_directions), but for
/// those that would hardly cut anything off. A link with a shape has more directions, those of a
/// box around it and across its way; along each of them counts what is less, the hull or the
/// capsule. Closed: every edge of a triangle is, bit for bit, an
/// edge of one other, in the other direction. Memory is reused.
class SlabSkin {
 public:
  void set(const Slab& slab);
  /// Of a shape: what both hold. `capsule` needs no reach: it has that of all shapes.
  void set(const Slab& capsule, const HullSlab& hull);

  [[nodiscard]] const Vec3f& origin() const { return origin_; }  ///< world, metres
  /// All corners lie within +-half() of the origin; metres.
  [[nodiscard]] const Vec3f& half() const { return half_; }
  /// Corners relative to the origin, counterclockwise seen from outside; metres; in float with room
  /// for that rounding. Some are slivers, none has two equal corners.
  [[nodiscard]] std::span<const std::array<Vec3f, 3>> triangles() const { return triangles_; }
  /// The half-spaces n.x <= d, n of unit length, that it is the intersection of, relative to the
  /// origin, before corners are rounded: for tests and for exact distances.
  struct HalfSpace {
    Vec3 n;
    double d = 0.0;
  };
  [[nodiscard]] std::span<const HalfSpace> half_spaces() const { return half_spaces_; }

 private:
  struct Both;

  void cut_pair(Polytope& polytope, const Vec3& n, float lo, float hi);
  void cut_both(Polytope& polytope, const Both& both, const Vec3& n, double least);
  void cut(Polytope& polytope, HalfSpace half_space, double least);
  void set_triangles(const Polytope& polytope);

  Vec3f origin_;
  Vec3f half_;
  double size_ = 0.0;  ///< the greatest |coordinate| of the slab's box, relative to the origin
  std::vector<SweptCorner> corners_;  ///< of a shape, relative to the origin
  std::vector<HalfSpace> half_spaces_;
  std::vector<std::array<Vec3f, 3>> triangles_;
};

}  // namespace tocsin::scene
