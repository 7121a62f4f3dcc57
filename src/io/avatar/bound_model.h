// An avatar as a model that binds to its own skeleton and to nothing else.
#pragma once

#include "tocsin/avatar.h"

namespace tocsin::io {

/// The links as they are bound, joints by their own names: a model's naming schemes, and end points
/// that depend on the skeleton or on frames, have no place in a message or a record, and the bits
/// stay the same. Precondition: joint names differ.
AvatarModel bound_model(const Avatar& avatar);

}  // namespace tocsin::io
