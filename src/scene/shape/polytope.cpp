#include "scene/shape/polytope.h"

#include <algorithm>
#include <bit>

#include "core/vector/vec.h"

namespace tocsin::scene {

Polytope::Polytope(const Vec3& lo, const Vec3& hi) : corners_(0xFF), face_count_(6) {
  // Corner i: bit 0 of i is x, bit 1 y, bit 2 z; set: the greater coordinate.
  for (std::size_t i = 0; i < 8; ++i) {
    x_[i] = (i & 1U) != 0 ? hi.x : lo.x;
    y_[i] = (i & 2U) != 0 ? hi.y : lo.y;
    z_[i] = (i & 4U) != 0 ? hi.z : lo.z;
  }
  constexpr std::array<std::array<Index, 4>, 6> kLoops = {
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (std::size_t f = 0; f < face_count_; ++f) {
    for (const Index at : kLoops[f]) faces_[f].push(at);
  }
}

/// A cut in progress: the changes that it makes if it succeeds.
struct Polytope::Cutting {
  static constexpr Index kNone = 0xFF;

  /// A side that is cut through.
  struct Side {
    Index stays;
    Index goes;
    Index corner;  ///< the new one on it
    Index next;    ///< the new corner that follows in the cut's own face
  };

  Cutting(const Polytope& whole, Mask gone_corners) : from(whole), gone(gone_corners) {}

  [[nodiscard]] bool goes(Index corner) const { return (gone >> corner & 1U) != 0; }

  /// The new corner on a side, which two faces share; kNone: too many.
  Index crossing(Index stays, Index goes_away) {
    for (std::size_t i = 0; i < side_count; ++i) {
      if (sides[i].stays == stays && sides[i].goes == goes_away) return sides[i].corner;
    }
    const Mask taken = from.corners_ | made;
    if (taken == ~Mask{0} || side_count == sides.size()) return kNone;
    const auto at = static_cast<Index>(std::countr_one(taken));
    made |= Mask{1} << at;
    sides[side_count++] = {stays, goes_away, at, kNone};
    return at;
  }

  /// What is left of a face that is cut through. False if that is no single polygon.
  bool divide(const Face& face, Face& left) {
    Index out = kNone;  // new corners where the loop leaves what stays and where it comes back
    Index in = kNone;
    Index p = face.corner[face.size - 1U];
    for (std::size_t k = 0; k < face.size; ++k) {
      const Index q = face.corner[k];
      if (goes(p) != goes(q)) {
        const Index at = goes(q) ? crossing(p, q) : crossing(q, p);
        Index& place = goes(q) ? out : in;
        if (at == kNone || place != kNone || !left.push(at)) return false;
        place = at;
      }
      if (!goes(q) && !left.push(q)) return false;
      p = q;
    }
    // The cut's own face runs along this one's new side the other way round.
    for (std::size_t i = 0; i < side_count; ++i) {
      if (sides[i].corner == in) sides[i].next = out;
    }
    return left.size >= 3;
  }

  /// The face that the cut makes. False if its sides are not one loop.
  bool close(Face& cap) {
    if (side_count < 3) return false;
    std::size_t at = 0;
    do {
      if (cap.size == side_count || !cap.push(sides[at].corner)) return false;
      const Index next = sides[at].next;
      at = 0;
      while (at < side_count && sides[at].corner != next) ++at;
      if (at == side_count) return false;
    } while (at != 0);
    return cap.size == side_count;
  }

  const Polytope& from;
  Mask gone;
  Mask made = 0;  ///< new corners
  std::size_t side_count = 0;
  std::array<Side, kMostFaces> sides;
};

bool Polytope::cut(const Vec3& n, double d, double least) {
  std::array<double, kMostCorners> above;
  double most = 0.0;
  Mask gone = 0;
  const auto end = static_cast<std::size_t>(std::bit_width(corners_));
  for (std::size_t i = 0; i < end; ++i) above[i] = (n.x * x_[i] + n.y * y_[i]) + n.z * z_[i] - d;
  for (Mask rest = corners_; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(rest));
    if (above[i] > 0.0) gone |= Mask{1} << i;
    most = core::max_of(most, above[i]);
  }
  if (!(most > least) || gone == corners_) return false;

  Cutting cutting(*this, gone);
  std::array<Face, kMostFaces> left;  // of the faces that are cut through
  std::size_t left_count = 0;
  std::array<Index, kMostFaces> places;
  std::size_t kept = 0;
  std::array<Index, kMostFaces> keeps;
  for (std::size_t f = 0; f < face_count_; ++f) {
    const Mask corners = faces_[f].corners;
    if ((corners & ~gone) == 0) continue;
    keeps[kept] = static_cast<Index>(f);
    if ((corners & gone) != 0) {
      if (!cutting.divide(faces_[f], left[left_count])) return false;
      places[left_count++] = static_cast<Index>(kept);
    }
    ++kept;
  }
  Face cap;
  if (kept == kMostFaces || !cutting.close(cap)) return false;

  for (std::size_t i = 0; i < kept; ++i) {
    if (keeps[i] != i) faces_[i] = faces_[keeps[i]];
  }
  for (std::size_t i = 0; i < left_count; ++i) faces_[places[i]] = left[i];
  faces_[kept] = cap;
  face_count_ = kept + 1;
  for (std::size_t i = 0; i < cutting.side_count; ++i) {
    const auto& [stays, goes, at, next] = cutting.sides[i];
    const double part = above[stays] / (above[stays] - above[goes]);  // in [0, 1]
    x_[at] = x_[stays] + part * (x_[goes] - x_[stays]);
    y_[at] = y_[stays] + part * (y_[goes] - y_[stays]);
    z_[at] = z_[stays] + part * (z_[goes] - z_[stays]);
  }
  corners_ = (corners_ & ~gone) | cutting.made;
  return true;
}

}  // namespace tocsin::scene
