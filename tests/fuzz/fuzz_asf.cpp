// Any bytes as an ASF file: an error that names the file and line, or a tree of bones that an AMC
// can move.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/acclaim/amc.h"
#include "io/acclaim/asf.h"
#include "sound_motion.h"

namespace {

/// A frame that moves every bone.
std::string frame_of(const tocsin::io::AsfSkeleton& asf) {
  std::string text = "1\n";
  for (const tocsin::io::AsfBone& bone : asf.bones) {
    text += bone.name;
    for (std::size_t i = 0; i < bone.dofs.size(); ++i) text += " 0.5";
    text += '\n';
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const tocsin::Result<tocsin::io::AsfSkeleton> asf = tocsin::io::parse_asf(text, "fuzz.asf");
  if (!asf.ok()) {
    TOCSIN_REQUIRE(asf.error().code == tocsin::ErrorCode::kInput);
    TOCSIN_REQUIRE(asf.error().message.starts_with("fuzz.asf:"));
    return 0;
  }
  TOCSIN_REQUIRE(!asf->bones.empty() && asf->bones.size() <= size);
  for (std::size_t i = 0; i < asf->bones.size(); ++i) {
    const tocsin::io::AsfBone& bone = asf->bones[i];
    TOCSIN_REQUIRE(bone.parent < static_cast<std::int32_t>(i) && (i == 0) == (bone.parent < 0));
    TOCSIN_REQUIRE(asf->names.find(bone.name) == static_cast<std::int32_t>(i));
  }
  tocsin::MotionOptions options;
  // All options get their turn, while seeds stay plain files.
  if (size % 2 == 0) options.unit_metres = 0.01;
  options.up = static_cast<tocsin::UpAxis>(size % 3);
  const tocsin::Result<tocsin::Motion> motion =
      tocsin::io::parse_amc(frame_of(*asf), "fuzz.amc", *asf, options);
  if (motion.ok()) tocsin::test::require_sound(*motion);
  TOCSIN_REQUIRE(motion.ok() || motion.error().code == tocsin::ErrorCode::kInput);
  return 0;
}
