// The shape of a link that is no line swept sphere: a mesh, a convex hull, a box, ... fixed to the
// link's joint.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin {

namespace detail {
struct ShapeData;
}
class Shape;
namespace scene {
const tocsin::detail::ShapeData& data_of(const Shape& shape);
}

/// Where a shape is put: x -> rotation(scale * x) + translation, from the shape's own coordinates
/// to the joint's frame.
struct ShapePlacement {
  Vec3 translation;              ///< metres
  Quat rotation;                 ///< of unit length within 1e-3; it is normalised
  Vec3 scale = {1.0, 1.0, 1.0};  ///< along the shape's own axes; none is 0; negative mirrors
};

/// A set of features in a joint's frame: points, segments and triangles, all rounded by one radius.
/// Surfaces without thickness (radius 0) have two sides. Immutable; copies share their data.
/// docs/exact.md, "Two trees".
class Shape {
 public:
  /// No shape: the link is a line swept sphere.
  Shape() = default;

  /// Every triangle of a mesh is a feature, in its order; so are triangles of no area. Corners that
  /// no triangle uses do not count. Errors (kInput), naming the corner or triangle: no triangles,
  /// more than 2^24; an index out of range; a coordinate that is not finite or above 1e6 m; a
  /// radius that is not finite, below 0 or above 1e6 m.
  static Result<Shape> mesh(std::vector<Vec3> corners, std::vector<TriangleIndices> triangles,
                            double radius = 0.0);

  /// The surface of the convex hull of some points; none is outside by more than 2^-41 of the size.
  /// Errors as in mesh(); also fewer than four points, or all of them in one plane.
  static Result<Shape> convex(std::span<const Vec3> points, double radius = 0.0);

  /// The surface of a box about the origin; `half`: half of its edges, metres, each above 0.
  static Result<Shape> box(const Vec3& half, double radius = 0.0);

  /// Exact: one point. radius: at least 1e-6 m.
  static Result<Shape> sphere(const Vec3& centre, double radius);
  /// Exact: one segment. radius: at least 1e-6 m.
  static Result<Shape> capsule(const Vec3& a, const Vec3& b, double radius);

  /// Prisms and pyramids that hold the round shape, and reach at most `tolerance` metres beyond it
  /// (above 0). Axis y, from -height/2 to height/2; a cone's tip is up. Errors (kInput): sizes that
  /// are not above 0; a tolerance that asks for more than 4,096 sides.
  static Result<Shape> cylinder(double base_radius, double height, double tolerance,
                                double radius = 0.0);
  static Result<Shape> cone(double base_radius, double height, double tolerance,
                            double radius = 0.0);

  /// The shape put somewhere else in the frame. The radius stays as it is. Errors (kInput): numbers
  /// that are not finite, a scale of 0, a rotation that is not of unit length, coordinates that
  /// leave 1e6 m; a scale other than 1 or -1 of a sphere or capsule.
  [[nodiscard]] Result<Shape> placed(const ShapePlacement& at) const;

  [[nodiscard]] bool empty() const { return data_ == nullptr; }
  /// Joint frame, metres.
  [[nodiscard]] std::span<const Vec3> corners() const;
  /// Each feature as three indices into corners(): equal ones make a segment or a point.
  [[nodiscard]] std::span<const TriangleIndices> features() const;
  /// Rounding of all features, metres.
  [[nodiscard]] double radius() const;

 private:
  friend const detail::ShapeData& scene::data_of(const Shape& shape);
  static Result<Shape> make(std::vector<Vec3> corners, std::vector<TriangleIndices> features,
                            double radius);

  std::shared_ptr<const detail::ShapeData> data_;
};

}  // namespace tocsin
