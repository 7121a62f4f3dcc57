// Binds avatar models to one skeleton, by one way after the other.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scene/avatar/alike_names.h"
#include "scene/avatar/joint_names.h"
#include "scene/avatar/motion_evidence.h"
#include "scene/avatar/shape/body_shape.h"
#include "tocsin/binding.h"

namespace tocsin::scene {

/// A skeleton, perhaps with its motion, and what was found out about it so far: names alike and
/// shape are looked at only if exact names do not do.
class AvatarBinder {
 public:
  explicit AvatarBinder(const Skeleton& skeleton);
  explicit AvatarBinder(const Motion& motion);

  /// By the first way of kNames, kSimilarNames and kShape that finds everything. Errors: those of
  /// Avatar::bind().
  Result<BoundAvatar> bind(const AvatarModel& model, const RadiusScale& scale);

  /// By this way alone. Errors (kInput): it does not find everything.
  Result<BoundAvatar> bind(const AvatarModel& model, const RadiusScale& scale, BoundBy way);

  /// One link per bone. Errors: those of Avatar::automatic().
  Result<BoundAvatar> bones(const RadiusScale& scale);

  /// False: bind() fails by this way, kNames or kSimilarNames. Far less work than binding where
  /// most models do not fit (scene::may_bind()).
  [[nodiscard]] bool may_bind(const AvatarModel& model, BoundBy way);
  [[nodiscard]] const Skeleton& skeleton() const { return skeleton_; }
  /// The person found by shape, or why there is none.
  const BodyAnswer& body();

 private:
  const AlikeNames& alike();
  const MotionEvidence* evidence();  ///< null: no motion
  Binding binding_of(const AvatarModel& model, BoundBy way, std::vector<BoundJoint> joints,
                     const std::string& naming);
  void add_shape_notes(Binding& binding);

  Skeleton skeleton_;
  std::optional<Motion> motion_;
  JointNames names_;
  std::optional<AlikeNames> alike_;
  std::optional<MotionEvidence> evidence_;
  std::optional<BodyAnswer> body_;
  bool posed_ = false;               ///< the body is that of frame 0
  bool shape_needs_motion_ = false;  ///< the rest pose alone would give another body, or none
};

/// The links of a skeleton without a model, and what to tell the user about them.
struct BoneLinks {
  std::vector<Link> links;
  std::vector<std::string> notes;
  bool from_motion = false;
};

/// What is known of a skeleton's motion; empty: nothing.
struct BoneEvidence {
  std::span<const char> shifts = {};     ///< MotionEvidence's
  std::span<const Transform> pose = {};  ///< frame 0
};

BoneLinks bone_links(const Skeleton& skeleton, const BoneEvidence& known);

}  // namespace tocsin::scene
