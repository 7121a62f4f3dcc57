// Whether a motion shows a person, and whether its poses stand: only then does a height tell a
// unit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/vector/vec.h"
#include "tocsin/motion.h"

namespace tocsin::io {

/// How legs and back of a pose go.
enum class Stance : std::uint8_t {
  kStands,   ///< legs down, back up, within 60 and 45 degrees of Y
  kLies,     ///< legs and back in opposite directions, but not along Y
  kAcross,   ///< the legs stand across the back, as a four-legged animal's
  kUnclear,  ///< none of these: sitting, or all bones along one axis
};

/// The joints of a person: hips and shoulders, and the ankles below the hips.
struct PersonJoints {
  int hips[2] = {-1, -1};  ///< left, right
  int ankles[2] = {-1, -1};
  int shoulders[2] = {-1, -1};
};

/// The person whom a shipped avatar model binds, by names or by shape, whatever the unit is. None:
/// no model binds.
std::optional<PersonJoints> person_of(const Motion& motion);

/// Joints in the world, in a pose: local transforms, one a joint, parents first.
std::vector<Vec3> world_places(const Skeleton& skeleton, std::span<const Transform> pose);

/// Of the same places.
Stance stance_of(const PersonJoints& person, const std::vector<Vec3>& places);

/// The stance of the rest pose, in the motion's frame (Y up).
Stance rest_stance(const Motion& motion, const PersonJoints& person);

}  // namespace tocsin::io
