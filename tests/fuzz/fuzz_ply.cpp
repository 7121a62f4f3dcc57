// Any bytes as a PLY file: an error that names the file, or an environment that keeps its promises.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/ply.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  tocsin::EnvironmentOptions options;
  // All options get their turn, while seeds stay plain files.
  options.up = static_cast<tocsin::UpAxis>(size % 3);
  options.scale = size % 2 == 0 ? 1.0 : 0.0254;

  const tocsin::Result<tocsin::Environment> room =
      tocsin::io::parse_ply(bytes, "fuzz.ply", options);
  if (!room.ok()) {
    TOCSIN_REQUIRE(room.error().code == tocsin::ErrorCode::kInput);
    TOCSIN_REQUIRE(room.error().message.starts_with("fuzz.ply: "));
    return 0;
  }
  TOCSIN_REQUIRE(!room.triangles().empty() && room.triangles().size() <= size);
  std::size_t counted = 0;
  for (const tocsin::Object& object : room.objects()) {
    TOCSIN_REQUIRE(object.first_triangle == counted && object.triangle_count > 0);
    counted += object.triangle_count;
  }
  TOCSIN_REQUIRE(counted == room.triangles().size());
  for (const tocsin::TriangleIndices& triangle : room.triangles()) {
    for (const std::uint32_t vertex : triangle) TOCSIN_REQUIRE(vertex < room.vertices().size());
  }
  for (const tocsin::Vec3f& v : room.vertices()) {
    TOCSIN_REQUIRE(std::fabs(v.x) <= 1e6F && std::fabs(v.y) <= 1e6F && std::fabs(v.z) <= 1e6F);
  }
  return 0;
}
