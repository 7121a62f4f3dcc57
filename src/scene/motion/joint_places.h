// Forward kinematics of a pose, for what proves nothing: files, pictures, messages.
#pragma once

#include <span>
#include <vector>

#include "tocsin/skeleton.h"
#include "tocsin/types.h"

namespace tocsin::scene {

/// All joints in the world, metres, of a pose: local transforms, one a joint, parents first.
std::vector<Transform> joint_places(const Skeleton& skeleton, std::span<const Transform> pose);

/// The same of the rest pose.
std::vector<Transform> rest_places(const Skeleton& skeleton);

}  // namespace tocsin::scene
