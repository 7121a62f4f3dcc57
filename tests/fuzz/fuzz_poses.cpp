// Any bytes as a .poses file: an error that names the file, or a motion that keeps its promises and
// comes back from what is written of it.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/poses/poses.h"
#include "sound_motion.h"

namespace {

bool same(const tocsin::Transform& a, const tocsin::Transform& b) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  return bits(a.rotation.w) == bits(b.rotation.w) && bits(a.rotation.x) == bits(b.rotation.x) &&
         bits(a.rotation.y) == bits(b.rotation.y) && bits(a.rotation.z) == bits(b.rotation.z) &&
         bits(a.translation.x) == bits(b.translation.x) &&
         bits(a.translation.y) == bits(b.translation.y) &&
         bits(a.translation.z) == bits(b.translation.z);
}

void require_round_trip(const tocsin::Motion& motion) {
  std::string text = tocsin::io::poses_header(motion.skeleton(), motion.frame_time(), "fuzz");
  for (std::int64_t k = 0; k < motion.frame_count(); ++k) {
    const auto tick = motion.ticks().empty() ? static_cast<double>(k)
                                             : motion.ticks()[static_cast<std::size_t>(k)];
    text += tocsin::io::pose_line(motion.pose(k), tick, std::nullopt);
  }
  text += tocsin::io::poses_end(motion.frame_count());
  const tocsin::Result<tocsin::Motion> again = tocsin::io::parse_poses(text, "again.poses");
  TOCSIN_REQUIRE(again.ok());
  TOCSIN_REQUIRE(again->source().warnings.empty());
  TOCSIN_REQUIRE(again->frame_count() == motion.frame_count());
  for (std::int64_t k = 0; k < motion.frame_count(); ++k) {
    TOCSIN_REQUIRE(again->seconds(k) == motion.seconds(k));
    for (std::size_t j = 0; j < motion.pose(k).size(); ++j) {
      TOCSIN_REQUIRE(same(again->pose(k)[j], motion.pose(k)[j]));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const tocsin::Result<tocsin::Motion> motion = tocsin::io::parse_poses(text, "fuzz.poses");
  if (!motion.ok()) {
    TOCSIN_REQUIRE(motion.error().code == tocsin::ErrorCode::kInput);
    TOCSIN_REQUIRE(motion.error().message.starts_with("fuzz.poses:"));
    return 0;
  }
  // Seven numbers a joint, each with a comma or bracket behind it.
  const auto joints = static_cast<std::size_t>(motion->skeleton().size());
  TOCSIN_REQUIRE(14 * joints * static_cast<std::size_t>(motion->frame_count()) <= size);
  for (std::int64_t k = 1; k < motion->frame_count(); ++k) {
    TOCSIN_REQUIRE(motion->seconds(k) >= motion->seconds(k - 1));
  }
  tocsin::test::require_sound(*motion);
  require_round_trip(*motion);
  return 0;
}
