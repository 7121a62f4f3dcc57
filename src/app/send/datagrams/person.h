// A take's joints as the bones of a person: what protocols of motion capture send.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::app {

/// The joint of a take that is a person's bone.
struct PersonBone {
  std::string name;  ///< in the naming scheme that was asked for
  int joint = -1;
};

/// Bones of a person in a take, by the joints that humanoid_hands, or else humanoid16, binds.
class Person {
 public:
  /// `schemes`: the protocol's naming scheme, as each of the models calls it. Errors (kInput):
  /// neither model binds.
  static Result<Person> find(const Motion& motion, std::span<const std::string_view> schemes);

  /// The joint of the bone that has one of these names; -1: there is none. The case is not looked
  /// at.
  [[nodiscard]] int joint_of(std::string_view name) const;

  /// Of each joint: its place, and its turn from the rest pose, in the world, metres.
  [[nodiscard]] std::vector<Transform> places(std::span<const Transform> pose) const;

 private:
  std::vector<PersonBone> bones_;
  Skeleton skeleton_;
  std::vector<Quat> rest_turns_;  ///< of joints, in the world
};

}  // namespace tocsin::app
