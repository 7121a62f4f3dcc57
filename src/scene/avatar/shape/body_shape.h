// Finds a person in a skeleton by its shape: the tree, symmetry and proportions. Names play no
// part.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tocsin/skeleton.h"

namespace tocsin::scene {

/// What stands for a joint of an avatar model.
struct BodyRole {
  int joint = -1;
  Vec3 offset;          ///< in the joint's frame, metres
  bool placed = false;  ///< the skeleton has no joint there: `offset` says where it would be
};

struct BodyShape {
  /// Joint names as in the shipped models (`LeftForeArm`); what the skeleton does not have and a
  /// model can do without (`Head_end`, fingers) is left out.
  std::map<std::string, BodyRole> roles;
  double cost = 0.0;        ///< how far from a person's proportions, 0: not at all
  bool sides_known = true;  ///< false: nothing says what is in front; left is the root's +x
  std::string front;        ///< what says where the front is, for a person: "the feet"
};

/// What find_body() makes of a skeleton.
struct BodyAnswer {
  std::optional<BodyShape> body;
  std::string why;  ///< if there is none: what is missing or not clear, for a person
};

/// A pose and what is known of the joints in the motion.
struct PoseView {
  std::span<const Transform> local;  ///< each joint in its parent's frame
  /// Nonzero: the joint turns in its parent's frame. Empty: not known. Of joints in one place at
  /// the wrist, at the ankle or at the head, the first that turns stands for the place.
  std::span<const char> turns = {};
};

/// Looks for two legs, two arms, a spine and a head. A skeleton with more than 2,048 joints is not
/// looked at. The result does not depend on the root's own place, on scale, or on names.
BodyAnswer find_body(const Skeleton& skeleton, const PoseView& pose);

}  // namespace tocsin::scene
