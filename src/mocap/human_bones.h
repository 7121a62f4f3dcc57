// Unity's humanoid bones, as VMC names them, and a rest pose for senders that tell no offsets.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "tocsin/types.h"

namespace tocsin::mocap {

/// One bone of Unity's HumanBodyBones.
struct HumanBone {
  std::string_view name;
  int parent = -1;  ///< index into human_bones(), smaller than the bone's own; -1: the root
  /// In the parent's frame, T pose, metres, on Tocsin's axes (+X to the body's left, +Z ahead), of
  /// an adult of 1.7 m. The bones that models have radii for have the lengths of humanoid16
  /// (docs/avatars.md); the others are rounded guesses.
  Vec3 rest;
};

/// All 55, parents before children. A model may lack some: the child's parent is then the nearest
/// above that it has.
std::span<const HumanBone> human_bones();

/// Index of the bone with this name, or -1. `name`: as Unity writes it; the case is not looked at
/// (VRM begins with a small letter).
int find_human_bone(std::string_view name);

}  // namespace tocsin::mocap
