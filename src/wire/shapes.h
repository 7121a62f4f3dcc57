// Shapes of links on the wire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tocsin/result.h"
#include "tocsin/shape.h"
#include "tocsin/track.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/limits.h"

namespace tocsin::wire {

/// Spheres and capsules as such, anything else with its triangles. Precondition: not empty.
void to_wire(const Shape& shape, v1::Shape& out);
void to_wire(const LoadedShape& shape, v1::Shape& out);

/// True if the shape is one that the server has.
[[nodiscard]] bool is_loaded(const v1::Shape& shape);
/// Precondition: is_loaded(). `link`: left as it is. Errors (kInput): its name is none.
Status from_wire(const v1::Shape& shape, LoadedShape& out);

/// At most how many triangles the shapes of an opening have, of those that come with it, known
/// before any is made; none of those that from_wire() would refuse for their number.
std::uint64_t inline_triangles(const v1::AvatarModel& model);

/// Makes the shapes of one message, which have kMostInlineTriangles together.
class ShapeReader {
 public:
  /// Precondition: not is_loaded(). Errors: kInput: as Shape's; lists that are not of three; no
  /// kind. kResource: too many triangles.
  Result<Shape> read(const v1::Shape& shape);

 private:
  [[nodiscard]] Status check_count(std::uint64_t triangles) const;
  Result<Shape> read_kind(const v1::Shape& shape) const;
  Result<Shape> read_mesh(const v1::Mesh& mesh, double radius) const;
  Result<Shape> read_convex(const v1::Mesh& mesh, double radius) const;

  std::size_t left_ = kMostInlineTriangles;
};

}  // namespace tocsin::wire
