// Whether joints that names put on the left are there.
#pragma once

#include <span>

#include "tocsin/binding.h"

namespace tocsin::scene {

/// True if in the rest pose the joints that stand for a person's left are on the right, seen from
/// where the feet point to: the skeleton is mirrored, or its names are exchanged. False where the
/// rest pose does not stand upright, or its feet point neither way.
bool named_sides_are_exchanged(const Skeleton& skeleton, std::span<const BoundJoint> joints);

}  // namespace tocsin::scene
