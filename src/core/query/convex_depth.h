// How deep two convex bodies that overlap are in each other: a polytope of corners of their
// difference grows around the origin until its nearest side is one of the difference's (van den
// Bergen 2001). docs/nearest.md, "Overlap".
#pragma once

#include <cmath>
#include <cstdint>

#include "core/query/convex_distance.h"
#include "core/query/convex_simplex.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// Corners that the polytope may have; then the answer is what is proved so far. More: deep overlap
/// of finely faceted bodies is measured more closely, and takes longer (its square).
inline constexpr std::int32_t kMostDepthCorners = 256;

/// How far one body must be moved at least for both to be apart, in the first one's frame.
struct ConvexDepth {
  double upper =
      HUGE_VAL;        ///< so far along `normal` is enough, metres; not above error: they touch
  double lower = 0.0;  ///< less is not enough in any direction, metres
  Vec3 normal;         ///< of unit length: where the first is moved
  DifferenceSimplex simplex;  ///< the side's corners, with the weights of the origin's foot on it
  std::int32_t rounds = 0;
};

/// Precondition: !answer.apart, of the same meeting.
class ConvexDepthSearch {
 public:
  TOCSIN_HD ConvexDepthSearch(ConvexMeeting& meeting, const ConvexAnswer& answer)
      : meeting_(meeting), error_(meeting.error()) {
    out_.upper = HUGE_VAL;
    out_.simplex = answer.simplex;
    if (answer.simplex.inside) {
      const DifferenceCorner(&c)[kMostOfSimplex] = answer.simplex.corner;
      out_.simplex = foot_on(c[0], c[1], c[2]);
      detail::keep_nearer(out_.simplex, foot_on(c[0], c[1], c[3]));
      detail::keep_nearer(out_.simplex, foot_on(c[0], c[2], c[3]));
      detail::keep_nearer(out_.simplex, foot_on(c[1], c[2], c[3]));
    }
    begin_ = answer.simplex;
    keep(answer.normal, -answer.lower);
  }

  TOCSIN_HD ConvexDepth run() {
    if (begin()) grow();
    if (out_.upper < 0.0) out_.upper = 0.0;
    if (out_.lower > out_.upper) out_.lower = out_.upper;
    return out_;
  }

 private:
  struct Side {
    std::int32_t corner[3]{};
    std::int32_t beside[3]{};  ///< the side across corner i to corner i + 1
    Vec3 out;                  ///< of unit length
    double offset = 0.0;       ///< of its plane from the origin, metres
    bool gone = false;
  };
  static constexpr std::int32_t kMostSides = 4 * kMostDepthCorners;

  TOCSIN_HD void keep(const Vec3& normal, double depth) {
    if (!(depth < out_.upper)) return;
    out_.upper = depth;
    out_.normal = normal;
  }

  /// The corner that is farthest along `out`, a unit vector; keeps the depth that it proves.
  TOCSIN_HD DifferenceCorner farthest(const Vec3& out, double& depth) {
    ++out_.rounds;
    const DifferenceCorner p = meeting_.least_along(-out);
    depth = dot(out, p.w);
    keep(-out, depth);
    return p;
  }

  /// Adds the farthest corner along n or -n, whichever is farther. False if they touch only.
  TOCSIN_HD bool extend(DifferenceSimplex& simplex, const Vec3& n) {
    const double length = norm(n);
    if (!(length > kLeastLength)) return false;
    const Vec3 unit = (1.0 / length) * n;
    double up = 0.0;
    double down = 0.0;
    const DifferenceCorner p = farthest(unit, up);
    const DifferenceCorner q = farthest(-unit, down);
    if (!(up > error_ && down > error_)) return false;
    simplex.corner[simplex.count++] = up >= down ? p : q;
    return true;
  }

  TOCSIN_HD static Vec3 across(const Vec3& d) {
    const double x = std::fabs(d.x);
    const double y = std::fabs(d.y);
    const double z = std::fabs(d.z);
    const Vec3 axis = x <= y && x <= z ? Vec3{1.0, 0.0, 0.0}
                      : y <= z         ? Vec3{0.0, 1.0, 0.0}
                                       : Vec3{0.0, 0.0, 1.0};
    return cross(d, axis);
  }

  /// A tetrahedron that the origin is in, or not farther from than rounding. False: they touch.
  TOCSIN_HD bool begin() {
    if (!(out_.upper > error_)) return false;
    DifferenceSimplex s = begin_;
    if (s.count < 2) return false;
    if (s.count == 2 && !extend(s, across(s.corner[1].w - s.corner[0].w))) return false;
    const auto normal = [&s] {
      return cross(s.corner[1].w - s.corner[0].w, s.corner[2].w - s.corner[0].w);
    };
    if (s.count == 3 && !extend(s, normal())) return false;
    for (std::int32_t i = 0; i < kMostOfSimplex; ++i) corner_[i] = s.corner[i];
    corners_ = kMostOfSimplex;
    const bool outwards = dot(normal(), s.corner[3].w - s.corner[0].w) < 0.0;
    const std::int32_t p = outwards ? 1 : 2;
    const std::int32_t q = outwards ? 2 : 1;
    sides_ = kMostOfSimplex;
    return set(0, 0, p, q, 1, 2, 3) && set(1, 0, 3, p, 3, 2, 0) && set(2, p, 3, q, 1, 3, 0) &&
           set(3, q, 3, 0, 2, 1, 0);
  }

  /// False if the side has no direction.
  TOCSIN_HD bool set(std::int32_t side, std::int32_t a, std::int32_t b, std::int32_t c,
                     std::int32_t ab, std::int32_t bc, std::int32_t ca) {
    Side& s = side_[side];
    s = {{a, b, c}, {ab, bc, ca}, {}, 0.0, false};
    const Vec3 n = cross(corner_[b].w - corner_[a].w, corner_[c].w - corner_[a].w);
    const double length = norm(n);
    if (!(length > kLeastLength)) return false;
    s.out = (1.0 / length) * n;
    s.offset = dot(s.out, corner_[a].w);
    return true;
  }

  TOCSIN_HD std::int32_t nearest_side() const {
    std::int32_t best = -1;
    for (std::int32_t i = 0; i < sides_; ++i) {
      if (side_[i].gone) continue;
      if (best < 0 || side_[i].offset < side_[best].offset) best = i;
    }
    return best;
  }

  TOCSIN_HD bool has(const DifferenceCorner& p) const {
    for (std::int32_t i = 0; i < corners_; ++i) {
      if (corner_[i].first == p.first && corner_[i].second == p.second) return true;
    }
    return false;
  }

  TOCSIN_HD void grow() {
    for (;;) {
      const std::int32_t side = nearest_side();
      const Side& s = side_[side];
      if (!(s.offset < HUGE_VAL)) return;
      out_.lower = max_of(out_.lower, s.offset);
      double depth = 0.0;
      const double before = out_.upper;
      const DifferenceCorner p = farthest(s.out, depth);
      const bool found = depth - s.offset <= 0.25 * error_;
      if (found) {
        out_.upper = depth;
        out_.normal = -s.out;
      }
      if (found) return keep_foot(depth);
      if (depth <= before) out_.simplex = foot_on(s);
      if (has(p)) {
        // All corners are known that way: the side is a sliver whose normal is rounding. The sides
        // around it bound what it would.
        side_[side].offset = HUGE_VAL;
        continue;
      }
      if (corners_ == kMostDepthCorners || sides_ + corners_ + 8 > kMostSides) return;
      if (!add(side, p)) return;
    }
  }

  /// Of the sides in the plane that was found, up to rounding, the one that the origin's foot is
  /// on. Where slivers hide it, of all sides.
  TOCSIN_HD void keep_foot(double depth) {
    const double most = (depth + error_) * (depth + error_);
    if (!(look_for_foot(depth) <= most)) look_for_foot(-HUGE_VAL);
  }

  TOCSIN_HD double look_for_foot(double depth) {
    double least = HUGE_VAL;
    for (std::int32_t i = 0; i < sides_; ++i) {
      if (side_[i].gone || !in_plane(side_[i], depth)) continue;
      const DifferenceSimplex foot = foot_on(side_[i]);
      if (!(foot.squared < least)) continue;
      least = foot.squared;
      out_.simplex = foot;
    }
    return least;
  }

  TOCSIN_HD bool in_plane(const Side& side, double depth) const {
    for (const std::int32_t i : side.corner) {
      if (!(-dot(out_.normal, corner_[i].w) >= depth - 0.5 * error_)) return false;
    }
    return true;
  }

  /// The point of the side that is nearest to the origin, as weights of its corners.
  TOCSIN_HD DifferenceSimplex foot_on(const Side& side) const {
    return foot_on(corner_[side.corner[0]], corner_[side.corner[1]], corner_[side.corner[2]]);
  }
  TOCSIN_HD static DifferenceSimplex foot_on(const DifferenceCorner& p, const DifferenceCorner& q,
                                             const DifferenceCorner& r) {
    DifferenceSimplex out = detail::simplex_of(p);
    detail::keep_nearer(out, detail::simplex_of(q));
    detail::keep_nearer(out, detail::simplex_of(r));
    detail::add_edge(out, p, q);
    detail::add_edge(out, q, r);
    detail::add_edge(out, r, p);
    detail::add_face(out, p, q, r);
    return out;
  }

  /// Replaces the sides that p is in front of. False: rounding has spoilt the polytope.
  TOCSIN_HD bool add(std::int32_t seed, const DifferenceCorner& p) {
    find_visible(seed, p.w);
    const std::int32_t fresh = corners_++;
    corner_[fresh] = p;
    const std::int32_t begin = sides_;
    for (std::int32_t v = 0; v < visible_count_; ++v) {
      const Side old = side_[visible_[v]];
      for (std::int32_t i = 0; i < 3; ++i) {
        const std::int32_t beyond = old.beside[i];
        if (side_[beyond].gone) continue;
        if (sides_ == kMostSides) return false;
        const std::int32_t from = old.corner[i];
        const std::int32_t to = old.corner[i < 2 ? i + 1 : 0];
        if (!set(sides_, from, to, fresh, beyond, -1, -1)) return false;
        Side& other = side_[beyond];
        for (std::int32_t k = 0; k < 3; ++k) {
          if (other.corner[k] == to && other.corner[k < 2 ? k + 1 : 0] == from) {
            other.beside[k] = sides_;
          }
        }
        ++sides_;
      }
    }
    return join(begin);
  }

  /// New sides beside each other: where one ends on the horizon the next begins.
  TOCSIN_HD bool join(std::int32_t begin) {
    for (std::int32_t i = begin; i < sides_; ++i) {
      std::int32_t next = -1;
      for (std::int32_t k = begin; k < sides_; ++k) {
        if (side_[k].corner[0] != side_[i].corner[1]) continue;
        if (next >= 0) return false;  // the horizon meets itself
        next = k;
      }
      if (next < 0) return false;
      side_[i].beside[1] = next;
      side_[next].beside[2] = i;
    }
    return true;
  }

  TOCSIN_HD void find_visible(std::int32_t seed, const Vec3& p) {
    visible_[0] = seed;
    visible_count_ = 1;
    side_[seed].gone = true;
    for (std::int32_t k = 0; k < visible_count_; ++k) {
      for (const std::int32_t next : side_[visible_[k]].beside) {
        Side& s = side_[next];
        // A side in whose plane p is goes, too: what is put in its place is no sliver.
        if (s.gone || !(dot(s.out, p - corner_[s.corner[0]].w) > -0x1p-4 * error_)) continue;
        s.gone = true;
        visible_[visible_count_++] = next;
      }
    }
  }

  ConvexMeeting& meeting_;
  double error_;
  ConvexDepth out_;
  DifferenceSimplex begin_;
  DifferenceCorner corner_[kMostDepthCorners];
  Side side_[kMostSides];
  std::int32_t visible_[kMostSides]{};
  std::int32_t corners_ = 0;
  std::int32_t sides_ = 0;
  std::int32_t visible_count_ = 0;
};

}  // namespace tocsin::core
