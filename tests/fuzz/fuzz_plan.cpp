// Any bytes as a plan of a robot with joints of all kinds: an error that names the file, or a sound
// motion.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/robot/plan.h"
#include "require.h"
#include "sound_motion.h"

namespace {

tocsin::io::Robot small_robot() {
  using Kind = tocsin::io::RobotJointKind;
  tocsin::io::Robot out;
  out.file = "r.urdf";
  const auto add = [&out](const char* joint, Kind kind) {
    tocsin::io::RobotLink link;
    link.name = out.links.empty() ? "base" : joint;
    link.parent = static_cast<int>(out.links.size()) - 1;
    link.joint.name = joint;
    link.joint.kind = kind;
    out.links.push_back(link);
  };
  add("", Kind::kFixed);
  add("r", Kind::kRevolute);
  add("c", Kind::kContinuous);
  add("p", Kind::kPrismatic);
  add("m", Kind::kRevolute);
  add("x", Kind::kFixed);
  add("l", Kind::kPlanar);
  add("f", Kind::kFloating);
  out.links[1].joint.limits = {-1.0, 1.0};
  out.links[1].joint.velocity = 1.0;
  out.links[4].joint.mimic = tocsin::io::RobotMimic{1, -2.0, 0.5};
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const tocsin::io::Robot kRobot = small_robot();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto motion = tocsin::io::parse_plan(text, "fuzz.csv", kRobot, tocsin::UpAxis::kY);
  if (!motion.ok()) {
    TOCSIN_REQUIRE(motion.error().code == tocsin::ErrorCode::kInput);
    TOCSIN_REQUIRE(motion.error().message.starts_with("fuzz.csv:"));
    TOCSIN_REQUIRE(motion.error().message.size() < 2000);
    return 0;
  }
  TOCSIN_REQUIRE(motion->skeleton().size() == static_cast<int>(kRobot.links.size()));
  tocsin::test::require_sound(*motion);
  return 0;
}
