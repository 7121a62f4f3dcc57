// What every room reader promises, whatever the bytes.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "require.h"
#include "tocsin/io.h"

namespace tocsin::test {

/// All options get their turn, while seeds stay plain files.
inline EnvironmentOptions room_options(std::size_t size) {
  EnvironmentOptions options;
  options.up = static_cast<UpAxis>(size % 3);
  options.scale = size % 2 == 0 ? 1.0 : 0.0254;
  return options;
}

inline void require_sound(const Environment& room) {
  TOCSIN_REQUIRE(!room.triangles().empty());
  std::size_t counted = 0;
  for (const Object& object : room.objects()) {
    TOCSIN_REQUIRE(object.first_triangle == counted && object.triangle_count > 0);
    counted += object.triangle_count;
  }
  TOCSIN_REQUIRE(counted == room.triangles().size());
  for (const TriangleIndices& triangle : room.triangles()) {
    for (const std::uint32_t vertex : triangle) TOCSIN_REQUIRE(vertex < room.vertices().size());
  }
  for (const Vec3f& v : room.vertices()) {
    TOCSIN_REQUIRE(std::fabs(v.x) <= 1e6F && std::fabs(v.y) <= 1e6F && std::fabs(v.z) <= 1e6F);
  }
}

/// An input error that names the file.
inline void require_input_error(const Error& error, const char* prefix) {
  TOCSIN_REQUIRE(error.code == ErrorCode::kInput);
  TOCSIN_REQUIRE(error.message.starts_with(prefix));
}

}  // namespace tocsin::test
