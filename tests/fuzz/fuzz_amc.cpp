// Any bytes as an AMC file for a skeleton with all kinds of dofs: an error that names the file, or
// a motion that keeps its promises.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/acclaim/amc.h"
#include "io/acclaim/asf.h"
#include "sound_motion.h"

namespace {

constexpr const char* kSkeleton = R"(:units length 0.45
:root axis XYZ position 1 2 3 orientation 10 20 30
order TX TY TZ RX RY RZ
:bonedata
begin name hip direction 1 0 0 length 1 axis 0 0 0 XYZ end
begin name leg direction 0 -1 0 length 12 axis 0 0 20 ZYX
dof rx ry rz
end
begin name foot direction 0 0 1 length 3 axis -90 0 20 XYZ
dof rx tx l
end
begin name spine direction 0 1 0 length 14 axis 5 6 7 YZX
dof rz l
end
:hierarchy begin
root hip spine
hip leg
leg foot
end
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tocsin::Result<tocsin::io::AsfSkeleton> kAsf =
      tocsin::io::parse_asf(kSkeleton, "fuzz.asf");
  TOCSIN_REQUIRE(kAsf.ok());
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  tocsin::MotionOptions options;
  // All options get their turn, while seeds stay plain files.
  if (size % 2 == 0) options.unit_metres = 0.01;
  if (size % 5 == 0) options.rate = 30.0;
  options.up = static_cast<tocsin::UpAxis>(size % 3);

  const tocsin::Result<tocsin::Motion> motion =
      tocsin::io::parse_amc(text, "fuzz.amc", *kAsf, options);
  if (!motion.ok()) {
    TOCSIN_REQUIRE(motion.error().code == tocsin::ErrorCode::kInput);
    TOCSIN_REQUIRE(motion.error().message.starts_with("fuzz.amc:"));
    return 0;
  }
  TOCSIN_REQUIRE(static_cast<std::size_t>(motion->frame_count()) <= size);
  tocsin::test::require_sound(*motion);
  return 0;
}
