// A convex polyhedron that starts as a box and is cut by planes: corners and faces on the stack,
// closed despite any rounding. docs/gl.md, "Slabs and their skins".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tocsin/types.h"

namespace tocsin::scene {

/// Corners in metres, in any frame; faces as loops of corners, counterclockwise seen from outside.
/// Every edge of a face is an edge of one other face, in the other direction. So there are no
/// cracks. A corner lies off the planes of its faces by rounding only: 64 u of the greatest
/// coordinate for each cut so far.
class Polytope {
 public:
  /// A set of corners; a simple polyhedron of f faces has 2 f - 4.
  using Mask = std::uint64_t;
  static constexpr std::size_t kMostCorners = 64;
  static constexpr std::size_t kMostFaces = kMostCorners / 2 + 2;
  using Index = std::uint8_t;

  /// The box between two opposite corners; lo < hi in every coordinate.
  Polytope(const Vec3& lo, const Vec3& hi);

  /// Cuts off the part beyond the plane n.x = d, n of unit length, if it reaches farther than
  /// `least` >= 0 metres. Returns true if it did. It does not if rounding leaves no clear answer
  /// (as for planes that graze a face), or if there would be too many faces.
  bool cut(const Vec3& n, double d, double least);

  [[nodiscard]] std::size_t face_count() const { return face_count_; }
  /// The corners of a face, at least three.
  [[nodiscard]] std::span<const Index> face(std::size_t i) const {
    return {faces_[i].corner.data(), faces_[i].size};
  }
  /// The corners that faces use; others have no meaning.
  [[nodiscard]] Mask corners() const { return corners_; }
  [[nodiscard]] Vec3 corner(std::size_t i) const { return {x_[i], y_[i], z_[i]}; }

 private:
  struct Face {
    Mask corners = 0;
    Index size = 0;
    std::array<Index, kMostFaces> corner;  // a side for every other face at most

    bool push(Index at) {
      if (size == corner.size()) return false;
      corner[size++] = at;
      corners |= Mask{1} << at;
      return true;
    }
  };
  struct Cutting;

  // Coordinate by coordinate, so that one instruction compares two corners with a plane.
  std::array<double, kMostCorners> x_{};
  std::array<double, kMostCorners> y_{};
  std::array<double, kMostCorners> z_{};
  Mask corners_ = 0;
  std::size_t face_count_ = 0;
  std::array<Face, kMostFaces> faces_;
};

}  // namespace tocsin::scene
