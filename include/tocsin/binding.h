// How an avatar's links come to a skeleton's joints: by names, by names that are alike, by shape.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"

namespace tocsin {

/// The surest way first.
enum class BoundBy : std::uint8_t {
  kNames,         ///< by joint names, exactly or by an alias
  kSimilarNames,  ///< some names are only alike: another order, case or separator, or one letter
  kShape,         ///< by the skeleton's tree, symmetry and proportions
  kBones,         ///< no model: one link a bone
};

/// What stands for a joint of a model.
struct BoundJoint {
  std::string model_joint;  ///< name in the model
  int joint = -1;           ///< of the skeleton
  BoundBy by = BoundBy::kNames;
  bool sure = true;       ///< false: likely; worth a look
  std::string note = {};  ///< for a person, if there is something to say: "no joint there: placed"
};

struct Binding {
  BoundBy by = BoundBy::kNames;  ///< the least sure way that was needed
  std::string naming = {};       ///< the naming scheme; empty: the model's own names, or none
  std::vector<BoundJoint> joints = {};  ///< in order of model_joint; empty: no model
  std::vector<std::string> notes = {};  ///< what to tell the user; no full stops
  /// True: frames were needed, and the skeleton alone may be bound otherwise.
  bool from_motion = false;
};

struct BoundAvatar {
  Avatar avatar;
  Binding binding;
};

/// As Avatar::bind(), and says how. `motion`: where the rest pose is no person's (all bones along
/// one axis, say), frame 0 may be. Errors: as there.
Result<BoundAvatar> bind_avatar(const AvatarModel& model, const Skeleton& skeleton,
                                const RadiusScale& scale = {});
Result<BoundAvatar> bind_avatar(const AvatarModel& model, const Motion& motion,
                                const RadiusScale& scale = {});

/// As Avatar::automatic(), and says what was left out. `motion`: no link along an offset that
/// varies. Errors: as there.
Result<BoundAvatar> bind_bones(const Skeleton& skeleton, const RadiusScale& scale = {});
Result<BoundAvatar> bind_bones(const Motion& motion, const RadiusScale& scale = {});

/// As choose_avatar(), and says how: of the shipped models that bind by joint names the one with
/// the most links; else by names that are alike; else by shape; else bind_bones(). Errors: as
/// there. In the library of tocsin/io.h.
Result<BoundAvatar> choose_bound_avatar(const Skeleton& skeleton, const RadiusScale& scale = {});
Result<BoundAvatar> choose_bound_avatar(const Motion& motion, const RadiusScale& scale = {});

}  // namespace tocsin
