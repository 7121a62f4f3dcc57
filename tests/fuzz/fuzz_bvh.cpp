// Any bytes as a BVH file: an error that names the file, or a motion that keeps its promises.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/bvh.h"
#include "require.h"

namespace {

void require_sound(const tocsin::Transform& pose) {
  const tocsin::Quat& q = pose.rotation;
  const tocsin::Vec3& t = pose.translation;
  const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  TOCSIN_REQUIRE(std::fabs(square - 1.0) < 1e-12);
  TOCSIN_REQUIRE(std::fabs(t.x) <= 1e6 && std::fabs(t.y) <= 1e6 && std::fabs(t.z) <= 1e6);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tocsin::MotionOptions options;
  // All options get their turn, while seeds stay plain files.
  if (size % 2 == 0) options.unit_metres = 0.01;
  options.up = static_cast<tocsin::UpAxis>(size % 3);

  const tocsin::Result<tocsin::Motion> motion = tocsin::io::parse_bvh(text, "fuzz.bvh", options);
  if (!motion.ok()) {
    TOCSIN_REQUIRE(motion.error().code == tocsin::ErrorCode::kInput);
    TOCSIN_REQUIRE(motion.error().message.starts_with("fuzz.bvh:"));
    return 0;
  }
  TOCSIN_REQUIRE(motion.frame_count() >= 1 && motion.frame_time() > 0.0);
  TOCSIN_REQUIRE(static_cast<std::size_t>(motion.frame_count()) <= size);
  for (std::int64_t frame = 0; frame < motion.frame_count(); ++frame) {
    for (const tocsin::Transform& pose : motion.pose(frame)) require_sound(pose);
  }
  return 0;
}
