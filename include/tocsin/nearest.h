// How far two shapes are apart at given places, where they are nearest, and by which features.
// Questions at one time, computed with a stated error; for what is proved over a step ask a
// Detector. docs/nearest.md.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "tocsin/result.h"
#include "tocsin/shape.h"
#include "tocsin/types.h"

namespace tocsin {

namespace detail {
struct ConvexBodyData;
struct ConvexPairMemory;
}  // namespace detail

/// Whether two bodies are apart, by more than the answer's rounding.
enum class Proximity : std::uint8_t {
  kApart,
  kTouching,  ///< within rounding of touching, from either side
  kOverlap,   ///< a part of one is in the other
};

/// A vertex, an edge or a face of a convex body: one, two or three indices into its corners(), in
/// order. A face is one of faces(), a triangle of a flat side.
struct BodyFeature {
  std::array<std::uint32_t, 3> corner{};
  std::int32_t corners = 0;

  friend bool operator==(const BodyFeature&, const BodyFeature&) = default;
};

/// Where two convex bodies are nearest. World, metres.
struct ConvexNearest {
  Proximity status = Proximity::kApart;
  /// Between the surfaces. Below 0 they overlap, and the first must be moved so far (without the
  /// sign) along `normal` for both to be apart; no shorter way in any direction is.
  double distance = 0.0;
  /// `distance` is within that of the truth. It is rounding, 2^-43 of the bodies' reach and
  /// distance, or more for deep overlap of bodies of very many faces (docs/nearest.md, "Errors").
  double error = 0.0;
  Vec3 first;   ///< on the first one's surface, nearest to the second
  Vec3 second;  ///< on the second one's
  Vec3 normal;  ///< of unit length, from the second to the first
  /// Those that hold the points, without the bodies' radii. Where several pairs are as near, one.
  BodyFeature first_feature;
  BodyFeature second_feature;
};

/// Work done for the last answer; no part of it.
struct ConvexWork {
  std::int32_t rounds = 0;  ///< directions in which both bodies were asked for their corners
  std::uint32_t steps = 0;  ///< from corner to corner, to find these
};

/// The convex hull of a shape's corners, rounded by its radius, with what is beside what. Make it
/// once a shape. Immutable; copies share their data.
class ConvexBody {
 public:
  /// Exact for points, segments and triangles. No corner is outside by more than 2^-41 of the
  /// size. Takes n log n for n corners. Errors (kInput): an empty shape; more than three corners,
  /// all in one plane.
  static Result<ConvexBody> make(const Shape& shape);

  /// Those of the shape that are corners of the hull, in their order; the shape's frame, metres.
  [[nodiscard]] std::span<const Vec3> corners() const;
  /// Of each its index into Shape::corners().
  [[nodiscard]] std::span<const std::uint32_t> sources() const;
  /// Indices into corners(), counterclockwise seen from outside. None of a sphere or capsule.
  [[nodiscard]] std::span<const TriangleIndices> faces() const;
  [[nodiscard]] double radius() const;

 private:
  friend class ConvexPair;
  explicit ConvexBody(std::shared_ptr<const detail::ConvexBodyData> data)
      : data_(std::move(data)) {}

  std::shared_ptr<const detail::ConvexBodyData> data_;
};

/// Two convex bodies that are asked about again and again while they move. It remembers where its
/// walks over the bodies ended, and begins there: a question takes a time that does not grow with
/// the number of faces, as long as the bodies move by less than their edges. The answers do not
/// depend on what it remembers: they are those of a new ConvexPair, bit for bit. For one thread at
/// a time. Papers 000 and 002, section 3; docs/nearest.md.
class ConvexPair {
 public:
  ConvexPair(ConvexBody first, ConvexBody second);
  ConvexPair(ConvexPair&& other) noexcept;
  ConvexPair& operator=(ConvexPair&& other) noexcept;
  ConvexPair(const ConvexPair&) = delete;
  ConvexPair& operator=(const ConvexPair&) = delete;
  ~ConvexPair();

  /// Where both are nearest with their frames at these places (frame to world). Errors (kInput): a
  /// number that is not finite or a translation beyond 1e9 m; a rotation that is not of unit length
  /// within 1e-3.
  Result<ConvexNearest> nearest(const Transform& first, const Transform& second);
  [[nodiscard]] ConvexWork work() const;
  /// Forgets where walks ended.
  void forget();

 private:
  ConvexBody first_;
  ConvexBody second_;
  std::unique_ptr<detail::ConvexPairMemory> memory_;
};

/// Where two shapes are nearest. World, metres.
struct ShapeNearest {
  /// Between the surfaces of features. Below 0 where rounded features overlap: their radii less
  /// the distance of what is rounded. Surfaces that cross have the distance 0 less the radii.
  double distance = 0.0;
  Vec3 first;   ///< on the first one's surface (where it crosses the second, on both)
  Vec3 second;  ///< on the second one's
  std::uint32_t first_feature = 0;  ///< index into Shape::features()
  std::uint32_t second_feature = 0;
};

/// The same of any two shapes (spheres, capsules, boxes, hulls, meshes), as the sets of features
/// that they are: a mesh is a surface, and what is inside a closed one is at its distance from it.
/// Best first over the trees of both. Of several pairs of features as near, the one of least
/// (second_feature, first_feature), but where surfaces cross. The distance is off by 2^-40 of the
/// coordinates at most. Errors (kInput): an empty shape; places as ConvexPair::nearest.
Result<ShapeNearest> nearest(const Shape& first, const Transform& at, const Shape& second,
                             const Transform& other);

}  // namespace tocsin
