// Any bytes as a BVH file: an error that names the file, or a motion that keeps its promises.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/bvh/bvh.h"
#include "sound_motion.h"

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
  TOCSIN_REQUIRE(static_cast<std::size_t>(motion->frame_count()) <= size);
  tocsin::test::require_sound(*motion);
  return 0;
}
