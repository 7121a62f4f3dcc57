#include "scene/avatar/named_sides.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/vector/vec.h"

namespace tocsin::scene {
namespace {

/// Cosine of 60 degrees: legs point away from the shoulders, as shape/trunk.h has it.
constexpr double kNamedLegsDown = -0.5;
/// A foot shows the front from this cosine on, as in shape/body_shape.h.
constexpr double kNamedFeetForward = 0.3;

Vec3 toward(const Vec3& v) {
  const double n = core::norm(v);
  return n > 0.0 ? (1.0 / n) * v : Vec3{};
}

class Named {
 public:
  Named(const Skeleton& skeleton, std::span<const BoundJoint> joints)
      : at_(skeleton.rest_positions()), joints_(joints) {}

  [[nodiscard]] std::optional<Vec3> place(std::string_view model_joint) const {
    const auto it = std::find_if(joints_.begin(), joints_.end(), [&](const BoundJoint& joint) {
      return joint.model_joint == model_joint;
    });
    if (it == joints_.end()) return std::nullopt;
    return at_[static_cast<std::size_t>(it->joint)];
  }

 private:
  std::vector<Vec3> at_;
  std::span<const BoundJoint> joints_;
};

}  // namespace

bool named_sides_are_exchanged(const Skeleton& skeleton, std::span<const BoundJoint> joints) {
  const Named named(skeleton, joints);
  const auto left_hip = named.place("LeftUpLeg");
  const auto right_hip = named.place("RightUpLeg");
  const auto left_arm = named.place("LeftArm");
  const auto right_arm = named.place("RightArm");
  if (!left_hip || !right_hip || !left_arm || !right_arm) return false;
  const Vec3 up = toward((*left_arm + *right_arm) - (*left_hip + *right_hip));
  const Vec3 ahead = toward(core::cross(*left_hip - *right_hip, up));  // if left is on the left
  double feet = 0.0;
  for (const auto& [hip, ankle, toes] :
       {std::array<std::string_view, 3>{"LeftUpLeg", "LeftFoot", "LeftToeBase_end"},
        {"RightUpLeg", "RightFoot", "RightToeBase_end"}}) {
    const auto from = named.place(ankle);
    const auto to = named.place(toes);
    if (!from || !to) return false;
    if (core::dot(toward(*from - *named.place(hip)), up) > kNamedLegsDown) return false;
    feet += 0.5 * core::dot(toward(*to - *from), ahead);
  }
  return feet <= -kNamedFeetForward;
}

}  // namespace tocsin::scene
