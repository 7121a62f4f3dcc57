#include "io/stance.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include "scene/motion/joint_places.h"
#include "tocsin/binding.h"

namespace tocsin::io {
namespace {

// Cosines. A person who stands, or is drawn standing, has the legs opposite to the back within 60
// degrees (as shape/trunk.h); a dog's are off by 90, so from 0.5 on they stand across.
constexpr double kOpposite = -0.5;
constexpr double kAcrossMost = 0.5;
/// 45 degrees: a back that leans further does not show how high the body is.
constexpr double kUp = 0.7;

Vec3 direction_of(const Vec3& v) {
  const double n = core::norm(v);
  return n > 0.0 ? (1.0 / n) * v : Vec3{};
}

}  // namespace

std::optional<PersonJoints> person_of(const Motion& motion) {
  const auto bound = choose_bound_avatar(motion);
  if (!bound.ok() || bound->binding.by == BoundBy::kBones) return std::nullopt;
  PersonJoints out;
  const std::array<std::pair<std::string_view, int*>, 6> wanted{{
      {"LeftUpLeg", &out.hips[0]},
      {"RightUpLeg", &out.hips[1]},
      {"LeftFoot", &out.ankles[0]},
      {"RightFoot", &out.ankles[1]},
      {"LeftArm", &out.shoulders[0]},
      {"RightArm", &out.shoulders[1]},
  }};
  for (const BoundJoint& joint : bound->binding.joints) {
    for (const auto& [name, index] : wanted) {
      if (joint.model_joint == name) *index = joint.joint;
    }
  }
  for (const auto& [name, index] : wanted) {
    if (*index < 0) return std::nullopt;
  }
  return out;
}

std::vector<Vec3> world_places(const Skeleton& skeleton, std::span<const Transform> pose) {
  std::vector<Vec3> out;
  out.reserve(pose.size());
  for (const Transform& place : scene::joint_places(skeleton, pose)) {
    out.push_back(place.translation);
  }
  return out;
}

Stance stance_of(const PersonJoints& person, const std::vector<Vec3>& places) {
  const auto at = [&](int joint) { return places[static_cast<std::size_t>(joint)]; };
  const Vec3 hips = 0.5 * (at(person.hips[0]) + at(person.hips[1]));
  const Vec3 back = direction_of(0.5 * (at(person.shoulders[0]) + at(person.shoulders[1])) - hips);
  if (!(core::norm(back) > 0.0)) return Stance::kUnclear;
  int opposite = 0;
  int across = 0;
  for (int side = 0; side < 2; ++side) {
    const Vec3 leg = direction_of(at(person.ankles[side]) - at(person.hips[side]));
    const double cosine = core::dot(leg, back);
    if (cosine <= kOpposite) opposite += 1;
    if (core::norm(leg) > 0.0 && std::fabs(cosine) < kAcrossMost) across += 1;
  }
  if (opposite == 2) return back.y >= kUp ? Stance::kStands : Stance::kLies;
  return across == 2 ? Stance::kAcross : Stance::kUnclear;
}

Stance rest_stance(const Motion& motion, const PersonJoints& person) {
  std::vector<Transform> rest;
  for (const Joint& joint : motion.skeleton().joints()) rest.push_back(joint.rest);
  return stance_of(person, world_places(motion.skeleton(), rest));
}

}  // namespace tocsin::io
