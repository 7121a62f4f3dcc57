// Whether two avatars are the same to the bit: then one may take the other's place.
#pragma once

#include "tocsin/avatar.h"

namespace tocsin::scene {

/// True if names, joints and links are equal, and every number bit for bit. Shapes are only equal
/// if they share their data.
[[nodiscard]] bool are_equal(const Avatar& p, const Avatar& q);

}  // namespace tocsin::scene
