#include "scene/motion/joint_places.h"

#include "core/vector/compose.h"

namespace tocsin::scene {

std::vector<Transform> joint_places(const Skeleton& skeleton, std::span<const Transform> pose) {
  std::vector<Transform> out;
  out.reserve(pose.size());
  for (std::size_t i = 0; i < pose.size(); ++i) {
    const int parent = skeleton.joints()[i].parent;
    out.push_back(parent < 0 ? pose[i]
                             : core::compose(out[static_cast<std::size_t>(parent)], pose[i]));
  }
  return out;
}

std::vector<Transform> rest_places(const Skeleton& skeleton) {
  std::vector<Transform> rest;
  rest.reserve(skeleton.joints().size());
  for (const Joint& joint : skeleton.joints()) rest.push_back(joint.rest);
  return joint_places(skeleton, rest);
}

}  // namespace tocsin::scene
