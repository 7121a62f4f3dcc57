#include "wire/skeletons.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::wire {
namespace {

/// Joints of a skeleton (Skeleton::create): more are refused before any is converted.
constexpr int kMostJoints = 16'384;

}  // namespace

void to_wire(const Skeleton& skeleton, v1::Skeleton& out) {
  out.Clear();
  out.mutable_joints()->Reserve(skeleton.size());
  for (const Joint& joint : skeleton.joints()) {
    v1::Joint& made = *out.add_joints();
    put_text(joint.name, *made.mutable_name());
    made.set_parent(joint.parent);
    to_wire(joint.rest.rotation, *made.mutable_rest_rotation());
    to_wire(joint.rest.translation, *made.mutable_rest_translation());
  }
}

Result<Skeleton> from_wire(const v1::Skeleton& skeleton) {
  if (skeleton.joints_size() > kMostJoints) {
    return {ErrorCode::kInput, fmt::format("skeleton: {} joints; a skeleton has at most {}",
                                           skeleton.joints_size(), kMostJoints)};
  }
  std::vector<Joint> joints;
  joints.reserve(static_cast<std::size_t>(skeleton.joints_size()));
  for (const v1::Joint& joint : skeleton.joints()) {
    if (const std::string problem = label_problem(joint.name()); !problem.empty()) {
      return {ErrorCode::kInput,
              fmt::format("skeleton: joint {}: its name {}", joints.size(), problem)};
    }
    Joint made;
    made.name = joint.name();
    made.parent = joint.parent();
    if (joint.has_rest_rotation()) made.rest.rotation = wire::from_wire(joint.rest_rotation());
    made.rest.translation = from_wire(joint.rest_translation());
    joints.push_back(std::move(made));
  }
  auto made = Skeleton::create(std::move(joints));
  if (!made) return {made.error().code, "skeleton: " + made.error().message};
  return made;
}

}  // namespace tocsin::wire
