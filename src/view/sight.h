// Rays through a room: which object lies between two points?
#pragma once

#include <cstdint>
#include <optional>

#include "scene/tree/kdop_tree.h"
#include "tocsin/environment.h"
#include "tocsin/types.h"

namespace tocsin::view {

/// Where a ray meets a triangle.
struct Hit {
  std::uint32_t triangle = 0;  ///< index in the environment
  double at = 0.0;             ///< 0 to 1 from the ray's start to its end
};

/// Immutable; safe to share between threads. For pictures: a ray through an edge may slip between
/// two triangles.
class Sight {
 public:
  /// Builds the room's tree. Throws std::bad_alloc only.
  explicit Sight(const Environment& room);

  /// The first triangle on the way, ends included; none: the way is free.
  [[nodiscard]] std::optional<Hit> first_hit(const Vec3& from, const Vec3& to) const;

 private:
  scene::RoomTree tree_;
};

}  // namespace tocsin::view
