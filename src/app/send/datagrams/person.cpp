#include "app/send/datagrams/person.h"

#include <algorithm>
#include <utility>

#include "base/lower_case.h"
#include "core/vector/vec.h"
#include "scene/motion/joint_places.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

/// The names that the first of these schemes that the model has gives a joint of it.
std::vector<std::string> names_in(const AvatarModel& model,
                                  std::span<const std::string_view> schemes,
                                  const std::string& joint) {
  for (const NamingScheme& one : model.schemes) {
    if (std::find(schemes.begin(), schemes.end(), one.name) == schemes.end()) continue;
    for (const auto& names : one.joints) {
      if (names.first == joint) return names.second;
    }
  }
  return {};
}

Result<std::pair<AvatarModel, Binding>> bind_person(const Motion& motion) {
  Error last{ErrorCode::kInput, {}};
  for (const char* const name : {"humanoid_hands", "humanoid16"}) {
    auto model = load_avatar_model(name);
    if (!model) return model.error();
    const auto bound = bind_avatar(*model, motion);
    if (bound) return std::pair(std::move(model).value(), bound->binding);
    last = bound.error();
  }
  return last;
}

}  // namespace

Result<Person> Person::find(const Motion& motion, std::span<const std::string_view> schemes) {
  const auto bound = bind_person(motion);
  if (!bound) return bound.error();
  Person out;
  for (const BoundJoint& joint : bound->second.joints) {
    if (joint.joint < 0) continue;
    for (std::string& name : names_in(bound->first, schemes, joint.model_joint)) {
      out.bones_.push_back({base::lower(std::move(name)), joint.joint});
    }
  }
  out.skeleton_ = motion.skeleton();
  for (const Transform& place : scene::rest_places(out.skeleton_)) {
    out.rest_turns_.push_back(place.rotation);
  }
  return out;
}

int Person::joint_of(std::string_view name) const {
  const std::string wanted = base::lower(std::string(name));
  const auto found = std::find_if(bones_.begin(), bones_.end(),
                                  [&](const PersonBone& bone) { return bone.name == wanted; });
  return found == bones_.end() ? -1 : found->joint;
}

std::vector<Transform> Person::places(std::span<const Transform> pose) const {
  std::vector<Transform> out = scene::joint_places(skeleton_, pose);
  for (std::size_t j = 0; j < out.size(); ++j) {
    out[j].rotation = out[j].rotation * core::conjugate(rest_turns_[j]);
  }
  return out;
}

}  // namespace tocsin::app
